/* What keys do everywhere, and what is done with a line of input. */
#ifndef TUI_COMMAND_H
#define TUI_COMMAND_H

#include "tui/ui.h"

bool command_act(struct ui *ui, enum action a); /* false: not an action of everywhere */
void command_prompt(struct ui *ui);             /* the prompt's line was accepted */
void command_go_mark(struct ui *ui, int32_t key);

#endif
