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

if ! command -v eu-stack >/dev/null || ! command -v python3 >/dev/null; then
	skip "the frames are eu-stack's" "eu-stack or python3 is not here"
	done_testing
fi
# eu-stack has no kernel frames; of several names of one address (clone3, __clone3) either is right
cat >"$T/compare.py" <<'PY'
import json, re, sys
ours = {}
for thread in json.load(open(sys.argv[1]))["threads"]:
    ours[thread["tid"]] = [f["name"] for f in thread["frames"] if f["kind"] != "kernel"]
theirs, tid = {}, None
for line in open(sys.argv[2]):
    if m := re.match(r"TID (\d+):", line):
        tid = int(m[1])
        theirs[tid] = []
    elif m := re.match(r"#\d+\s+0x[0-9a-f]+\s*(\S*)", line):
        theirs[tid].append(m[1])
def plain(name):
    return name.split("@")[0].lstrip("_")
bad = []
for tid, want in theirs.items():
    got = ours.get(tid, [])
    same = len(got) == len(want) and all(w in ("", g) for g, w in zip(map(plain, got), map(plain, want)))
    if not same:
        bad.append(f"{tid}: cprof {got}\n{tid}: eu-stack {want}")
print("\n".join(bad))
sys.exit(bool(bad) or not theirs)
PY
eu-stack -p "$target_pid" >"$T/eu" 2>/dev/null
check "the frames are eu-stack's" python3 "$T/compare.py" "$T/json" "$T/eu"
done_testing
