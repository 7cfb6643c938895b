/* Searching, and what the prompt's lines ask for. */
#ifndef TUI_SEARCH_H
#define TUI_SEARCH_H

#include "tui/ui.h"

/* Select the next (1) or previous (-1) frame that matches, in the order of the tree. */
void search_next(struct ui *ui, int direction);

#endif
