/* Why sampling does or does not work here: each ability tried, with the one remedy. */
#ifndef SAMPLER_DOCTOR_H
#define SAMPLER_DOCTOR_H

#include <stddef.h>

enum finding_level {
	FINDING_GOOD,
	FINDING_LESS, /* works, with something left out */
	FINDING_BAD,  /* cannot sample */
};

struct finding {
	enum finding_level level;
	const char *what;  /* the ability: "stop a thread" */
	char detail[200];  /* what was seen; not clean where it quotes the target */
	char remedy[200];  /* "" where nothing is to be done */
};

enum { FINDINGS_MAX = 24 };
struct findings {
	struct finding items[FINDINGS_MAX];
	size_t count;
};

/* Of this machine and user: tried on a child of this process. */
void doctor_machine(struct findings *f);
/* Of one process. */
void doctor_process(struct findings *f, int pid);

#endif
