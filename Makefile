# Everything runs with the tools on the PATH: activate the environment in which `pip install -e ".[test,lint,docs]"` was run.

PYTHON ?= python
SAMPLE_OUTPUT ?= generated
BENCH_VENV ?= .bench-venv

.DEFAULT_GOAL := help

.PHONY: help
help: ## show this text
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: test
test: ## run the tests, one process per core
	$(PYTHON) -m pytest -n auto

.PHONY: lint
lint: ## look for mistakes and for lines that are not formatted
	ruff check
	ruff format --check

.PHONY: types
types: ## check the types
	mypy

.PHONY: contracts
contracts: ## check which part imports which
	lint-imports

.PHONY: wheel
wheel: ## build the wheel, install it elsewhere and use it there
	VALIDATION_GEN_WHEEL_TEST=required $(PYTHON) -m pytest tests/packaging

.PHONY: check
check: lint types contracts test site wheel ## everything that must pass before a change is merged

.PHONY: docs
docs: ## write what the catalogue says: pages in docs/, classes in validation_gen/tags
	$(PYTHON) -m validation_gen.explain
	$(PYTHON) -m validation_gen config schema --no-config > docs/validation-gen.schema.json
	$(PYTHON) -m validation_gen config schema --no-config --format markdown > docs/configuration-keys.md

.PHONY: site
site: ## build the documentation as a site into site/ (needs the extra `docs`)
	NO_MKDOCS_2_WARNING=1 $(PYTHON) -m mkdocs build --strict

.PHONY: sample
sample: ## generate validators for the sample API into generated/
	validation-gen testdata/apis --output-dir $(SAMPLE_OUTPUT)

# The rivals have an environment of their own, which is made again when their versions change.
$(BENCH_VENV)/ready: benchmarks/requirements.txt pyproject.toml
	$(PYTHON) -m venv $(BENCH_VENV)
	$(BENCH_VENV)/bin/python -m pip install --quiet --requirement benchmarks/requirements.txt --editable .
	touch $@

.PHONY: bench
bench: $(BENCH_VENV)/ready ## measure our validators beside those of others, and write docs/performance.md
	$(BENCH_VENV)/bin/python -m benchmarks run

.PHONY: bench-check
bench-check: $(BENCH_VENV)/ready ## measure shortly, and fail if we have fallen back behind the others
	$(BENCH_VENV)/bin/python -m benchmarks check

.PHONY: clean
clean: ## remove what the other targets leave behind
	rm -rf build dist generated site $(BENCH_VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find validation_gen tests -type d -name __pycache__ -prune -exec rm -rf {} +
