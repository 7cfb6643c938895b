#!/bin/sh
# man.sh CPROF PAGE: put the sections that cprof has in tables into the man page, between the
# lines `.\" begin NAME` and `.\" end NAME`. With --print first: on stdout instead.
set -eu
print=
[ "$1" = --print ] && { print=yes; shift; }
cprof=$1
page=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$cprof" --dump-man-sections >"$dir/sections"
awk -v sections="$dir/sections" '
	BEGIN {
		while ((getline line < sections) > 0) {
			if (line ~ /^\.\\" begin /)
				name = substr(line, 11)
			text[name] = text[name] line "\n"
		}
	}
	/^\.\\" begin / { name = substr($0, 11); if (name in text) { printf "%s", text[name]; skip = 1 } }
	!skip
	/^\.\\" end / { skip = 0 }
' "$page" >"$dir/page"
if [ -n "$print" ]; then
	cat "$dir/page"
else
	cat "$dir/page" >"$page"
fi
