#!/bin/bash
# The target is as before, whatever happens to the recorder: ended, killed at any moment, while
# threads come and go.
. "$(dirname "$0")/lib.sh"

start_target busy 3 40
busy=$target_pid
for i in 1 2 3 4 5 6; do
	"$CPROF" record -r 999 -o "$T/kill$i" -p "$busy" 2>/dev/null &
	recorder=$!
	started+=("$recorder")
	written() { [ -n "$(info_value "$T/kill$i" samples)" ] && [ "$(info_value "$T/kill$i" samples)" -gt 0 ]; }
	until_true 10 written
	# not in step with the seconds in which it writes
	sleep "0.$((RANDOM % 9))$((RANDOM % 9))"
	kill -9 "$recorder"
	wait "$recorder" 2>/dev/null
	untouched "kill -9 of the recorder, $i: the target is as before" "$busy"
	check "kill -9 of the recorder, $i: the store can be read" "$CPROF" report "$T/kill$i" --format csv
done
end_process "$busy"

start_target churn
exits "threads that come and go" 0 "$CPROF" record -o "$T/churn" -d 4 -p "$target_pid"
untouched "the target is as before" "$target_pid"
"$CPROF" report "$T/churn" --format csv >"$T/csv"
check "their work is there" test -n "$(column "$T/csv" self short_life)"
end_process "$target_pid"

start_target idle 50
exits "fifty threads that sleep" 0 "$CPROF" record -o "$T/idle" -d 3 -p "$target_pid"
same "none of them is stopped" 0 "$(info_value "$T/idle" stops)"
untouched "the target is as before" "$target_pid"
exits "an idle range is no error" 0 "$CPROF" report "$T/idle"
done_testing
