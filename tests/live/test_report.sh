#!/bin/bash
# Reports and differences: columns, forms, ranges, filters, exit codes.
. "$(dirname "$0")/lib.sh"

start_target turns
record_store store -d 6 -p "$target_pid"
end_process "$target_pid"
store=$T/store
numbers=self,total,self_ns,total_ns,self_percent,total_percent

header() { # BY COLUMNS
	same "report --by $1: the header" "$2" "$("$CPROF" report "$store" --by "$1" --format csv | head -n 1)"
	"$CPROF" report "$store" --by "$1" --format json >"$T/json"
	valid_json "report --by $1: JSON" "$T/json"
	same "report --by $1: the same names in JSON" "$2" \
		"$(sed -n '2s/[^"]*"\([a-z_]*\)": \("\([^"\\]\|\\.\)*"\|[^,}]*\)/\1,/g; 2s/,[^a-z_]*$//p' "$T/json")"
	exits "report --by $1: text" 0 "$CPROF" report "$store" --by "$1"
	same "report --by $1: nothing on stderr" "" "$(cat "$T/err")"
}
header function "function,module,kind,file,line,$numbers"
header tree "depth,function,module,kind,file,line,$numbers"
header thread "pid,tid,name,$numbers"
header module "module,kind,$numbers"
header heat "time,samples,cpu_ns,quality"

"$CPROF" report "$store" --by function --format csv >"$T/csv"
sorted=$(awk -F, 'NR > 1 { if (NR > 2 && $8 > last) bad = 1; last = $8 } END { print bad + 0 }' "$T/csv")
same "functions are sorted by self_ns" 0 "$sorted"
sum=$(awk -F, 'NR > 1 { sum += $10 } END { print sum }' "$T/csv")
near "self percentages add up" 100 "$sum" 0.2

"$CPROF" report "$store" --by tree --format csv >"$T/csv"
same "the tree begins at depth 0" 0 "$(sed -n 2p "$T/csv" | cut -d, -f1)"
near "the tree's turn4" 40 "$(column "$T/csv" total_percent turn4)" 6

seconds=$("$CPROF" report "$store" --by heat --format csv | tail -n +2)
same "heat: a row a second, all full but the ends" "" \
	"$(sed '1d;$d' <<<"$seconds" | grep -v ',full$')"
check "heat: RFC 3339 with Z" grep -qE '^20[0-9-]{8}T[0-9:]{8}Z,[0-9]+,[0-9]+,' <<<"$seconds"
near "heat --step 1m: the same samples" \
	"$(awk -F, '{ n += $2 } END { print n }' <<<"$seconds")" \
	"$("$CPROF" report "$store" --by heat --format csv --step 1m | awk -F, '{ n += $2 } END { print n }')" 0

same "--limit cuts csv" 3 "$("$CPROF" report "$store" --format csv --limit 2 | wc -l)"
same "--thread keeps one" 2 "$("$CPROF" report "$store" --by thread --format csv --thread turns-1 | wc -l)"
check "--match keeps whole samples" test \
	"$("$CPROF" report "$store" --format csv --match turn1 | grep -c '^turn[1-4],')" = 1
exits "a thread that is not there is no error" 0 "$CPROF" report "$store" --thread nobody --format csv
same "and gives the header alone" 1 "$(wc -l <"$T/out")"

day=$(info_value "$store" start | cut -dT -f1)
exits "a range that is cut at the store's ends" 0 "$CPROF" report "$store" --range "$day"
check "is said on stderr" grep -q '^cprof: the range is clipped' "$T/err"
exits "the last two seconds" 0 "$CPROF" report "$store" --range -2s
refuses "a range outside" 1 'the store holds' "$CPROF" report "$store" --range 2001-01-01
refuses "a malformed range" 2 'nonsense' "$CPROF" report "$store" --range nonsense
refuses "--range with --from" 2 'give one of them' "$CPROF" report "$store" --range -2s --from -1s
refuses "a state that the weight excludes" 2 'sleeping' "$CPROF" report "$store" --state sleeping
exits "with its weight" 0 "$CPROF" report "$store" --state sleeping --weight off-cpu

"$CPROF" diff "$store" --a thread:turns-1 --b thread:turns-2 --format csv >"$T/csv" 2>"$T/err"
same "diff: status" 0 $?
same "diff: the header" \
	"function,module,kind,file,a_ns_per_s,b_ns_per_s,delta_ns_per_s,low,high,a_percent,b_percent,delta_points,verdict" \
	"$(head -n 1 "$T/csv")"
check "diff: only known verdicts" test -z "$(tail -n +2 "$T/csv" | grep -vE ',(more|less|new|gone|same)$')"
"$CPROF" diff "$store" --a 'match:turn1' --b 'match:turn4' --format csv >"$T/csv"
same "diff: new" new "$(column "$T/csv" verdict turn4)"
same "diff: gone" gone "$(column "$T/csv" verdict turn1)"
"$CPROF" diff "$store" "$store" --format csv >"$T/csv"
same "diff of a store with itself: all the same" "" "$(tail -n +2 "$T/csv" | grep -v ',same$')"
"$CPROF" diff "$store" "$store" --by tree --format json >"$T/json"
valid_json "diff --by tree: JSON" "$T/json"
"$CPROF" diff "$store" "$store" --format folded >"$T/folded"
check "diff --format folded: a stack and two numbers a line" \
	test -z "$(grep -vE '^[^;]+(;[^;]+)* [0-9]+ [0-9]+$' "$T/folded")"
check "and the stacks are there" grep -q ';level26;turn4 ' "$T/folded"
refuses "diff without marks" 1 'the mark a is not set' "$CPROF" diff "$store"

exits "the plain view" 0 "$CPROF" view "$store"
check "has the hottest path" grep -q '^hottest: .*turn4' "$T/out"
check "has bars" grep -q '[▁▂▃▄▅▆▇█]' "$T/out"
run "$CPROF" view "$store" --ascii
check "--ascii has ASCII only" test -z "$(LC_ALL=C grep -v '^[ -~]*$' "$T/out" | grep -v 'µs')"
"$CPROF" report "$store" --by heat --step 1ms --format csv 2>"$T/err" | head -n 1 >/dev/null
same "a reader that goes away: nothing is said" "" "$(cat "$T/err")"
done_testing
