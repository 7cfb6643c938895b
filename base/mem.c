/* Memory: allocation that does not fail, and arrays that grow. */
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

static _Noreturn void out_of_memory(void)
{
	err_note("out of memory");
	exit(1);
}

void *mem_alloc(size_t size)
{
	void *p = malloc(size ? size : 1);
	if (!p)
		out_of_memory();
	return p;
}

void *mem_zalloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);
	if (!p)
		out_of_memory();
	return p;
}

void *mem_realloc(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p)
		out_of_memory();
	return p;
}

char *mem_strdup(const char *s)
{
	return mem_strndup(s, strlen(s));
}

char *mem_strndup(const char *s, size_t n)
{
	char *p = mem_alloc(n + 1);
	memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

void *mem_grow(void *array, size_t *cap, size_t need, size_t size)
{
	if (need <= *cap)
		return array;
	size_t next = *cap < 8 ? 16 : *cap * 2;
	if (next < need)
		next = need;
	if (next > SIZE_MAX / size)
		out_of_memory();
	*cap = next;
	return mem_realloc(array, next * size);
}
