#!/bin/bash
# A recording is true: the shares of functions that take known turns; info says what is in it.
. "$(dirname "$0")/lib.sh"

for rate in 99 100; do
	start_target turns
	record_store "turns$rate" -r $rate -d 15 -p "$target_pid"
	same "recording at $rate Hz ends with status 0" 0 $?
	untouched "the target is as before, after $rate Hz" "$target_pid"
	end_process "$target_pid"
	"$CPROF" report "$T/turns$rate" --by function --format csv >"$T/csv"
	for n in 4 3 2 1; do
		near "turn$n: self at $rate Hz" "${n}0" "$(column "$T/csv" self_percent turn$n)" 3
		near "turn$n: total at $rate Hz" "${n}0" "$(column "$T/csv" total_percent turn$n)" 3
	done
	near "level01 is below all at $rate Hz" 100 "$(column "$T/csv" total_percent level01)" 3
done

# A system call each 10 us: a thread that is stopped from another CPU is found in it nearly always.
if [ "$(id -u)" = 0 ]; then
	start_target calls
	record_store calls -d 4 -p "$target_pid"
	end_process "$target_pid"
	"$CPROF" report "$T/calls" --by function --format csv >"$T/csv"
	near "who makes many system calls is seen at work" 85 "$(column "$T/csv" total_percent work)" 15
else
	skip "who makes many system calls is seen at work" "needs a real-time priority"
fi

store=$T/turns99
want="name path command start end duration rate samples running expected missed threads processes \
functions stacks segments stops stopless stop-p50-us stop-p99-us stop-max-us stopped-percent \
truncated-percent cpu-s store-bytes live"
same "info has its keys in their order" "$want" \
	"$("$CPROF" info "$store" | sed 's/: .*//' | tr '\n' ' ' | sed 's/ $//' | cut -c1-${#want})"
same "info: the rate" 99 "$(info_value "$store" rate)"
same "info: not live" no "$(info_value "$store" live)"
same "info: one process" 1 "$(info_value "$store" processes)"
same "info: three threads" 3 "$(info_value "$store" threads)"
near "info: the duration" 15 "$(info_value "$store" duration)" 1.5
near "info: expected ticks" 1485 "$(info_value "$store" expected)" 60
near "info: nothing is truncated" 0 "$(info_value "$store" truncated-percent)" 1
"$CPROF" info "$store" --format json >"$T/json"
valid_json "info --format json is JSON" "$T/json"
done_testing
