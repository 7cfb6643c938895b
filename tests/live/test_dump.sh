#!/bin/bash
# dump agrees with eu-stack about threads that stand still.
. "$(dirname "$0")/lib.sh"

start_target parked
run "$CPROF" dump -p "$target_pid"
same "dump: status" 0 "$status"
for place in pause futex nanosleep read; do
	check "dump: a thread in park_in_$place" grep -q "park_in_$place" "$T/out"
done
"$CPROF" dump -p "$target_pid" --json >"$T/json"
valid_json "dump --json is JSON" "$T/json"
untouched "the target is as before" "$target_pid"

if ! command -v eu-stack >/dev/null; then
	skip "the frames are eu-stack's" "eu-stack is not here"
	done_testing
fi
"$CPROF" dump -p "$target_pid" >"$T/ours"
eu-stack -p "$target_pid" >"$T/theirs" 2>/dev/null
check "the frames are eu-stack's" awk -v threads=5 -f tests/live/compare.awk "$T/ours" "$T/theirs"
done_testing
