# Do two lists of stacks agree: cprof dump's (first file) and eu-stack's? eu-stack has no kernel
# frames, which stand before the others here; of several names of one address (clone3, __clone3)
# either is right, and a pc that it has no name for is anything. Says how many threads agree, of
# how many; fails where one does not, or where there are others than -v threads=N.
function plain(name) { sub(/@.*/, "", name); sub(/^_+/, "", name); return name }
FNR == 1 { file++ }
file == 1 && /^thread / { tid = $2; next }
file == 1 && /^ *#/ { ours[tid, n[tid]++] = $2 }
file == 2 && /^TID / { tid = $2 + 0; seen[tid]; next }
file == 2 && /^#/ { theirs[tid, m[tid]++] = $3 }
END {
	for (tid in seen) {
		all++
		same = n[tid] > 0
		for (i = 1; i <= m[tid]; i++) {
			a = ours[tid, n[tid] - i]
			b = theirs[tid, m[tid] - i]
			if (b != "" && plain(a) != plain(b)) {
				printf "%d: %d from the outermost: cprof %s, eu-stack %s\n", tid, i, a, b
				same = 0
			}
		}
		good += same
	}
	printf "%d of %d threads agree\n", good, all
	exit good < all || (threads && threads != all)
}
