#!/bin/bash
# The rooms of the code and who may include whom; and no file above 600 lines.
cd "$(dirname "$0")/../.." || exit 1
sources=$(find cprof.c base store sampler tui cmd -name '*.[ch]' 2>/dev/null)

# outcome NAME OFFENDERS: fails where there are any
outcome() {
	if [ -z "$2" ]; then
		echo "ok - $1"
	else
		echo "not ok - $1"
		sed 's/^/# /' <<<"$2"
	fi
}

# including REGEX FILE...: the files with an #include of it
including() {
	local regex=$1
	shift
	[ $# -gt 0 ] && grep -lE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$regex" "$@"
}

# only NAME HEADER-REGEX FOLDER MOST: the header is only in FOLDER, in at most MOST files
only() {
	local files outside
	files=$(including "$2" $sources)
	outside=$(grep -v "^$3/" <<<"$files" | grep .)
	if [ -z "$outside" ] && [ "$(grep -c . <<<"$files")" -gt "$4" ]; then
		outside="more than $4: $(tr '\n' ' ' <<<"$files")"
	fi
	outcome "$1" "$outside"
}

only "lmdb.h only in store, in two files at most" 'lmdb\.h' store 2
only "curses.h only in tui, in one file" '(n?curses(w/curses)?|ncursesw/ncurses|term)\.h' tui 1
only "sys/ptrace.h only in sampler, in one file" '(sys|linux)/ptrace\.h' sampler 1
only "elfutils and libunwind headers only in sampler" '(elfutils/|dwarf\.h|libelf\.h|gelf\.h|libunwind)' sampler 99

never() {
	outcome "$1 never includes $2" "$(including "($2)/" $(grep "^$1/" <<<"$sources"))"
}
never base "store|sampler|tui|cmd"
never store "sampler|tui|cmd"
never tui "sampler|cmd"
never sampler "tui|cmd"

for f in $sources $(find tests tools -name '*.[ch]' -o -name '*.sh'); do
	n=$(wc -l <"$f")
	[ "$n" -gt 600 ] && long+="$f has $n lines"$'\n'
done
outcome "no file above 600 lines" "${long:-}"
