# swexpr: `make help` lists the targets. On a new machine, `make demo` and `make test` are all it takes.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

SWIFT ?= swift
# The commit that `make bench-compare` compares with.
BASE ?= main
# Where `make conform` finds the conformance data, if there are any; see docs/conformance.md.
SHARED ?= $(or $(SWEXPR_SHARED),$(CURDIR)/../shared)

SOURCES := Package.swift Sources Tests benchmarks/Package.swift benchmarks/Sources benchmarks/Tests \
	benchmarks/apps/Package.swift benchmarks/apps/Sources \
	Examples/Package.swift Examples/Sources \
	fuzz/Package.swift fuzz/Sources openfeature/Package.swift openfeature/Sources openfeature/Tests mutation
# The same flags everywhere, so that nothing is built twice.
FLAGS := --explicit-target-dependency-import-check error
# SwiftPM passes the traits on in the order of a set, which differs from run to run unless hashing is deterministic. Another
# order is another command to it, so that it builds everything again. Tests run without it.
BUILD := SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build $(FLAGS)
# The engine of debug builds is optimised, so that its tests take minutes less than it takes to compile it so.
export SWEXPR_OPTIMIZE_TESTS := 1
# A build of its own, so that neither spoils the other.
WITHOUT_PCRE2 := --traits Store,Tool --scratch-path .build/without-pcre2
SAMPLE := corpus/campaigns/sample
space := $() $()
# The folders of the corpus that hold filters, and the conformance data; separated by colons.
WASM_SOURCES = $(subst $(space),:,$(strip $(wildcard $(addprefix $(CURDIR)/corpus/,superscript cel limits cookbook fuzz-finds sql) \
	$(SHARED)/conformance/*.jsonl)))

# Node 20 and 21 have WebSocket behind a switch.
NODE_FLAGS = $(shell node -e 'if (typeof WebSocket === "undefined") console.log("--experimental-websocket")' 2>/dev/null)
PROVE_TESTS := SWEXPR_CONFIGS=1000 SWEXPR_PAIRS=500 SWEXPR_SOLVER_CONFIGS=10000 SWEXPR_USERS=1000000

.PHONY: wheel test-python sqlite-extension test-sqlite test-openfeature availability torture store-growth help deps build release test test-thorough check interface lint unit corpus conform demo format reference docs examples \
	regex exhaustive prove-all test-without-pcre2 warehouse warehouse-all test-spark wasm check-wasm test-wasm npm test-npm playground test-playground \
	bench bench-compare bench-check size build-times workload completions manual install site check-site extension macros fuzz \
	verify mutation optimizations stack hostile memory sanitize coverage symbols reproducible clean

help: ## List the targets.
	@awk 'BEGIN { FS = ":.*## " } /^[a-z0-9-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## Install the system libraries that are missing (PCRE2, SQLite).
	@scripts/install-deps

warehouse: ## Install DuckDB for tests and for `swexpr size`, in warehouse/.venv.
	@scripts/install-warehouse

warehouse-all: build warehouse ## Compare 300 random filters over 10,000 random rows, for each of SEEDS (3).
	SWEXPR_SQL_FILTERS=300 SWEXPR_SQL_ROWS=10000 SWEXPR_SQL_SEEDS=$(or $(SEEDS),3) \
		$(SWIFT) test $(FLAGS) --skip-build --filter FilterSQLTests.RandomFilterTests

test-spark: build ## Compare the SQL for Spark with the engine; installs Spark, needs Java 17.
	scripts/install-warehouse --spark
	SWEXPR_TEST_SPARK=1 $(SWIFT) test $(FLAGS) --skip-build --filter 'FilterSQLTests.*[sS]park'

wheel: ## Make a Python wheel with the library inside, in .build/wheels.
	python3 -m venv .build/python
	.build/python/bin/pip install --quiet --disable-pip-version-check "setuptools>=77"
	rm -rf bindings/python/src/swexpr/*.so bindings/python/build
	.build/python/bin/pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
		--wheel-dir .build/wheels bindings/python
	@ls .build/wheels

test-python: wheel ## Test the wheel with pyarrow, pandas, polars and DuckDB; SPARK=1 with Spark, which needs Java 17.
	.build/python/bin/pip install --quiet --disable-pip-version-check pytest pyarrow pandas polars duckdb \
		$(if $(SPARK),pyspark)
	.build/python/bin/pip install --quiet --disable-pip-version-check --force-reinstall --no-deps .build/wheels/*.whl
	.build/python/bin/python -m pytest -q bindings/python/tests

sqlite-extension: deps ## Make the extension for SQLite, .build/sqlite/swexpr.so; Linux only.
	mkdir -p .build/sqlite
	scripts/link-library .build/sqlite/swexpr.so bindings/sqlite/exports.map bindings/sqlite/swexpr_sqlite.c

test-sqlite: wheel sqlite-extension ## Test the extension in the SQLite of Python and in the shell; the package for Python is the oracle.
	@# Not every Python was built with extensions of SQLite.
	.build/python/bin/python -c 'import sqlite3; sqlite3.Connection.enable_load_extension' 2>/dev/null || \
		.build/python/bin/pip install --quiet --disable-pip-version-check pysqlite3-binary
	.build/python/bin/pip install --quiet --disable-pip-version-check pytest
	.build/python/bin/pip install --quiet --disable-pip-version-check --force-reinstall --no-deps .build/wheels/*.whl
	.build/python/bin/python -m pytest -q bindings/sqlite

build: deps ## Build everything for debugging; undeclared imports are errors.
	$(BUILD) --build-tests

release: deps ## Build the tool with optimisation.
	$(BUILD) -c release --product swexpr

demo: deps ## Evaluate every audience of a sample campaign for its users.
	@# Not optimised: `make test` builds the same, and does not build it again.
	$(BUILD) --product demo
	@"$$($(SWIFT) build $(FLAGS) --show-bin-path)/demo" $(SAMPLE)/config.json $(SAMPLE)/contexts/*.json

test: deps lint build unit corpus interface symbols availability docs examples ## Run every check: layout, imports, warnings, unit tests, corpus, interface, documentation, examples.

check: deps lint build corpus interface ## Run the checks that take less than a minute after a build.
	$(SWIFT) test $(FLAGS) --skip-build --parallel --filter 'SyntaxTests|AudienceFiltersTests|CampaignMatcherTests'

lint: ## Check the layout of all Swift sources, every import against the declared arrows, and the prose.
	@scripts/check-prose --self-test
	@scripts/check-prose
	@scripts/check-lines
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)
	scripts/check-arrows

unit: build warehouse ## Run the unit tests; ENVIRONMENT=NAME in another time zone, language, home, folder or user.
	$(if $(filter command,$(origin ENVIRONMENT)),scripts/test-environment $(ENVIRONMENT),$(SWIFT) test $(FLAGS) --skip-build --parallel)

test-thorough: build warehouse ## Run the unit tests with EFFORT (10) times as much random work; takes long.
	SWEXPR_EFFORT=$(or $(EFFORT),10) $(SWIFT) test $(FLAGS) --skip-build --parallel

torture: build ## Kill, cut, flip and fill the files of stores, and print a table of the results.
	@small="$$(mktemp -d)"; table="$$(mktemp)"; \
	if mount -t tmpfs -o size=512k tmpfs "$$small" 2>/dev/null; then \
		disk="$$small"; else disk=; echo "no small disk: mounting one needs rights"; fi; \
	status=0; SWEXPR_TORTURE="$$table" $${disk:+env SWEXPR_SMALL_DISK=$$disk} \
		$(SWIFT) test $(FLAGS) --skip-build \
		--filter 'Torture|KillTests|ConcurrencyTests|DamagedStore|SeveralProcesses|BackupTests' || status=$$?; \
	if test -n "$$disk"; then umount "$$small"; fi; rmdir "$$small"; \
	printf '\n| harm | tried | nothing missing | reported | |\n|---|---:|---:|---:|---|\n'; \
	sort "$$table"; rm "$$table"; exit $$status

store-growth: build ## Simulate YEARS (5) of a user, and print how the file of the store grows and what it costs.
	SWEXPR_STORE_YEARS=$(or $(YEARS),5) $(SWIFT) test $(FLAGS) --skip-build --filter 'GrowthTests/overYears' | grep '^|'

exhaustive: build ## Evaluate all expressions of up to NODES (5) nodes over all kinds of values, on every path; takes minutes.
	SWEXPR_EXHAUSTIVE=$(or $(NODES),5) $(SWIFT) test $(FLAGS) --skip-build --parallel --filter ExhaustiveTests

prove-all: build ## Check the analysis of campaigns with many configs; against z3, too, if it is there.
	$(PROVE_TESTS) $(SWIFT) test $(FLAGS) --skip-build --filter CampaignAnalysisTests

corpus: build ## Run the golden corpus.
	"$$($(SWIFT) build $(FLAGS) --show-bin-path)/swexpr" conform --verbose corpus

conform: release ## Run the conformance data beside the repository, if there is any, and the corpus.
	@"$$($(SWIFT) build $(FLAGS) -c release --show-bin-path)/swexpr" conform --verbose $(wildcard $(SHARED)/conformance/*.jsonl) corpus

regex: build ## Hold the regular-expression engine against all it is tested with; takes minutes.
	SWEXPR_REGEX=full $(SWIFT) test $(FLAGS) --skip-build --filter LinearRegexTests

test-without-pcre2: ## Build without PCRE2, and run the tests of regular expressions and the golden corpus.
	$(BUILD) $(WITHOUT_PCRE2) --build-tests
	$(SWIFT) test $(FLAGS) $(WITHOUT_PCRE2) --skip-build --filter 'LinearRegexTests|Regex'
	"$$($(SWIFT) build $(FLAGS) $(WITHOUT_PCRE2) --show-bin-path)/swexpr" conform corpus

wasm: ## Build the engine as WebAssembly into .build/wasm, with its JavaScript module.
	wasm/build

check-wasm: ## Check that Embedded Swift, and so WebAssembly, takes the sources.
	wasm/build --check

test-wasm: build wasm ## Run the corpus, and the conformance data if there are any, through WebAssembly in Node.
	SWEXPR_WASM_CASES="$(CURDIR)/.build/wasm/cases.jsonl" SWEXPR_WASM_SOURCES="$(WASM_SOURCES)" \
		$(SWIFT) test $(FLAGS) --skip-build --filter WebAssemblyCaseTests
	node wasm/test.mjs .build/wasm/cases.jsonl
	node wasm/test.mjs .build/wasm/cases.jsonl evaluator.wasm

npm: wasm ## Pack the WebAssembly module for npm, with the interface of Superscript's package, into .build/npm.
	scripts/package-npm

test-npm: wasm ## Install that package into an app, and run its tests in Node.
	@if command -v npm >/dev/null; then \
		SWEXPR_NPM_CASES="$(CURDIR)/.build/wasm/cases.jsonl" scripts/package-npm --test; \
		else echo "skipped: there is no npm here, so the package is not installed"; fi

playground: wasm ## Assemble the playground, a static page over the engine, into .build/playground.
	scripts/playground

test-playground: playground ## Drive the playground in a headless Chromium, if there is one; SCREENSHOTS=FOLDER takes pictures.
	@if command -v node >/dev/null; then node $(NODE_FLAGS) playground/test.mjs; \
		else echo "skipped: there is no Node here, so the playground is not driven"; fi

format: ## Lay out all Swift sources.
	$(SWIFT) format --in-place --recursive --parallel $(SOURCES)

reference: build ## Write what is generated in docs/ and editors/: reference pages, a transcript, a grammar.
	tool="$$($(SWIFT) build $(FLAGS) --show-bin-path)/swexpr"; \
	"$$tool" doc --markdown > docs/language.md; "$$tool" funcs --markdown > docs/functions.md
	SWEXPR_BLESS=1 $(SWIFT) test $(FLAGS) --skip-build --filter GeneratedPageTests

interface: build ## Compare the public interface with docs/interface; BLESS=1 writes it.
	scripts/public-interface "$$($(SWIFT) build $(FLAGS) --show-bin-path)" $(if $(BLESS),--bless)

docs: build ## Build the documentation of the libraries; warnings are errors.
	scripts/build-docs "$$($(SWIFT) build $(FLAGS) --show-bin-path)"

test-openfeature: deps ## Test the OpenFeature server, also with the real client from PyPI.
	openfeature/check

macros: deps ## Test the macro #filter, which needs swift-syntax, in a build of its own.
	$(BUILD) --traits default,Macros --scratch-path .build/macros --build-tests
	$(SWIFT) test $(FLAGS) --traits default,Macros --scratch-path .build/macros --skip-build \
		--filter 'FilterMacroTests|MacroSnippets'

fuzz: deps ## Fuzz each target of fuzz/ for SECONDS (60), or one TARGET; Linux only.
	fuzz/run $(or $(SECONDS),60) $(TARGET)

verify: build ## Change programs MUTATIONS (1,000,000) times: each is refused, or stays within its bounds and ends.
	SWEXPR_MUTATIONS=$(or $(MUTATIONS),1000000) $(SWIFT) test $(FLAGS) --skip-build --filter ProgramMutationTests

mutation: deps ## Run the corpus on 2,500 engines with a mistake each, which it must notice; takes an hour. ONLY=REGEX runs some. MODULE=NAME runs 150 of another module, or of all.
	mutation/run $(if $(MODULE),--module $(MODULE)) $(if $(ONLY),--only '$(ONLY)')

optimizations: release ## Run the corpus with each optimization switched off, and with all.
	@tool="$$($(SWIFT) build $(FLAGS) -c release --show-bin-path)/swexpr"; status=0; \
	for pass in $$("$$tool" conform --passes) all; do \
		printf '%-12s ' "$$pass"; "$$tool" conform --without "$$pass" --verbose corpus | tail -n 1 || status=1; \
	done; exit $$status

stack: release ## Evaluate, check and explain the deepest filters with small stacks, and print how small.
	scripts/check-stack "$$($(SWIFT) build $(FLAGS) -c release --show-bin-path)/swexpr"

hostile: release ## Run inputs that are meant to take long, within 50 ms; and count how fast the work of every command grows.
	scripts/hostile "$$($(SWIFT) build $(FLAGS) -c release --show-bin-path)/swexpr"
	scripts/growth "$$($(SWIFT) build $(FLAGS) -c release --show-bin-path)/swexpr"

memory: build ## Evaluate EVALUATIONS (10,000,000) times, after which as much must be allocated as before.
	SWEXPR_EVALUATIONS=$(or $(EVALUATIONS),10000000) $(SWIFT) test $(FLAGS) --skip-build --filter MemoryTests

sanitize: deps warehouse ## Run the tests with the sanitizers for addresses, threads and undefined behaviour; SANITIZERS=thread runs one.
	@for name in $(or $(SANITIZERS),address thread undefined); do scripts/sanitize $$name; done

coverage: deps warehouse ## Run the unit tests in a build that counts, and print the line coverage of each module.
	scripts/coverage

availability: build ## Check that the sources use nothing newer than the deployment targets of Apple's platforms.
	scripts/availability

symbols: build ## Check that the object code of the libraries calls nothing of a network.
	scripts/check-symbols "$$($(SWIFT) build $(FLAGS) --show-bin-path)"

reproducible: deps ## Build the tool twice from clean copies of the commit, which must be the same program bit by bit.
	scripts/check-reproducible

extension: ## Pack the extension for VS Code as .build/swexpr.vsix.
	scripts/package-extension

site: ## Build all documents as one static site, into .build/site; `make docs` and `make playground` first add to it.
	@scripts/install-site
	scripts/site

check-site: site ## Look at every page of the site in a headless Chromium, if there is one, 375 and 1280 pixels wide.
	scripts/check-site

examples: deps ## Build the programs in Examples and try them.
	Examples/check

bench: deps ## Measure everything; see benchmarks/README.md.
	benchmarks/run

bench-compare: deps ## Measure the working tree against a commit: make bench-compare BASE=main.
	benchmarks/compare $(BASE)

bench-check: deps ## Compare instruction counts with the recorded ones.
	benchmarks/instructions/check

size: ## Compare what each product adds to an app with the recorded sizes; Linux only.
	benchmarks/size

build-times: deps ## Build the tool from nothing, and print what the time goes into; takes minutes.
	scripts/build-times

workload: deps ## Measure many filters over new contexts, and large sets; see benchmarks/README.md.
	benchmarks/workload

completions: release ## Write shell completions into .build/completions.
	mkdir -p .build/completions
	tool="$$($(SWIFT) build $(FLAGS) -c release --show-bin-path)/swexpr"; \
	"$$tool" --generate-completion-script bash > .build/completions/swexpr.bash; \
	"$$tool" --generate-completion-script zsh > .build/completions/_swexpr; \
	"$$tool" --generate-completion-script fish > .build/completions/swexpr.fish

manual: release ## Write the man pages into .build/manual.
	mkdir -p .build/manual
	$(SWIFT) package --allow-writing-to-package-directory generate-manual --multi-page \
		--output-directory .build/manual

install: release ## Install the tool into PREFIX/bin (default /usr/local).
	install -d "$(or $(PREFIX),/usr/local)/bin"
	install "$$($(SWIFT) build $(FLAGS) -c release --show-bin-path)/swexpr" "$(or $(PREFIX),/usr/local)/bin/swexpr"

clean: ## Remove everything that was built.
	rm -rf .build Examples/.build benchmarks/.build* benchmarks/apps/.build fuzz/.build openfeature/.build
