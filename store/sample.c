/* The words of the model: names of kinds, states and weights, both ways. */
#include "store/sample.h"

#include <string.h>

#define X(id, name) name,
static const char *const kinds[] = {FRAME_KINDS(X)};
static const char *const states[] = {THREAD_STATES(X)};
static const char *const weights[] = {WEIGHTS(X)};
#undef X

static int find(const char *const *words, int n, const char *s)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(words[i], s))
			return i;
	return -1;
}

const char *kind_name(enum frame_kind kind)
{
	return (unsigned)kind < KIND_COUNT ? kinds[kind] : "unknown";
}

const char *state_name(enum thread_state state)
{
	return (unsigned)state < STATE_COUNT ? states[state] : "unknown";
}

const char *weight_name(enum weight weight)
{
	return (unsigned)weight < WEIGHT_COUNT ? weights[weight] : "unknown";
}

int kind_parse(const char *s)
{
	return find(kinds, KIND_COUNT, s);
}

int state_parse(const char *s)
{
	return find(states, STATE_COUNT, s);
}

int weight_parse(const char *s)
{
	return find(weights, WEIGHT_COUNT, s);
}
