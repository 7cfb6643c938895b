#!/bin/bash
# make demo without a terminal, and make install.
. "$(dirname "$0")/lib.sh"

cp "$BUILD/tests/demo/workload" "$T/workload"
workload_runs() { readlink /proc/[0-9]*/exe 2>/dev/null | grep -qxF "$T/workload"; }
workload_is_gone() { ! workload_runs; }

DEMO_SECONDS=4 run tools/demo.sh "$CPROF" "$T/workload"
same "the demo without a terminal: status" 0 "$status"
check "shows the heatmap" grep -q '[▁▂▃▄▅▆▇█]' "$T/out"
check "shows a function of the workload" grep -qE 'handle_request|compare_keys|parse_headers|render_page' "$T/out"
check "the workload is ended" workload_is_gone

DEMO_SECONDS=60 tools/demo.sh "$CPROF" "$T/workload" >"$T/out" 2>&1 </dev/null &
demo=$!
started+=("$demo")
until_true 10 workload_runs
kill -TERM "$demo"
wait "$demo"
check "also when the demo is told to end" until_true 5 workload_is_gone

exits "make install" 0 make install DESTDIR="$T/root" PREFIX=/usr BUILD="$BUILD"
check "the program is there" test -x "$T/root/usr/bin/cprof"
check "the manual is there" test -f "$T/root/usr/share/man/man1/cprof.1"
exits "make uninstall" 0 make uninstall DESTDIR="$T/root" PREFIX=/usr BUILD="$BUILD"
same "nothing is left" "" "$(find "$T/root" -type f)"
if command -v mandoc >/dev/null; then
	same "the manual has no faults" "" "$(mandoc -T lint -W warning man/cprof.1 2>&1)"
else
	skip "the manual has no faults" "mandoc is not here"
fi
done_testing
