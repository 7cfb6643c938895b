#!/bin/sh
# demo.sh CPROF WORKLOAD: start the workload, look at it, and end it again, whatever happens.
set -u
cprof=$1
workload=$2
seconds=${DEMO_SECONDS:-10}

dir=$(mktemp -d) || exit 1
: >"$dir/out"
"$workload" >"$dir/out" &
pid=$!
top=
cleanup() {
	[ -z "$top" ] || kill "$top" 2>/dev/null
	kill "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

tries=0
while ! grep -q ready "$dir/out"; do
	tries=$((tries + 1))
	[ $tries -gt 100 ] && { echo "demo: the workload did not start" >&2; exit 1; }
	sleep 0.1
done

if [ -t 0 ] && [ -t 1 ]; then
	"$cprof" top -p "$pid"
	exit
fi
# in the background, so that a signal to this script is heeded at once
"$cprof" top --plain -d "$seconds" -p "$pid" </dev/null &
top=$!
wait "$top"
