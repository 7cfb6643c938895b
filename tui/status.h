/* The lines around the panes: header, range, tabs, breadcrumb, selected frame, hints. */
#ifndef TUI_STATUS_H
#define TUI_STATUS_H

#include "tui/ui.h"

void status_header(const struct ui *ui, struct cells *c);
void status_range(const struct ui *ui, struct cells *c);
void status_tabs(const struct ui *ui, struct cells *c);
bool status_tab_at(const struct ui *ui, int x, enum view_id *view); /* x in the tab line */
void status_crumb(const struct ui *ui, struct cells *c);
void status_detail(const struct ui *ui, struct cells *c);
void status_hints(const struct ui *ui, struct cells *c);
/* All that fits in one line: a terminal too small for more. */
void status_line(const struct ui *ui, struct cells *c);

#endif
