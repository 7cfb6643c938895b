#!/bin/bash
# record -- CMD: the command's own status, its input and output, its options.
. "$(dirname "$0")/lib.sh"

exits "the command's status" 7 "$CPROF" record -o "$T/a" -- sh -c 'exit 7'
exits "a command that is killed" 143 "$CPROF" record -o "$T/b" -- sh -c 'kill -TERM $$'
exits "no such command" 127 "$CPROF" record -o "$T/c" -- /no/such/command
echo text >"$T/text"
exits "a command that cannot run" 126 "$CPROF" record -o "$T/d" -- "$T/text"
refuses "cprof fails first" 125 'text' "$CPROF" record -o "$T/text" -- true
exits "a command with options like ours" 0 "$CPROF" record -o "$T/e" -- sh -c 'test "$1" = --help' x --help
exits "a command that works" 0 "$CPROF" record -o "$T/f" -- "$targets/exits" 800
"$CPROF" report "$T/f" --format csv >"$T/csv"
near "its function is there" 100 "$(column "$T/csv" total_percent last_work)" 10

if [ "$(id -u)" = 0 ]; then
	check "under sudo it runs as the caller" env SUDO_UID=65534 SUDO_GID=65534 "$CPROF" record -o "$T/g" -- \
		sh -c 'test "$(id -u):$(id -G)" = 65534:65534'
	check "root's own is root's" env SUDO_UID=0 SUDO_GID=0 "$CPROF" record -o "$T/h" -- sh -c 'test "$(id -u)" = 0'
else
	skip "under sudo it runs as the caller" "needs root"
fi
done_testing
