# The only front door. `make help` lists what there is.

SHELL := /bin/bash
export MOONSHELF_STRICT := 1

BUILD_PACKAGES := gcc libc6-dev pkg-config liblua5.4-dev libpq-dev libsqlite3-dev tzdata
# WeasyPrint makes the PDFs of reports. The last line: what generated pages, completions and Lua files are held against.
TEST_PACKAGES := openssl postgresql-15 weasyprint \
	fish groff-base lua-check mandoc python3-croniter zsh
CHECK_PACKAGES := lua-check

# Suites that measure processor time, count syncs or wait for limits of time; they run after the others, which would take the processors away.
MEASURED := Hostile|APIChargeTests|LimitTests|CopyTests|SharedFlushTests|ServedReportTests|SlowClientTests

# Passwords.
BUILD_PACKAGES += libargon2-dev

# Proofs: the header to build, the library when a proof is asked for.
BUILD_PACKAGES += libz3-dev

# MARC records: libyaz to build, and when the first one is met; its own command to test.
BUILD_PACKAGES += libyaz-dev libxml2-dev
TEST_PACKAGES += yaz

# Spreadsheets and HTML: libzip and libxml2 to build, and when the first one is met.
BUILD_PACKAGES += libzip-dev

# Pictures that people upload: libgd to build, and in the processes that read them.
BUILD_PACKAGES += libgd-dev

# Mail and posts: libcurl to build, servers of Python's to test.
BUILD_PACKAGES += libcurl4-openssl-dev
TEST_PACKAGES += python3 python3-aiosmtpd

# What a cold start of the command is held against.
TEST_PACKAGES += lua5.4

# A browser for the pages.
TEST_PACKAGES += chromium chromium-driver python3-selenium

# Says whether systemd takes the units of the schedule.
TEST_PACKAGES += systemd

# What speeds are held against, beside SQLite and PostgreSQL.
BENCH_PACKAGES := redis-server

# What `make torture` takes.
SECONDS := 60
PROCESSES := 16
DRIVER := sqlite,postgres

# Where `make install` puts things; packagers set DESTDIR as well.
PREFIX ?= /usr/local
DESTDIR ?=

SWIFT := $(shell command -v swift 2>/dev/null || echo /opt/swift/usr/bin/swift)

.DEFAULT_GOAL := help
.PHONY: help demo build install test test-asan guard-trial check bench company growth conformance torture agreement docs format packages test-packages bench-packages check-packages clean

help: ## Lists the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

packages:
	@tools/install-packages $(BUILD_PACKAGES)

# The server's programs alone: tests run one of their own, and need no cluster of the system's.
test-packages: packages
	@tools/install-packages $(TEST_PACKAGES)

check-packages: packages
	@tools/install-packages $(CHECK_PACKAGES)

build: packages ## Builds the release binary, .build/release/moonshelf
	$(SWIFT) build -c release --product moonshelf

install: ## Installs what `make build` built: PREFIX=/usr/local, DESTDIR=
	@test -x .build/release/moonshelf || { echo "Run 'make build' first." >&2; exit 1; }
	tools/install .build/release/moonshelf "$(DESTDIR)$(PREFIX)"

demo: build ## Builds, then lends a library's books under a policy and swaps it
	@tools/demo .build/release/moonshelf

test: test-packages ## Builds and runs all tests; ONLY=Desk runs those of one target
	$(if $(ONLY),,tools/guard-trial quick)
	$(SWIFT) build --build-tests
	@SWIFT='$(SWIFT)' MEASURED='$(MEASURED)' tools/run-tests $(ONLY)

test-asan: packages ## Runs the tests of the Lua embedding under the address sanitizer
	LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/leaks.supp \
		$(SWIFT) test --sanitize=address --scratch-path .build/asan --disable-xctest --filter 'LuaRuntimeTests|ScriptingTests'

guard-trial: packages ## Tries the C around Lua for minutes: failing memory, odd programs; SEED=n, LUA_SOURCES=folder, MOONSHELF_LUA_TESTS=folder
	tools/guard-trial long $(or $(SEED),1)

conformance: packages ## Puts other systems' facts to the desk; CASES=FILE, SHOW='--show ID' or --json picks
	@$(SWIFT) build --product conformance >&2
	@.build/debug/conformance $(CASES) $(SHOW)

check: check-packages ## Formatting, Lua files, files that one change touches, warnings, documentation that could drift
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Benchmarks Conformance Torture
	luacheck --quiet policies scripts plugins
	tools/count
	$(SWIFT) build --build-tests
	tools/check-docs .build/debug/moonshelf

docs: packages ## Writes the generated documentation
	$(SWIFT) build
	tools/write-docs .build/debug/moonshelf

bench-packages: test-packages
	@tools/install-packages $(BENCH_PACKAGES)

bench: bench-packages ## Prints speeds with their floors, measured in one run; BENCH='--only checkout --json' picks
	$(SWIFT) build -c release --product moonshelf
	$(SWIFT) run -c release benchmarks $(BENCH)

company: test-packages ## Measures checkouts alone and while others are at work; COMPANY='--decade 5 --stores sqlite --only sweep' picks
	$(SWIFT) build -c release --product moonshelf
	$(SWIFT) run -c release benchmarks company $(COMPANY)

growth: packages ## Counts what functions, routes, pages and reports take in libraries of 10^3 to 10^5 titles; GROWTH='--store postgres --decades 4,5,6 --only stats' picks
	$(SWIFT) run -c release benchmarks growth $(GROWTH)

torture: test-packages ## Kills processes, connections and servers under load; SECONDS=60 PROCESSES=16 DRIVER=sqlite,postgres SEED=n TORTURE='--plugin-kills 200'
	$(SWIFT) build -c release --product moonshelf
	$(SWIFT) run -c release torture --seconds $(SECONDS) --processes $(PROCESSES) --driver $(DRIVER) \
		$(if $(SEED),--seed $(SEED)) $(TORTURE)

agreement: packages ## Holds proofs against the desk in policies written at random; COUNT=1000000 SEED=1, AGREEMENT='--cases 250 --show' picks
	@$(SWIFT) build -c release --product agreement >&2
	@.build/release/agreement --count $(or $(COUNT),1000000) --seed $(or $(SEED),1) $(AGREEMENT)

format: ## Formats the Swift sources
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests Benchmarks Conformance Torture

clean: ## Removes what was built
	rm -rf .build
