/* A module's symbols as a sorted table.
 *
 * Where several symbols share an address, one is chosen the same way always: global before
 * weak before local, then the fewest leading underscores, then the shorter, then by name. A
 * symbol without a size reaches to the next one if it comes from .symtab (assembly), and names
 * only its own address if it comes from .dynsym, where what follows may be anybody's. */
#ifndef SAMPLER_SYMTAB_H
#define SAMPLER_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol {
	uint64_t start, end;
	const char *name; /* as in the string table: mangled; borrowed */
	uint8_t rank;     /* of its binding: lower is preferred */
};

struct symtab {
	struct symbol *items;
	size_t count, cap;
};

void symtab_release(struct symtab *t);
void symtab_add(struct symtab *t, const struct symbol *s);

/* Sort, choose among aliases, close gaps: call once after the last symtab_add. `open_ended`:
 * symbols without a size reach to the next. */
void symtab_finish(struct symtab *t, bool open_ended);
const struct symbol *symtab_find(const struct symtab *t, uint64_t addr); /* NULL: none */

/* The name for people: C++, Rust and D demangled, a version ("@@V1") cut off. Caller frees. */
char *symbol_demangle(const char *name);

#endif
