#!/bin/bash
# The screen in a real terminal: a range, zooms, marks, a difference, resizing; the terminal is
# as before when it ends, and so is the target.
. "$(dirname "$0")/lib.sh"

if ! command -v tmux >/dev/null; then
	skip "the screen" "tmux is not here"
	done_testing
fi

start_target turns
record_store store -d 8 -p "$target_pid"
store=$T/store

screen_start 120 36
type_line 'stty -g >'"$T/stty.before"
until_true 5 test -s "$T/stty.before"
type_line "$CPROF view $store; echo status=\$?"
shows "view: the first picture needs no key" turn4
keys 2
shows "2: the tree" level26
keys 3
shows "3: the functions" turn1
keys BTab
keys g l v l l l Enter
shows "a range of four cells" " 4 s "
keys a
keys Escape
keys Tab Tab
keys '+'
keys '-'
keys d
shows "d: the difference" "→ B"
keys 5
shows "5: what changed" "verdict"
keys d
hides "d: and back" "→ B"
keys '?'
shows "?: the help" "quit"
keys q
tm resize-window -x 80 -y 24
shows "80 by 24" turn4
tm resize-window -x 40 -y 10
tm resize-window -x 10 -y 3
tm resize-window -x 120 -y 36
shows "and back to 120 by 36" turn4
keys q
shows "q ends it with status 0" "status=0"
type_line 'stty -g >'"$T/stty.after"
until_true 5 test -s "$T/stty.after"
check "the terminal's settings are as before" cmp "$T/stty.before" "$T/stty.after"
type_line 'echo echo''ed'
shows "what is typed is echoed" "echoed"
check "the marks are kept" grep -q '^a' "$store/marks"

type_line "clear; $CPROF view $store --range -3s --thread turns-1; echo status=\$?"
shows "view --thread: the filter" "thread:turns-1"
shows "view --range: the selection" "3 s"
keys q
screen_wait "status=0"

type_line "clear; $CPROF top -p $target_pid; echo status=\$?"
shows "top: live" turn4
shows "top: the target's pid" "$target_pid"
keys q
shows "q ends top with status 0" "status=0"
shows "and says what was kept" "cprof: kept"
untouched "the target is as before" "$target_pid"

type_line "clear; $CPROF top -p $target_pid; echo status=\$?"
shows "top again" turn4
top=$(ps -o pid=,args= --ppid "$(tm display-message -p '#{pane_pid}')" 2>/dev/null | awk '/cprof/ { print $1; exit }')
if [ -n "$top" ]; then
	kill -9 "$top"
	shows "kill -9 of the screen" "status=137"
	untouched "leaves the target as before" "$target_pid"
else
	not_ok "kill -9 of the screen" "its pid was not found"
fi
screen_end

screen_start 10 3
type_line "$CPROF view $store; echo s=\$?"
until_true 5 screen_lacks "view" || :
keys q
shows "10 by 3: q ends it with status 0" "s=0"
screen_end

SCREEN_TERM=dumb screen_start 100 50
type_line "$CPROF view $store; echo status=\$?"
shows "TERM=dumb: the plain view" "hottest: "
shows "TERM=dumb: status 0" "status=0"
screen_end
done_testing
