/* The help box: every binding, from the table of keys. */
#ifndef TUI_HELP_H
#define TUI_HELP_H

#include "tui/ui.h"

bool help_act(struct ui *ui, enum action a);
void help_draw(const struct ui *ui, struct cells *c);

#endif
