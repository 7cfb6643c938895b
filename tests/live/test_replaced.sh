#!/bin/bash
# The names are those of what is mapped, not of what lies at its path by now: a program that was
# replaced, and one that was removed, seen by root and by a user without capabilities.
. "$(dirname "$0")/lib.sh"

as_nobody=
if [ "$(id -u)" = 0 ]; then
	command -v setpriv >/dev/null && as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
	mkdir "$T/nobody"
	chown 65534 "$T/nobody"
	cp -L "$CPROF" "$T/cprof"
	chmod 755 "$T/cprof"
fi

# its own copy of the C library, which goes, too
libc=$(ldd "$targets/turns" | awk '$1 ~ /^libc\.so/ { print $3 }')

# What a recording tells of a program that runs from FILE, when that is there no more.
sample() { # NAME FILE PREFIX...
	local name=$1 file=$2
	shift 2
	cp "$targets/turns" "$file"
	mkdir "$file.lib"
	[ -z "$libc" ] || cp "$libc" "$file.lib"
	chmod 755 "$file" "$file.lib"
	rm -f "$T/ready"
	mkfifo "$T/ready"
	"$@" env LD_LIBRARY_PATH="$file.lib" "$file" >"$T/ready" &
	target_pid=$!
	started+=("$target_pid")
	read -rt 20 _ <"$T/ready"
	case $name in
	*replaced*) cp "$targets/busy" "$file.new" && mv "$file.new" "$file" ;;
	*removed*) rm -r "$file" "$file.lib" ;;
	esac
	exits "$name: it can be sampled" 0 "$@" env XDG_STATE_HOME="$T/nobody" "${cprof:-$CPROF}" \
		record -d 2 -o "$T/nobody/$name" -p "$target_pid"
	untouched "$name: it is as before" "$target_pid"
	end_process "$target_pid"
	"$CPROF" report "$T/nobody/$name" --format csv >"$T/csv"
	near "$name: turn4 has its share" 40 "$(column "$T/csv" total_percent turn4)" 8
	near "$name: the stacks are whole" 0 "$(info_value "$T/nobody/$name" truncated-percent)" 1
}

mkdir -p "$T/nobody"
sample replaced "$T/nobody/app1" env
sample removed "$T/nobody/app2" env
if [ -n "$as_nobody" ]; then
	cprof=$T/cprof
	# shellcheck disable=SC2086 # words
	sample user-replaced "$T/nobody/app3" $as_nobody
	# shellcheck disable=SC2086
	sample user-removed "$T/nobody/app4" $as_nobody
else
	skip "a user without capabilities" "needs root and setpriv, or is what was tested"
fi
done_testing
