/* The threads of a range, with what was counted for them. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/intern.h"
#include "base/mem.h"
#include "base/text.h"
#include "store/query.h"
#include "store/scan.h"

struct threads_query {
	const struct query *query;
	struct thread_rows *out;
	size_t cap;
	struct intern keys; /* pid, start, tid and name: the row's number. Not the process's name:
	                     * an exec changes it */
	uint32_t *row_of;   /* of the segment's thread numbers, + 1 */
	struct view *view;
};

static char *clean(const char *s)
{
	struct buf b = BUF_INIT;
	text_clean(&b, s, strlen(s));
	return buf_take(&b);
}

static void begin(void *arg, struct view *v, const struct selection *s)
{
	struct threads_query *t = arg;
	t->view = v;
	t->row_of = mem_zalloc(s->nthreads, sizeof(*t->row_of));
}

static void end(void *arg)
{
	struct threads_query *t = arg;
	free(t->row_of);
	t->row_of = NULL;
}

static struct thread_row *row_of(struct threads_query *t, uint32_t thread)
{
	if (t->row_of[thread])
		return &t->out->rows[t->row_of[thread] - 1];
	const struct dict *d = &t->view->dict;
	const struct thread_record *r = &d->threads[thread];
	const struct process_record *p = &d->processes[r->process];
	const char *name = dict_string(d, r->name), *process = dict_string(d, p->name);
	struct buf key = BUF_INIT;
	buf_fmt(&key, "%u %llu %u %s", p->pid, (unsigned long long)p->start_ticks, r->tid, name);
	bool fresh;
	uint32_t row = intern_put(&t->keys, key.data, key.len, &fresh);
	buf_free(&key);
	if (fresh) {
		struct thread_rows *out = t->out;
		out->rows = mem_grow(out->rows, &t->cap, out->count + 1, sizeof(*out->rows));
		out->rows[out->count++] = (struct thread_row){
			.pid = (int)p->pid,
			.tid = (int)r->tid,
			.name = clean(name),
			.process = clean(process),
		};
	}
	struct thread_row *found = &t->out->rows[row];
	if (!fresh) { /* the latest name */
		free(found->process);
		found->process = clean(process);
	}
	t->row_of[thread] = row + 1;
	return found;
}

static void thread(void *arg, const struct scan_part *p, const struct log_thread *l)
{
	struct threads_query *t = arg;
	const struct selection *n = p->selection;
	enum weight weight = t->query->filter->weight;
	struct thread_row *row = row_of(t, l->thread);
	struct scan_walk cpu = scan_walk_of(p, l, WEIGHT_CPU), walk = scan_walk_of(p, l, weight);

	if (!l->on_cpu && scan_has_start(p)) {
		row->cpu_ns += l->cpu_ns;
		row->ns += n->stacks[n->nstacks] ? l->cpu_ns : 0;
	}
	for (uint32_t i = 0; i < l->nruns; i++) {
		const struct sample_run *r = &l->runs[i];
		struct scan_run run = scan_step(&walk, p, r);
		row->cpu_ns += scan_step(&cpu, p, r).ns;
		if (!run.count || !n->stacks[selection_stack(n, r->stack)])
			continue;
		row->by_state[r->state] += run.count;
		if (select_state(n->select, r->state)) {
			row->samples += run.count;
			row->ns += run.ns;
		}
	}
}

static int by_time(const void *a, const void *b)
{
	const struct thread_row *x = a, *y = b;
	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return strcmp(x->name, y->name);
}

int query_threads(struct store *s, const struct query *q, struct thread_rows *out, struct err *err)
{
	static const struct scan_ops ops = {.begin = begin, .thread = thread, .end = end};
	struct threads_query t = {.query = q, .out = out};
	*out = (struct thread_rows){0};
	int result = scan_log(s, q, &ops, &t, err);
	intern_free(&t.keys);
	if (result)
		thread_rows_release(out);
	else if (out->count > 1)
		qsort(out->rows, out->count, sizeof(*out->rows), by_time);
	return result;
}

void thread_rows_release(struct thread_rows *r)
{
	for (size_t i = 0; i < r->count; i++) {
		free(r->rows[i].name);
		free(r->rows[i].process);
	}
	free(r->rows);
	*r = (struct thread_rows){0};
}
