#!/bin/bash
# What a stop must not do, and what must not do harm to a stop: waits that fail, an exec that
# hangs, a recorder that hangs or is suspended, a target that is stopped, a leader that has ended.
. "$(dirname "$0")/lib.sh"

# --- waits: no EINTR, and timeouts as long as they are ---

run_waits() { # SECONDS
	"$targets/waits" "$1" >"$T/waits" &
	target_pid=$!
	started+=("$target_pid")
	until_true 10 grep -q ready "$T/waits"
}
sum() { awk -v k="$1" '{ for (i = 1; i < NF; i++) if ($i == k) n += $(i + 1) } END { print n + 0 }' "$T/waits"; }

run_waits 2
wait "$target_pid"
early=$(sum early)
run_waits 6
exits "twelve ways to wait, at 997 Hz" 0 "$CPROF" record -r 997 -d 5 -o "$T/waits.store" -p "$target_pid"
untouched "who waits is as before" "$target_pid"
wait "$target_pid"
same "the program that waits ends well" 0 $?
same "no call fails with EINTR" 0 "$(sum eintr)"
same "no timeout is cut short" "$early" "$(sum early)"
check "it has waited often" test "$(sum calls)" -gt 1500
stopless=$(info_value "$T/waits.store" stopless)
check "who sleeps is not stopped" test "$stopless" -gt $((50 * $(info_value "$T/waits.store" stops)))

# --- a filter that kills for restart_syscall ---

start_target filtered
exits "a program under a strict filter" 0 "$CPROF" record -r 997 -o "$T/filtered" -p "$target_pid"
wait "$target_pid"
same "it is not killed for a stop" 7 $?

# --- an exec of one of many threads, again and again ---

"$targets/execs" 60 >"$T/execs" &
target_pid=$!
started+=("$target_pid")
until_true 10 grep -q ready "$T/execs"
exits "a program that executes itself" 0 timeout -k 5 40 "$CPROF" record -r 997 -o "$T/execs.store" -p "$target_pid"
wait "$target_pid"
same "each exec completes, its status is its own" 7 $?
check "it has come to its end" grep -q done "$T/execs"

# --- a recorder that hangs, or is suspended ---

start_target busy 8 20
busy=$target_pid
record_in_background() { # NAME
	"$CPROF" record -r 997 -o "$T/$1" -p "$busy" 2>/dev/null &
	recorder=$!
	started+=("$recorder")
	store=$T/$1
	until_true 10 writes
}
writes() { [ "$(info_value "$store" samples)" -gt 0 ]; }
stopped() { grep -q '^State:[[:space:]]*T' /proc/"$1"/status; }

record_in_background hung
kill -STOP "$recorder"
until_true 3 is_untouched "$busy"
untouched "a recorder that hangs lets go" "$busy"
kill -9 "$recorder" 2>/dev/null
wait "$recorder" 2>/dev/null

record_in_background suspended
kill -TSTP "$recorder"
check "Ctrl-Z suspends a recorder" until_true 5 stopped "$recorder"
untouched "a suspended recorder holds nobody" "$busy"
kill -CONT "$recorder"
was=$(info_value "$store" samples)
more() { [ "$(info_value "$store" samples)" -gt "$was" ]; }
check "it goes on after fg" until_true 10 more
kill -INT "$recorder"
wait "$recorder"
same "and ends well" 0 $?

# --- a target that is stopped ---

kill -STOP "$busy"
until_true 5 stopped "$busy"
exits "a target that is stopped" 0 "$CPROF" record -o "$T/stopped" -d 2 -p "$busy"
check "it stays stopped" stopped "$busy"
same "it is not traced" 0 "$(awk '/^TracerPid:/ { print $2 }' /proc/"$busy"/status)"
"$CPROF" report "$T/stopped" --weight wall --state stopped --format csv >"$T/csv"
check "its stacks are there, in that state" test -n "$(column "$T/csv" self burn)"
kill -CONT "$busy"
untouched "it goes on after fg" "$busy"
end_process "$busy"

# --- a leader that has ended ---

start_target leaderless
exits "a process whose main thread has ended" 0 "$CPROF" record -o "$T/leaderless" -d 2 -p "$target_pid"
"$CPROF" report "$T/leaderless" --weight wall --format csv >"$T/csv"
check "who runs is there" test -n "$(column "$T/csv" total burn_thread)"
check "who sleeps is there" test -n "$(column "$T/csv" total doze_thread)"
end_process "$target_pid"

# --- a stack too deep to be copied ---

start_target deep 100000
exits "a recursion 100,000 calls deep" 0 "$CPROF" record -o "$T/deep" -d 4 -p "$target_pid"
untouched "the target is as before" "$target_pid"
end_process "$target_pid"
"$CPROF" report "$T/deep" --format csv >"$T/csv"
share() { awk -v v="$(column "$T/csv" total_percent "$1")" -v least="$2" 'BEGIN { exit !(v >= least) }'; }
check "its innermost frames are there" share bottom 95
check "its outermost frames are there" share start_digging 60
check "what is left out is marked" share "[elided]" 60
done_testing
