# cprof: a terminal profiler. `make`, `make demo`, `make check`; `make help` lists the rest.
BUILD ?= build
PREFIX ?= /usr/local
CC ?= cc
PKGS = ncursesw libunwind-ptrace libunwind-generic libdw libelf lmdb
TEST_PKGS = cmocka

WARN = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
CFLAGS ?= -O2 -g
override CFLAGS += -std=c11 $(WARN) $(SANITIZE)
override CPPFLAGS += -D_GNU_SOURCE -I. $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
LDLIBS = $(shell pkg-config --libs $(PKGS) 2>/dev/null) -liberty -lpthread -lm
override LDFLAGS += $(SANITIZE)

ROOMS = base store sampler tui cmd
LIB_SRCS = $(foreach r,$(ROOMS),$(wildcard $(r)/*.c))
LIB_OBJS = $(LIB_SRCS:%.c=$(BUILD)/%.o)
UNIT_SRCS = $(wildcard tests/unit/test_*.c)
UNITS = $(UNIT_SRCS:%.c=$(BUILD)/%)

.PHONY: all clean units
all: cprof

cprof: $(BUILD)/cprof
	@ln -sf $(BUILD)/cprof $@

$(BUILD)/cprof: $(BUILD)/cprof.o $(BUILD)/libcprof.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/libcprof.a: $(LIB_OBJS)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

units: $(UNITS)

$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(BUILD)/libcprof.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS) $(shell pkg-config --libs $(TEST_PKGS))

clean:
	rm -rf $(BUILD) cprof

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
