#!/bin/sh
# Install what is needed to build cprof and to run its tests, with the system's package manager.
# Says nothing and asks for nothing where all is there. With --build: only what a build needs.
set -u

what=all
[ "${1:-}" = --build ] && what=build

libs="ncursesw libunwind-ptrace libunwind-generic libdw libelf lmdb"

have() { command -v "$1" >/dev/null 2>&1; }

links_iberty() {
	dir=$(mktemp -d) || return 1
	echo 'int main(void) { return 0; }' >"$dir/t.c"
	cc -o "$dir/t" "$dir/t.c" -liberty >/dev/null 2>&1
	status=$?
	rm -rf "$dir"
	return $status
}

# Tests that need these are skipped, with that reason, where they cannot be had.
optional="jq mandoc"

# One line for each thing that is not there; the arguments are tools beyond the needed ones.
missing() {
	have cc || echo "a C compiler"
	have make || echo "make"
	have pkg-config || echo "pkg-config"
	for lib in $libs; do
		pkg-config --exists "$lib" 2>/dev/null || echo "$lib"
	done
	have cc && { links_iberty || echo "libiberty"; }
	[ $what = build ] && return
	pkg-config --exists cmocka 2>/dev/null || echo "cmocka"
	for tool in tmux eu-stack setpriv stty $1; do
		have "$tool" || echo "$tool"
	done
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif have sudo; then
		sudo "$@"
	else
		echo "deps: not root and no sudo; run as root: $*" >&2
		exit 1
	fi
}

install_packages() {
	if have apt-get; then
		export DEBIAN_FRONTEND=noninteractive
		as_root apt-get -o Acquire::Retries=3 -q update &&
			as_root apt-get -o Acquire::Retries=3 -q install -y --no-install-recommends gcc libc6-dev make \
				pkg-config libncurses-dev libunwind-dev libdw-dev libelf-dev liblmdb-dev libiberty-dev \
				${tests:+libcmocka-dev tmux elfutils util-linux coreutils procps jq mandoc}
	elif have dnf; then
		as_root dnf install -y gcc make pkgconf-pkg-config ncurses-devel libunwind-devel elfutils-devel \
			elfutils-libelf-devel lmdb-devel binutils-devel \
			${tests:+libcmocka-devel tmux elfutils util-linux coreutils procps-ng jq mandoc}
	elif have apk; then
		as_root apk add gcc musl-dev linux-headers make pkgconf ncurses-dev libunwind-dev elfutils-dev lmdb-dev \
			binutils-dev ${tests:+bash cmocka-dev tmux elfutils util-linux coreutils procps jq mandoc}
	elif have pacman; then
		as_root pacman -Sy --needed --noconfirm gcc make pkgconf ncurses libunwind elfutils lmdb binutils \
			${tests:+cmocka tmux util-linux coreutils procps-ng jq mandoc}
	else
		echo "deps: no apt-get, dnf, apk or pacman here; install by hand: $1" >&2
		exit 1
	fi
}

list=$(missing "$optional" | tr '\n' ',' | sed 's/,$//; s/,/, /g')
[ -z "$list" ] && exit 0

tests=
[ $what = all ] && tests=yes
echo "deps: not here: $list; installing"
install_packages "$list" || { echo "deps: the package manager failed; its message is above" >&2; exit 1; }

list=$(missing '' | tr '\n' ',' | sed 's/,$//; s/,/, /g')
[ -z "$list" ] && exit 0
echo "deps: still not here: $list" >&2
exit 1
