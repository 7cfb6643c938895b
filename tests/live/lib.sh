# What the live tests share: outcomes in TAP, targets that are started and ended by pid, a
# terminal of our own in tmux. Sourced; the current folder becomes the project's.
# shellcheck shell=bash
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
BUILD=${BUILD:-build}
CPROF=${CPROF:-$PWD/cprof}
targets=$PWD/$BUILD/tests/targets

T=$(mktemp -d) || exit 1
chmod 711 "$T"
export XDG_STATE_HOME=$T/state LC_ALL=C.UTF-8 TZ=UTC
unset NO_COLOR
mkdir -p "$XDG_STATE_HOME"

started=() # pids, ended by cleanup
tmux_socket=cprof-test-$$

cleanup() {
	local pid
	for pid in "${started[@]:-}"; do
		[ -n "$pid" ] && kill -9 "$pid" 2>/dev/null
	done
	[ -z "${tmux_used:-}" ] || tmux -L "$tmux_socket" kill-server 2>/dev/null
	rm -rf "$T"
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP

# --- outcomes ---

failures=0
ok() { echo "ok - $1"; }
not_ok() { # NAME LINE...
	failures=$((failures + 1))
	echo "not ok - $1"
	shift
	local line
	for line; do
		sed 's/^/# /' <<<"$line"
	done
}
skip() { echo "ok - $1 # SKIP $2"; }

# check NAME COMMAND...: by the command's status
check() {
	local name=$1 said
	shift
	if said=$("$@" 2>&1); then ok "$name"; else not_ok "$name" "failed: $*" "$said"; fi
}

# same NAME WANT GOT
same() {
	if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "want: $2" "got:  $3"; fi
}

# run COMMAND...: its status is in $status, its output in $T/out and $T/err
run() {
	timeout -k 5 60 "$@" >"$T/out" 2>"$T/err" </dev/null
	status=$?
}

# exits NAME STATUS COMMAND...
exits() {
	local name=$1 want=$2
	shift 2
	run "$@"
	if [ "$status" = "$want" ]; then
		ok "$name"
	else
		not_ok "$name" "status $status, want $want: $*" "$(head -c 2000 "$T/err")"
	fi
}

# refuses NAME STATUS PATTERN COMMAND...: that status, and one line on stderr that says so
refuses() {
	local name=$1 want=$2 pattern=$3 text
	shift 3
	run "$@"
	text=$(cat "$T/err")
	if [ "$status" != "$want" ]; then
		not_ok "$name" "status $status, want $want: $*" "$text"
	elif [ "$(wc -l <"$T/err")" != 1 ]; then
		not_ok "$name" "not one line on stderr:" "$text"
	elif [[ $text != "cprof: "* ]] || ! grep -qE "$pattern" "$T/err"; then
		not_ok "$name" "want 'cprof: ...$pattern...', got:" "$text"
	elif [ -s "$T/out" ]; then
		not_ok "$name" "something on stdout:" "$(head -c 500 "$T/out")"
	else
		ok "$name"
	fi
}

done_testing() { [ $failures = 0 ]; exit; }

# until_true SECONDS COMMAND...: ask every 50 ms until it succeeds
until_true() {
	local tries=$(($1 * 20))
	shift
	while ! "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.05
	done
}

# --- targets ---

# start_target PROGRAM ARG...: $target_pid; returns when it has said "ready"
start_target() {
	local program=$1 line=
	shift
	rm -f "$T/ready"
	mkfifo "$T/ready"
	"$targets/$program" "$@" >"$T/ready" &
	target_pid=$!
	started+=("$target_pid")
	exec 7<"$T/ready"
	read -rt 20 -u 7 line
	exec 7<&-
	[ "$line" = ready ] || { not_ok "$program starts" "it did not say ready"; exit 1; }
}

end_process() { # PID
	kill -9 "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

# Why the process is not as it was before, or nothing: every task alive, not stopped, not traced.
touched() {
	local task state tracer
	kill -0 "$1" 2>/dev/null || { echo "it is gone"; return; }
	for task in /proc/"$1"/task/*/status; do
		state=$(awk '/^State:/ { print $2 }' "$task" 2>/dev/null)
		tracer=$(awk '/^TracerPid:/ { print $2 }' "$task" 2>/dev/null)
		[[ $state == [Tt] ]] && echo "$task: state $state"
		[ "${tracer:-0}" = 0 ] || echo "$task: traced by $tracer"
	done
}
is_untouched() { [ -z "$(touched "$1")" ]; }

untouched() { # NAME PID
	if until_true 2 is_untouched "$2"; then ok "$1"; else not_ok "$1" "$(touched "$2")"; fi
}

# record_store NAME COMMAND-OPTION...: a store at $T/NAME
record_store() {
	local name=$1
	shift
	"$CPROF" record -o "$T/$name" "$@" >"$T/out" 2>"$T/err" </dev/null
	status=$?
	[ $status = 0 ] || cat "$T/err" >&2 # shown when a test of the program fails
	return $status
}

# info_value STORE KEY
info_value() { "$CPROF" info "$1" 2>/dev/null | sed -n "s/^$2: //p"; }

# column FILE NAME FUNCTION: the column's value in the CSV row of the function
column() {
	awk -F, -v name="$2" -v function_name="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["function"] == function_name { print $at[name]; exit }
	' "$1"
}

# near NAME WANT GOT TOLERANCE
near() {
	if awk -v w="$2" -v g="${3:-x}" -v t="$4" \
		'BEGIN { exit !(g ~ /^-?[0-9.]+$/ && g - w <= t && w - g <= t) }'; then
		ok "$1"
	else
		not_ok "$1" "want $2 within $4, got '${3:-}'"
	fi
}

# is_json FILE: by whatever is here that knows; status 2: nothing is
is_json() {
	if command -v python3 >/dev/null; then
		python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' "$1"
	elif command -v jq >/dev/null; then
		jq empty "$1"
	else
		return 2
	fi
}

valid_json() { # NAME FILE
	local said
	said=$(is_json "$2" 2>&1)
	case $? in
	0) ok "$1" ;;
	2) skip "$1" "neither python3 nor jq is here" ;;
	*) not_ok "$1" "$said" "$(head -c 500 "$2")" ;;
	esac
}

# --- a terminal ---

tm() { tmux -L "$tmux_socket" -f /dev/null -u "$@"; }

# screen_start COLUMNS ROWS: a shell with the prompt "$ "
screen_start() {
	tmux_used=yes
	tm new-session -d -x "$1" -y "$2" \
		"env PS1='\$ ' TERM=${SCREEN_TERM:-screen-256color} bash --norc --noprofile" ||
		{ not_ok "tmux starts" "tmux new-session failed"; exit 1; }
	tm set-option -g status off
	tm resize-window -x "$1" -y "$2" 2>/dev/null
	screen_wait '$' || { not_ok "the shell in tmux starts" "$(screen)"; exit 1; }
}
screen_end() { tm kill-server 2>/dev/null; until_true 5 screen_gone; }
screen_gone() { ! tm has-session 2>/dev/null; }
screen() { tm capture-pane -p; }
keys() { tm send-keys "$@"; }
type_line() { tm send-keys -l "$1" && tm send-keys Enter; }
screen_has() { screen | grep -qF -- "$1"; }
screen_lacks() { ! screen | grep -qF -- "$1"; }
screen_wait() { until_true "${2:-10}" screen_has "$1"; }
screen_wait_not() { until_true "${2:-10}" screen_lacks "$1"; }

# shows NAME TEXT; hides NAME TEXT: within ten seconds
shows() {
	if screen_wait "$2"; then ok "$1"; else not_ok "$1" "no '$2' on the screen:" "$(screen)"; fi
}
hides() {
	if screen_wait_not "$2"; then ok "$1"; else not_ok "$1" "still '$2' on the screen:" "$(screen)"; fi
}
