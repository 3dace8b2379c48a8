# Everything runs with the tools on the PATH: activate the environment in which `pip install -e ".[test,lint,docs]"` was run.

PYTHON ?= python
SAMPLE_OUTPUT ?= generated
BENCH_VENV ?= .bench-venv
RELEASE_VENV ?= .release-venv
# What a package has been out for before we take it: most that are taken over are found out within days.
LOCK_AGE ?= 7 days

.DEFAULT_GOAL := help

.PHONY: help
help: ## show this text
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: test
test: ## run the tests, or those of one room: `make test ROOM=rules`
	$(PYTHON) -m pytest $(if $(ROOM),tests/$(ROOM))

.PHONY: thorough
thorough: ## run the tests, with the dearest ones, and all that they can draw at random instead of a quarter
	VALIDATION_GEN_THOROUGH=1 $(PYTHON) -m pytest

.PHONY: check-native
check-native: ## build the accept path with sanitizers of addresses and of what C leaves open, and run its tests
	.ci/check-native $(PYTHON)

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
	VALIDATION_GEN_WHEEL_TEST=required $(PYTHON) -m pytest tests/packaging/test_*.py

.PHONY: wheels
wheels: ## build wheels for others into dist/: with native code (needs cibuildwheel and what that needs), and the pure one
	$(PYTHON) -m cibuildwheel --output-dir dist
	VALIDATION_GEN_BUILD=pure $(PYTHON) -m hatchling build --directory dist

.PHONY: check
check: lint types contracts test site wheel ## everything that must pass before a change is merged

.PHONY: docs
docs: ## write the generated files: classes in validation_gen/tags, schemas and a table in docs/
	$(PYTHON) .ci/generated_files.py
	$(PYTHON) -m validation_gen config schema --no-config > docs/validation-gen.schema.json
	$(PYTHON) -m validation_gen cel schema > docs/celtest.schema.json

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

# The tools that look after dependencies have an environment of their own, too: nothing else needs them.
$(RELEASE_VENV)/ready: requirements/release.txt
	$(PYTHON) -m venv $(RELEASE_VENV)
	$(RELEASE_VENV)/bin/python -m pip install --quiet --require-hashes --requirement requirements/release.txt
	touch $@

# One file for all Pythons and platforms that we support. Later files hold to the versions of earlier ones.
LOCK = $(RELEASE_VENV)/bin/uv pip compile --quiet --no-config --universal --python-version 3.10 --generate-hashes --upgrade \
	--exclude-newer "$(LOCK_AGE)" --custom-compile-command "make lock"

.PHONY: lock
lock: $(RELEASE_VENV)/ready ## take the newest dependencies into requirements/, and write the bill of materials
	$(LOCK) pyproject.toml --output-file requirements/run.txt
	$(LOCK) pyproject.toml --all-extras --constraints requirements/run.txt --output-file requirements/dev.txt
	$(LOCK) requirements/build.in --constraints requirements/dev.txt --output-file requirements/build.txt
	$(LOCK) requirements/release.in --output-file requirements/release.txt
	$(MAKE) sbom

.PHONY: sbom
sbom: ## write the bill of materials that the wheel carries: run-time dependencies with versions and licences
	$(PYTHON) .ci/sbom.py

.PHONY: audit
audit: $(RELEASE_VENV)/ready ## ask the advisory service of the package index about what is locked (needs a network)
	for lock in run dev build release; do \
		$(RELEASE_VENV)/bin/pip-audit --strict --disable-pip --require-hashes --requirement requirements/$$lock.txt || exit 1; \
	done

.PHONY: mutants
mutants: ## draw small mistakes of the program, with SEED=1, and tell which the tests do not find (an hour)
	$(PYTHON) -m tests.mutants --seed $(or $(SEED),1)

.PHONY: attack
attack: ## attack the command line for an hour, with SEED=1, and print the table of docs/security.md
	$(PYTHON) -m tests.attack --seed $(or $(SEED),1)

.PHONY: clean
clean: ## remove what the other targets leave behind
	rm -rf build dist generated site $(BENCH_VENV) $(RELEASE_VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find validation_gen tests -type d -name __pycache__ -prune -exec rm -rf {} +
