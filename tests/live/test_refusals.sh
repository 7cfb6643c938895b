#!/bin/bash
# What cannot be done is one line with its remedy and the documented status; nothing is touched.
. "$(dirname "$0")/lib.sh"

refuses "no command" 2 'see: cprof --help' "$CPROF"
refuses "an unknown command" 2 "unknown command 'frob'" "$CPROF" frob
refuses "an unknown option" 2 'unknown option --frob' "$CPROF" report --frob
exits "--help" 0 "$CPROF" --help
exits "--version" 0 "$CPROF" --version
for c in top record view report diff dump info; do
	exits "$c --help" 0 "$CPROF" $c --help
	check "$c --help says how" grep -q "^usage: cprof $c" "$T/out"
done

start_target turns
pid=$target_pid
refuses "rate 0" 2 '1 to 10000' "$CPROF" record -p "$pid" -r 0
refuses "rate 1000000" 2 '1 to 10000' "$CPROF" record -p "$pid" -r 1000000
refuses "a rate that is a word" 2 '1 to 10000' "$CPROF" record -p "$pid" -r fast
refuses "a pid that is a word" 2 'not a process id' "$CPROF" record -p me
refuses "no target" 2 'no target' "$CPROF" record
refuses "two targets" 2 'more than one' "$CPROF" record -p "$pid" -n x

absent=4194303
[ -e /proc/$absent ] || refuses "no such process" 1 "$absent" "$CPROF" record -o "$T/x" -p $absent
refuses "no process of this name" 1 'no-such-name' "$CPROF" record -o "$T/x" -n no-such-name
exits "a bad pid among good ones" 0 "$CPROF" record -o "$T/both" -d 1 -p "$pid,$absent"
check "is a warning" grep -q "^cprof: .*$absent" "$T/err"
check "nothing is left where nothing was recorded" test ! -e "$T/x"

# A kernel thread: PF_KTHREAD of linux/sched.h in field 9 of its stat.
kernel_thread=$(cat /proc/[0-9]*/stat 2>/dev/null | sed 's/(.*)/x/' |
	awk '{ if (int($9 / 2097152) % 2) { print $1; exit } }')
if [ -n "$kernel_thread" ]; then
	refuses "a kernel thread" 1 'kernel' "$CPROF" record -o "$T/x" -p "$kernel_thread"
else
	skip "a kernel thread" "none can be seen here"
fi

if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	cp -L "$CPROF" "$T/cprof"
	chmod 755 "$T/cprof"
	mkdir "$T/nobody"
	chown 65534 "$T/nobody"
	refuses "another user's process" 1 "$pid" setpriv --reuid=65534 --regid=65534 --clear-groups \
		env XDG_STATE_HOME="$T/nobody" "$T/cprof" record -o "$T/nobody/x" -p "$pid"
	check "names the cause and a remedy" grep -qE '; ?[a-z]' "$T/err"
else
	skip "another user's process" "needs root and setpriv"
fi

mkdir "$T/folder"
echo mine >"$T/folder/file"
echo text >"$T/plainfile"
for c in view report info; do
	refuses "$c: a store that is not there" 1 'missing' "$CPROF" $c "$T/missing"
	refuses "$c: a folder that is no store" 1 'folder' "$CPROF" $c "$T/folder"
	refuses "$c: a file that is no store" 1 'plainfile' "$CPROF" $c "$T/plainfile"
done
refuses "no recordings yet" 1 '' "$CPROF" report
refuses "recording into a folder of others" 1 'folder' "$CPROF" record -d 1 -o "$T/folder" -p "$pid"
refuses "recording into a file" 1 'plainfile' "$CPROF" record -d 1 -o "$T/plainfile" -p "$pid"
same "which is untouched" "file mine text" "$(ls "$T/folder") $(cat "$T/folder/file" "$T/plainfile" | tr '\n' ' ' | sed 's/ $//')"

"$CPROF" record -o "$T/held" -p "$pid" 2>/dev/null &
recorder=$!
started+=("$recorder")
recorded() { [ "$("$CPROF" info "$T/held" 2>/dev/null | sed -n 's/^samples: //p')" -gt 0 ]; }
until_true 10 recorded
refuses "a store that another recorder holds" 1 "$recorder" "$CPROF" record -d 1 -o "$T/held" -p "$pid"
same "is live" yes "$(info_value "$T/held" live)"
kill -TERM "$recorder"
wait "$recorder"
same "TERM ends a recording with status 0" 0 $?
same "and it is no more live" no "$(info_value "$T/held" live)"
exits "a store is continued" 0 "$CPROF" record -d 1 -o "$T/held" -p "$pid"
untouched "the target is as before" "$pid"

mkdir "$T/newer"
echo "cprof store 99" >"$T/newer/format"
refuses "a store of a newer version: reading" 1 "version 99.*newer cprof" "$CPROF" info "$T/newer"
refuses "a store of a newer version: recording" 1 "version 99.*newer cprof" \
	"$CPROF" record -d 1 -o "$T/newer" -p "$pid"
same "and nothing is touched in it" format "$(ls "$T/newer")"

start_target exits 700
exits "a target that ends before -d" 3 "$CPROF" record -o "$T/short" -d 20 -p "$target_pid"
check "its recording is there" test "$(info_value "$T/short" samples)" -gt 10
start_target exits 700
exits "a target that ends, without -d" 0 "$CPROF" record -o "$T/short2" -p "$target_pid"
done_testing
