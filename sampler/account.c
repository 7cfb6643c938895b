/* What threads have consumed, told to the worker. */
#include "sampler/account.h"

#include "base/clock.h"

enum {
	TICK_NS = 4 * NS_PER_MS, /* lag of schedstat's CPU time, per running thread */
};

/* False: no room in the ring; told later. */
static bool emit_cpu(struct sampler *s, uint16_t process, uint32_t slot, uint64_t ns)
{
	struct msg_cpu *m = tick_message(s, MSG_CPU, sizeof(*m));
	if (!m)
		return false;
	m->msg.process = process;
	m->msg.slot = slot;
	m->second = s->second;
	m->cpu_ns = ns;
	ring_commit(s->ring, sizeof(*m));
	return true;
}

void account_thread(struct sampler *s, struct watched_thread *t)
{
	if (t->cpu_ns > t->cpu_reported &&
	    emit_cpu(s, t->process->index, t->slot, t->cpu_ns - t->cpu_reported))
		t->cpu_reported = t->cpu_ns;
}

/* Time of threads that came and went between two looks: the process's clock knows it. */
static void report_exited(struct sampler *s, struct watched_process *p)
{
	int64_t total = watched_clock(p), lag = 0;
	if (total < 0)
		total = p->clock_last; /* ended: as it was last seen */
	if (total < 0)
		return;
	for (size_t i = 0; i < p->count; i++) {
		total -= (int64_t)p->threads[i]->cpu_ns;
		lag += p->threads[i]->life != LIFE_ASLEEP ? TICK_NS : 0;
	}
	if (p->exited_base < 0) {
		p->exited_base = total > 0 ? total : 0;
		return;
	}
	if (p->churned && total - lag > p->exited_base &&
	    emit_cpu(s, p->index, UINT32_MAX, (uint64_t)(total - lag - p->exited_base)))
		p->exited_base = total - lag;
	p->churned = false;
}

void account_second(struct sampler *s)
{
	for (size_t i = 0; i < s->watched.count; i++) {
		struct watched_process *p = s->watched.processes[i];
		for (size_t k = 0; k < p->count; k++) {
			struct watched_thread *t = p->threads[k];
			struct proc_sched sched;
			if (t->ran_this_second && watched_sched(t, &sched))
				t->cpu_ns = sched.cpu_ns;
			account_thread(s, t);
			t->ran_this_second = t->life != LIFE_ASLEEP;
		}
		report_exited(s, p);
	}
}
