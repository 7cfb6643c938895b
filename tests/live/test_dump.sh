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
# eu-stack has no kernel frames, which stand before the others here; of several names of one
# address (clone3, __clone3) either is right, and a pc that it has no name for is anything
cat >"$T/compare.awk" <<'AWK'
function plain(name) { sub(/@.*/, "", name); sub(/^_+/, "", name); return name }
FNR == 1 { file++ }
file == 1 && /^thread / { tid = $2; next }
file == 1 && /^ *#/ { ours[tid, n[tid]++] = $2 }
file == 2 && /^TID / { tid = $2 + 0; seen[tid]; next }
file == 2 && /^#/ { theirs[tid, m[tid]++] = $3 }
END {
	for (tid in seen) {
		threads++
		for (i = 1; i <= m[tid]; i++) {
			a = ours[tid, n[tid] - i]
			b = theirs[tid, m[tid] - i]
			if (b != "" && plain(a) != plain(b)) {
				printf "%d: %d from the outermost: cprof %s, eu-stack %s\n", tid, i, a, b
				bad = 1
			}
		}
	}
	exit bad || threads != 5
}
AWK
"$CPROF" dump -p "$target_pid" >"$T/ours"
eu-stack -p "$target_pid" >"$T/theirs" 2>/dev/null
check "the frames are eu-stack's" awk -f "$T/compare.awk" "$T/ours" "$T/theirs"
done_testing
