/* The list of actions as tables. */
#include "tui/action.h"

static const struct {
	const char *name, *help;
} actions[ACT_COUNT] = {
#define X(id, name, help) [id] = {name, help},
	ACTIONS(X)
#undef X
};

const char *action_name(enum action a)
{
	return actions[a].name;
}

const char *action_help(enum action a)
{
	return actions[a].help;
}
