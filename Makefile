# cprof: a terminal profiler. `make`, `make demo`, `make check`; `make help` lists the rest.
BUILD ?= build
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
CC ?= cc
PKGS = ncursesw libunwind-ptrace libunwind-generic libdw libelf lmdb
TEST_PKGS = cmocka

WARN = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
ifeq ($(CI),true)
WARN += -Werror
endif
CFLAGS ?= -O2 -g
PKG_CFLAGS := $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
PKG_LIBS := $(shell pkg-config --libs $(PKGS) 2>/dev/null)
TEST_LIBS := $(shell pkg-config --libs $(TEST_PKGS) 2>/dev/null)
override CFLAGS += -std=c11 $(WARN) $(SANITIZE)
override CPPFLAGS += -D_GNU_SOURCE -I. $(PKG_CFLAGS)
LDLIBS = $(PKG_LIBS) -liberty -lpthread -lm
override LDFLAGS += $(SANITIZE)

# one short line a step; V=1 shows the commands
V ?= 0
ifeq ($(V),0)
Q = @
say = @printf '  %-4s %s\n' $(1) $(2)
endif

ROOMS = base store sampler tui cmd
LIB_SRCS = $(foreach r,$(ROOMS),$(wildcard $(r)/*.c))
LIB_OBJS = $(LIB_SRCS:%.c=$(BUILD)/%.o)
UNIT_SRCS = $(wildcard tests/unit/test_*.c)
UNITS = $(UNIT_SRCS:%.c=$(BUILD)/%)
# helpers that unit tests share: every other file there is linked into each
UNIT_HELPERS = $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(UNIT_SRCS),$(wildcard tests/unit/*.c)))
TARGETS = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/targets/*.c) tests/demo/workload.c)
BENCHES = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/bench/*.c))
SOURCES = cprof.c $(LIB_SRCS) $(wildcard tests/unit/*.c)
FORMATTED = $(SOURCES) $(wildcard $(addsuffix /*.h,$(ROOMS)) tests/*/*.h) $(wildcard tests/*/*.c)

.PHONY: all
all: cprof ## build ./cprof

cprof: $(BUILD)/cprof
	@ln -sf $(BUILD)/cprof $@

$(BUILD)/cprof: $(BUILD)/cprof.o $(BUILD)/libcprof.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/libcprof.a: $(LIB_OBJS)
	@rm -f $@
	$(call say,AR,$@)
	$(Q)$(AR) qcs $@ $^

$(BUILD)/%.o: %.c | have-libs
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# what the tests sample: frames as written, so no optimisation, whatever CFLAGS says
$(BUILD)/tests/targets/%: tests/targets/%.c tests/targets/target.h | have-libs
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE -O0 -g $(WARN) -o $@ $< -lpthread

$(BUILD)/tests/demo/workload: tests/demo/workload.c | have-libs
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE -O1 -g $(WARN) -o $@ $< -lpthread -lm

# One friendly line where something is missing, in place of a compiler's many.
.PHONY: have-libs have-test-libs
have-libs:
	@command -v pkg-config >/dev/null || { echo "cprof needs pkg-config; run: make deps" >&2; exit 1; }
	@pkg-config --exists $(PKGS) || { echo "cprof needs $(PKGS); run: make deps" >&2; exit 1; }
have-test-libs: | have-libs
	@pkg-config --exists $(TEST_PKGS) || { echo "the tests need $(TEST_PKGS); run: make deps" >&2; exit 1; }

.PHONY: deps
deps: ## install what is needed to build and test, by the system's package manager
	@tools/deps.sh

.PHONY: demo
demo: ## build, start the bundled workload and look at it
	@tools/deps.sh --build
	@$(MAKE) --no-print-directory all $(BUILD)/tests/demo/workload
	@tools/demo.sh ./cprof $(BUILD)/tests/demo/workload

.PHONY: units targets check
units: $(UNITS) ## build the unit tests
targets: $(TARGETS) ## build the programs that the tests sample

$(UNITS): $(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(UNIT_HELPERS) $(BUILD)/libcprof.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS) $(TEST_LIBS)

check: ## install what is missing, build and run the tests; ends with one line of numbers
	@tools/deps.sh
	@$(MAKE) --no-print-directory all units targets $(BENCHES)
	@BUILD=$(BUILD) tests/run

.PHONY: asan ubsan tsan
asan: ## the unit and live tests under AddressSanitizer
	@$(MAKE) --no-print-directory BUILD=build-asan SANITIZE="-fsanitize=address -fno-omit-frame-pointer" sanitized
ubsan: ## the same under UndefinedBehaviorSanitizer
	@$(MAKE) --no-print-directory BUILD=build-ubsan \
		SANITIZE="-fsanitize=undefined -fno-sanitize-recover=undefined" sanitized
tsan: ## the same under ThreadSanitizer
	@$(MAKE) --no-print-directory BUILD=build-tsan SANITIZE="-fsanitize=thread" sanitized

.PHONY: sanitized
sanitized: have-test-libs $(BUILD)/cprof units targets
	@BUILD=$(BUILD) CPROF=$(BUILD)/cprof tests/run unit live

.PHONY: lint fmt
lint: ## compiler warnings as errors, clang-tidy and cppcheck where they are
	@$(MAKE) --no-print-directory BUILD=build-lint CI=true $(SOURCES:%.c=build-lint/%.o)
	@if command -v clang-tidy >/dev/null; then \
		printf '%s\n' $(SOURCES) | xargs -P "$$(nproc)" -n 8 sh -c \
			'clang-tidy --quiet "$$@" -- $(CPPFLAGS) -std=c11 2>/dev/null' sh; \
	else echo "no clang-tidy here: left out"; fi
	@if command -v cppcheck >/dev/null; then \
		cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr --enable=warning,performance,portability \
			--suppressions-list=tools/cppcheck.txt -D_GNU_SOURCE -I. $(SOURCES); \
	else echo "no cppcheck here: left out"; fi
fmt: ## format the sources
	clang-format -i $(FORMATTED)

.PHONY: goldens man bench soak fuzz
goldens: units ## rewrite what the golden tests compare with; look at the difference after it
	@for t in $(UNITS); do CPROF_GOLDENS=write $$t >/dev/null || exit 1; done
man: all ## rewrite the parts of the man page that come from tables
	@tools/man.sh ./cprof man/cprof.1
$(BENCHES): $(BUILD)/tests/bench/%: tests/bench/%.c $(BUILD)/libcprof.a
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

bench: $(BENCHES)
bench soak fuzz: all targets
	@if [ -x tests/$@/run ]; then BUILD=$(BUILD) tests/$@/run; else echo "tests/$@/run: nothing there yet"; fi

.PHONY: install uninstall clean help
install: all ## into PREFIX (/usr/local), under DESTDIR
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)/man1
	install -m 755 $(BUILD)/cprof $(DESTDIR)$(BINDIR)/cprof
	install -m 644 man/cprof.1 $(DESTDIR)$(MANDIR)/man1/cprof.1
uninstall: ## remove what install put there
	rm -f $(DESTDIR)$(BINDIR)/cprof $(DESTDIR)$(MANDIR)/man1/cprof.1
clean: ## remove what was built
	rm -rf build build-* cprof
help: ## this list
	@sed -n 's/^\([a-z][a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F'\t' '{printf "  make %-10s %s\n", $$1, $$2}'

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
