# make bench-store: bytes a sample, ingest rate and query times of a synthetic hour.
BENCH_STORE = $(BUILD)/tests/bench_store

.PHONY: bench-store
bench-store: $(BENCH_STORE)
	$(BENCH_STORE)

$(BENCH_STORE): $(BUILD)/tests/bench_store.o $(BUILD)/libcprof.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
