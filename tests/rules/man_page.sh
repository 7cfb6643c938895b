#!/bin/bash
# The man page says what the tables say.
cd "$(dirname "$0")/../.." || exit 1
if tools/man.sh --print "${CPROF:-./cprof}" man/cprof.1 | diff -u man/cprof.1 - >&2; then
	echo "ok - the man page is up to date"
else
	echo "not ok - the man page is up to date"
	echo "# run: make man"
fi
