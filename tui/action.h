/* Actions: what a key can ask for. One list gives the numbers, the names of the config file
 * and of scripts, and what the action does where its binding says nothing nearer. */
#ifndef TUI_ACTION_H
#define TUI_ACTION_H

#define ACTIONS(X)                                                                                 \
	X(ACT_NONE, "none", "")                                                                    \
	X(ACT_LEFT, "left", "left")                                                                \
	X(ACT_RIGHT, "right", "right")                                                             \
	X(ACT_UP, "up", "up")                                                                      \
	X(ACT_DOWN, "down", "down")                                                                \
	X(ACT_FAR_LEFT, "far-left", "ten cells left")                                              \
	X(ACT_FAR_RIGHT, "far-right", "ten cells right")                                           \
	X(ACT_ROW_START, "row-start", "start of the row")                                          \
	X(ACT_ROW_END, "row-end", "end of the row")                                                \
	X(ACT_PAGE_UP, "page-up", "a page up")                                                     \
	X(ACT_PAGE_DOWN, "page-down", "a page down")                                               \
	X(ACT_FIRST, "first", "the first")                                                         \
	X(ACT_LAST, "last", "the last")                                                            \
	X(ACT_ENTER, "enter", "take it")                                                           \
	X(ACT_GROW, "grow", "start, end a range")                                                  \
	X(ACT_ROW, "row", "the whole row")                                                         \
	X(ACT_BURST, "burst", "the whole burst under the cursor")                                  \
	X(ACT_ROOT, "root", "make the frame the root")                                             \
	X(ACT_OUT, "out", "out of the root")                                                       \
	X(ACT_OPEN_ALL, "open-all", "unfold all below")                                            \
	X(ACT_CLOSE_ALL, "close-all", "fold all below")                                            \
	X(ACT_HOT_PATH, "hot-path", "open the hottest path")                                       \
	X(ACT_SORT_PREV, "sort-previous", "sort by the column before")                             \
	X(ACT_SORT_NEXT, "sort-next", "sort by the next column")                                   \
	X(ACT_REMOVE, "remove", "remove the mark")                                                 \
	X(ACT_NEXT_PANE, "next-pane", "next pane")                                                 \
	X(ACT_PREV_PANE, "previous-pane", "previous pane")                                         \
	X(ACT_VIEW_FLAME, "view-flame", "flamegraph")                                              \
	X(ACT_VIEW_TREE, "view-tree", "call tree")                                                 \
	X(ACT_VIEW_TOP, "view-top", "top functions")                                               \
	X(ACT_VIEW_CALLERS, "view-callers", "callers of a function, and what it calls")            \
	X(ACT_VIEW_CHANGES, "view-changes", "changes, ranked")                                     \
	X(ACT_VIEW_THREADS, "view-threads", "threads, a lane each")                                \
	X(ACT_SWITCH_TREE, "switch-tree", "flamegraph or tree")                                    \
	X(ACT_MAXIMISE, "maximise", "maximise the pane")                                           \
	X(ACT_MENU, "menu", "menu on, off")                                                        \
	X(ACT_SLIDE_BACK, "slide-back", "slide the range back by its length")                      \
	X(ACT_SLIDE_ON, "slide-on", "slide the range on by its length")                            \
	X(ACT_SHRINK, "shrink", "shrink the range's end by a cell")                                \
	X(ACT_WIDEN, "widen", "grow the range's end by a cell")                                    \
	X(ACT_ZOOM_IN, "zoom-in", "finer grid, about the cursor")                                  \
	X(ACT_ZOOM_OUT, "zoom-out", "coarser grid, about the cursor")                              \
	X(ACT_GOTO, "go-to", "go to 14:03, @mark, -5m, now, +1h, a RANGE; :q")                     \
	X(ACT_PREV_EVENT, "previous-event", "previous event")                                      \
	X(ACT_NEXT_EVENT, "next-event", "next event")                                              \
	X(ACT_NEXT_MATCH, "next-match", "next match; without a search, peak")                      \
	X(ACT_PREV_MATCH, "previous-match", "previous match; without a search, peak")              \
	X(ACT_MARK_A, "mark-a", "mark the range as A")                                             \
	X(ACT_MARK_B, "mark-b", "mark the range as B")                                             \
	X(ACT_MARK_NAME, "mark-name", "name the range, with a note")                               \
	X(ACT_MARK_GO, "mark-go", "back to the mark of the next key")                              \
	X(ACT_DIFF, "diff", "difference of A and B on, off")                                       \
	X(ACT_DIFF_SCALE, "diff-scale", "difference per second, as shares, absolute")              \
	X(ACT_SWAP, "swap", "swap the sides of the difference")                                    \
	X(ACT_SEARCH, "search", "search functions, modules, files")                                \
	X(ACT_SEARCH_FRAME, "search-frame", "search the selected frame; the heatmap shows it")     \
	X(ACT_FILTER, "filter", "filter by thread: process: type: state: or text")                 \
	X(ACT_NEGATE, "negate", "negate the newest filter")                                        \
	X(ACT_UNFILTER, "unfilter", "drop the filters")                                            \
	X(ACT_WEIGHT, "weight", "weigh by cpu, wall or off-cpu time")                              \
	X(ACT_PERCENT, "percent", "percent of the view, of all")                                   \
	X(ACT_COLOURS, "colours", "colours: heat linear, log; kind, module, name")                 \
	X(ACT_HOLD, "hold", "hold the screen, follow (recording goes on)")                         \
	X(ACT_BACK, "back", "back through ranges, filters, marks, zooms")                          \
	X(ACT_FORWARD, "forward", "forward again")                                                 \
	X(ACT_THEME, "theme", "next theme")                                                        \
	X(ACT_HELP, "help", "this help")                                                           \
	X(ACT_REDRAW, "redraw", "redraw the screen")                                               \
	X(ACT_SUSPEND, "suspend", "suspend")                                                       \
	X(ACT_CANCEL, "cancel", "drop box, growth, search, root, diff, or range")                  \
	X(ACT_QUIT, "quit", "close the box, else quit")

#define X(id, name, help) id,
enum action { ACTIONS(X) ACT_COUNT };
#undef X

const char *action_name(enum action a);
const char *action_help(enum action a);

#endif
