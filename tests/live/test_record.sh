#!/bin/bash
# A recording is true: the shares of functions that take known turns; info says what is in it.
. "$(dirname "$0")/lib.sh"

# share NAME PERCENT COLUMN FUNCTION SAMPLES: within three standard errors of so many samples; each
# is of the thread's own moment. 0.5 points are for the program's own turns.
share() {
	local error
	error=$(awk -v p="$2" -v n="$5" 'BEGIN { printf "%.2f", 3 * sqrt(p * (100 - p) / n) + 0.5 }')
	near "$1" "$2" "$(column "$T/csv" "$3" "$4")" "$error"
}

for rate in 99 100 250 499 1000; do
	seconds=5
	[ $rate = 99 ] && seconds=10
	start_target turns
	record_store "turns$rate" -r $rate -d $seconds -p "$target_pid"
	same "recording at $rate Hz ends with status 0" 0 $?
	untouched "the target is as before, after $rate Hz" "$target_pid"
	end_process "$target_pid"
	"$CPROF" report "$T/turns$rate" --by function --format csv >"$T/csv"
	samples=$(info_value "$T/turns$rate" running)
	for n in 4 3 2 1; do
		share "turn$n has its share at $rate Hz" "${n}0" total_percent turn$n "$samples"
	done
	# what is not theirs is the system call by which they tell the time
	near "turn4 itself at $rate Hz" 39 "$(column "$T/csv" self_percent turn4)" 7
	near "level01 is below all at $rate Hz" 100 "$(column "$T/csv" total_percent level01)" 3
done

# Runs 1 ms, sleeps 4 ms: what it consumes lies on the function that runs, and is what the kernel says.
for rate in 99 997; do
	exits "a program that naps, at $rate Hz" 0 sh -c \
		'exec "$1" record -r "$2" -o "$3" -- "$4" 6 >"$5"' sh "$CPROF" $rate "$T/naps$rate" "$targets/naps" "$T/naps"
	"$CPROF" report "$T/naps$rate" --by function --format csv >"$T/csv"
	near "its time is on what runs, at $rate Hz" 100 "$(column "$T/csv" total_percent work)" 3
	consumed=$(awk '/^consumed/ { print $2 / 1e9 }' "$T/naps")
	near "and is what the kernel says, at $rate Hz" "$consumed" "$(info_value "$T/naps$rate" cpu-s)" \
		"$(awk -v c="$consumed" 'BEGIN { print c * 0.01 + 0.005 }')"
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
expected=$(info_value "$store" expected)
same "info: expected = taken + missed" "$expected" \
	$(($(info_value "$store" taken) + $(info_value "$store" missed)))
same "info: one process" 1 "$(info_value "$store" processes)"
same "info: three threads" 3 "$(info_value "$store" threads)"
near "info: the duration" 10 "$(info_value "$store" duration)" 1.5
near "info: expected ticks" 990 "$(info_value "$store" expected)" 40
near "info: nothing is truncated" 0 "$(info_value "$store" truncated-percent)" 1
"$CPROF" info "$store" --format json >"$T/json"
valid_json "info --format json is JSON" "$T/json"
done_testing
