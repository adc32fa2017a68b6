# Everything a developer types often. `make help` lists it.

CARGO ?= cargo
PYTHON ?= python3
DATA ?= ../shared/data
INSTANCES ?= ../shared/instances
PEERS := target/peers
VENV := target/python-venv
STUDY := target/experiments-venv
SMOKE := target/experiments-quick
TOOLS := $(CURDIR)/target/tools
PACKAGES := -p lire-model -p lire -p lire-cli
WASM := wasm32-unknown-unknown
FUZZ_TARGETS := csv gzip parquet rule model
SECONDS ?= 60

.DEFAULT_GOAL := help

.PHONY: help
help: ## Say what there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  %-18s %s\n", $$1, $$2 }'

.PHONY: example
example: ## Fit the shipped example and explain a patient
	$(CARGO) run --release -- fit examples/heart.csv --target disease

.PHONY: test
test: ## Run the tests that need only Rust, Python and their registries
	$(CARGO) test --workspace --locked
	$(MAKE) test-python

.PHONY: test-all
test-all: test ## Run all tests: also features, WebAssembly, packages, licences, the study and fuzzing
	$(MAKE) test-features test-wasm test-packages test-licences test-study
	$(MAKE) fuzz SECONDS=20

# All other tests are of builds with all features. The feature gzip brings csv along.
.PHONY: test-features
test-features: ## Build each combination of features, and test what it reads
	for readers in "" csv gzip parquet "csv parquet" "gzip parquet"; do \
		echo "readers: $$readers"; \
		$(CARGO) test -q -p lire --locked --no-default-features --features "$$readers" --test reading || exit 1; \
		$(CARGO) check -q -p lire --locked --no-default-features --features "$$readers schema" || exit 1; \
	done
	for schema in "" schema; do \
		$(CARGO) check -q -p lire-model --locked --all-targets --features "$$schema" || exit 1; \
	done
	$(CARGO) check -q -p lire-cli --locked
	$(CARGO) check -q -p lire-python --locked

# The target comes from where rustup gets its toolchains, which not every machine can reach.
.PHONY: test-wasm
test-wasm: ## Check that lire-model builds for WebAssembly
	@if rustup target add $(WASM) 2>/dev/null || [ -d "$$(rustc --print target-libdir --target $(WASM))" ]; then \
		set -x; $(CARGO) check -p lire-model --locked --target $(WASM); \
	else \
		echo "NOT CHECKED: the target $(WASM) cannot be installed here" >&2; \
	fi

.PHONY: test-packages
test-packages: ## Build the crates as they would be published
	$(CARGO) package $(PACKAGES) --locked --allow-dirty

.PHONY: test-licences
test-licences: $(TOOLS)/bin/cargo-deny ## Check licences and sources of all dependencies
	$(TOOLS)/bin/cargo-deny check licenses bans sources

.PHONY: test-study
test-study: ## Run the study on small samples and test what it writes
	$(MAKE) experiments QUICK=1

.PHONY: test-python
test-python: python ## Test the Python package, beside the command
	$(CARGO) test --workspace --locked --no-run -q
	$(VENV)/bin/python -m pytest python

.PHONY: python
python: $(VENV)/installed ## Build the Python package into target/python-venv
	PATH="$(abspath $(VENV))/bin:$$PATH" MATURIN_PEP517_ARGS="--profile dev --locked" \
		$(VENV)/bin/pip install -q --no-build-isolation --no-deps ./python

.PHONY: lint
lint: ## Check formatting, lints and documentation
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked
	$(MAKE) lint-python

.PHONY: lint-python
lint-python: python ## Check formatting, lints and types of the Python package
	$(VENV)/bin/ruff format --check python experiments
	$(VENV)/bin/ruff check python experiments
	$(VENV)/bin/mypy --config-file python/pyproject.toml python/src/lire
	MYPYPATH=experiments $(VENV)/bin/mypy --config-file python/pyproject.toml experiments/run.py experiments/study
	$(VENV)/bin/python -m mypy.stubtest lire._native

# A smoke run uses the package that the tests use; results come from an optimised one.
.PHONY: experiments
ifdef QUICK
experiments: python
	rm -rf $(SMOKE)
	$(VENV)/bin/python experiments/run.py --quick --out $(SMOKE) --only candidates,tradeoff,demonstration,comparison,beyond,scale
	SMOKE=$(abspath $(SMOKE)) $(VENV)/bin/python -m pytest -c python/pyproject.toml experiments/tests
else
experiments: study ## The paper's study and ours, into docs/results.md (DATA=folder; QUICK=1: a smoke run)
	$(STUDY)/bin/python experiments/run.py --data $(DATA) --out docs
endif

.PHONY: experiments-scale
experiments-scale: study ## Time and memory up to ten million rows, into docs/results.md (DATA=folder)
	$(STUDY)/bin/python experiments/run.py --data $(DATA) --out docs --only scale

.PHONY: study
study: $(STUDY)/installed
	$(STUDY)/bin/pip install -q ./python

# Without a sanitizer it needs no nightly compiler. libFuzzer itself is C++.
.PHONY: fuzz
fuzz: $(TOOLS)/bin/cargo-fuzz ## Fuzz all readers, the rule parser and the model file, SECONDS each
	@command -v c++ >/dev/null || { echo "fuzzing needs a C++ compiler: install g++ or clang" >&2; exit 1; }
	mkdir -p $(FUZZ_TARGETS:%=fuzz/corpus/%)
	PATH="$(TOOLS)/bin:$$PATH" $(CARGO) fuzz build -s none
	for target in $(FUZZ_TARGETS); do \
		seeds=fuzz/seeds/$$target; [ $$target = model ] && seeds=crates/lire/tests/suite/models; \
		PATH="$(TOOLS)/bin:$$PATH" $(CARGO) fuzz run -s none $$target fuzz/corpus/$$target $$seeds -- \
			-max_total_time=$(SECONDS) -timeout=20 -rss_limit_mb=3000 -max_len=8192 -print_final_stats=1 || exit 1; \
	done

.PHONY: install
install: ## Install the lire command
	$(CARGO) install --locked --path crates/lire-cli

.PHONY: schema
schema: ## Write the JSON Schemas of the model file and of the reports anew
	LIRE_WRITE_SCHEMA=1 $(CARGO) test -p lire --locked schema

.PHONY: bench-instances
bench-instances: ## Solve the table of instances beside the reference (INSTANCES=folder)
	$(CARGO) run --release -q -p lire-bench -- instances $(INSTANCES) --paper

.PHONY: bench-kernels
bench-kernels: ## Time the hot kernels
	$(CARGO) bench -p lire-bench

.PHONY: bench-peers
bench-peers: $(PEERS)/bin/python ## Time a whole fit on Adult beside LightGBM, scikit-learn and imodels (DATA=folder)
	$(CARGO) run --release -q -p lire-bench -- fit $(DATA)/adult.csv --target Income --positive "<=50K"

.PHONY: bench-rulefit
bench-rulefit: $(PEERS)/bin/python ## Time the path of RuleFit's weights on Adult beside liblinear and skglm (INSTANCES=folder)
	$(CARGO) run --release -q -p lire-bench -- rulefit $(INSTANCES)/adult.lri

.PHONY: bench-forest
bench-forest: $(PEERS)/bin/python ## AUC and R² of our forests beside scikit-learn's on Adult (DATA=folder)
	$(CARGO) run --release -q -p lire-bench -- forest $(DATA)/adult.csv --target Income --positive "<=50K" --number Age

.PHONY: bench-predict
bench-predict: ## Rows a second that one core scores on Adult (DATA=folder)
	$(CARGO) run --release -q -p lire-bench -- predict $(DATA)/adult.csv --target Income --positive "<=50K"

.PHONY: bench-python
bench-python: $(PEERS)/bin/python ## Time the Python package beside the library, LightGBM, interpret and imodels (DATA=folder)
	$(PEERS)/bin/pip install -q ./python
	$(CARGO) run --release -q -p lire-bench -- python $(DATA)/adult.csv --target Income --positive "<=50K"

.PHONY: bench-sparse
bench-sparse: $(PEERS)/bin/python ## Time and memory of fits on a sparse matrix of 10,000 × 50,000
	$(PEERS)/bin/pip install -q ./python
	$(CARGO) run --release -q -p lire-bench -- sparse

.PHONY: bench-scale
bench-scale: ## Time and memory over Adult repeated 1, 10 and 100 times (DATA=folder)
	$(CARGO) build --release -q
	$(CARGO) run --release -q -p lire-bench -- scale $(DATA)/adult.csv --target Income

.PHONY: bench-shapes
bench-shapes: ## Time fits of generated tables of many shapes
	$(CARGO) build --release -q
	$(CARGO) run --release -q -p lire-bench -- shapes

$(PEERS)/bin/python: crates/lire-bench/peers/requirements.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/pip install -q -r $<
	touch $@

$(STUDY)/installed: experiments/requirements.txt
	$(PYTHON) -m venv $(STUDY)
	$(STUDY)/bin/pip install -q -r $<
	touch $@

# The tests' profile: it shares the compiled dependencies with the tests in Rust. `pip install ./python` optimises.
$(VENV)/installed: python/requirements-dev.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install -q -r $<
	touch $@

# Tools for checks, built without optimisation: they run for seconds.
$(TOOLS)/bin/cargo-deny:
	$(CARGO) install --debug --locked --root $(TOOLS) cargo-deny@0.20.2

$(TOOLS)/bin/cargo-fuzz:
	$(CARGO) install --debug --locked --root $(TOOLS) cargo-fuzz@0.13.2
