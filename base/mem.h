/* Memory: allocation that does not fail, and arrays that grow.
 *
 * Running out of memory ends the program with one line on stderr and status 1; what
 * the recorder has committed is safe in the store. Lengths that come from outside (a
 * file, a target) are bounded by the caller before they get here. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

void *mem_alloc(size_t size);              /* uninitialised; size 0 gives a valid pointer */
void *mem_zalloc(size_t count, size_t size);
void *mem_realloc(void *p, size_t size);
char *mem_strdup(const char *s);
char *mem_strndup(const char *s, size_t n);

/* Make room for `need` elements in an array of *cap elements of `size` bytes; gives the
 * (moved) array back, at least doubled when it grows. New elements are not cleared. */
void *mem_grow(void *array, size_t *cap, size_t need, size_t size);

#endif
