# swexpr: `make help` lists the targets. On a new machine, `make demo` and `make test` are all it takes.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

SWIFT ?= swift
# The commit that `make bench-compare` compares with.
BASE ?= main
# Where `make conform` finds the conformance data, if there is any.
SHARED ?= $(or $(SWEXPR_SHARED),$(CURDIR)/../shared)

SOURCES := Package.swift Sources Tests benchmarks/Package.swift benchmarks/Sources benchmarks/Tests \
	Examples/Package.swift Examples/Sources
# The same flags everywhere, so that nothing is built twice.
FLAGS := --explicit-target-dependency-import-check error
SAMPLE := corpus/campaigns/sample

.PHONY: help deps build release test lint unit corpus conform warehouse test-spark demo format reference docs examples \
	bench bench-compare bench-check workload completions manual install clean

help: ## List the targets.
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## Install the system libraries that are missing (PCRE2, libedit, SQLite).
	@scripts/install-deps

warehouse: ## Install DuckDB for tests and for `swexpr size`, in warehouse/.venv.
	@scripts/install-warehouse

test-spark: build ## Compare the SQL for Spark with the engine; installs Spark, needs Java 17.
	scripts/install-warehouse --spark
	SWEXPR_TEST_SPARK=1 $(SWIFT) test $(FLAGS) --skip-build --filter FilterSQLTests

build: deps ## Build everything for debugging; undeclared imports are errors.
	$(SWIFT) build $(FLAGS) --build-tests

release: deps ## Build the tool with optimisation.
	$(SWIFT) build $(FLAGS) -c release --product swexpr

demo: release ## Evaluate every audience of a sample campaign for its users.
	@"$$($(SWIFT) build $(FLAGS) -c release --show-bin-path)/swexpr" audiences \
		--config $(SAMPLE)/config.json --context $(SAMPLE)/contexts/*.json

test: deps lint build unit corpus docs examples ## Run every check: layout, imports, warnings, unit tests, corpus, documentation, examples.

lint: ## Check the layout of all Swift sources.
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)

unit: build warehouse ## Run the unit tests.
	$(SWIFT) test $(FLAGS) --skip-build --parallel

corpus: build ## Run the golden corpus.
	"$$($(SWIFT) build $(FLAGS) --show-bin-path)/swexpr" conform --verbose corpus

conform: release ## Run the conformance data beside the repository, if there is any, and the corpus.
	@"$$($(SWIFT) build $(FLAGS) -c release --show-bin-path)/swexpr" conform --verbose $(wildcard $(SHARED)/conformance/*.jsonl) corpus

format: ## Lay out all Swift sources.
	$(SWIFT) format --in-place --recursive --parallel $(SOURCES)

reference: build ## Write docs/language.md and docs/functions.md from the tables of the engine.
	tool="$$($(SWIFT) build $(FLAGS) --show-bin-path)/swexpr"; \
	"$$tool" doc --markdown > docs/language.md; "$$tool" funcs --markdown > docs/functions.md

docs: build ## Build the documentation of the libraries; warnings are errors.
	scripts/build-docs "$$($(SWIFT) build $(FLAGS) --show-bin-path)"

examples: deps ## Build the programs in Examples and try them.
	Examples/check

bench: deps ## Measure everything; see benchmarks/README.md.
	benchmarks/run

bench-compare: deps ## Measure the working tree against a commit: make bench-compare BASE=main.
	benchmarks/compare $(BASE)

bench-check: deps ## Compare instruction counts with the recorded ones.
	benchmarks/instructions/check

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
	rm -rf .build Examples/.build benchmarks/.build*
