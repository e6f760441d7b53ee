# Two commands on a fresh machine: `make demo` and `make test`. Each makes the virtual environment it needs.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test browser lint smoke docs package check-all break house bench clean

demo: $(VENV)/.installed
	$(BIN)/python -m glade demo

test: $(VENV)/.installed-test browser
	$(BIN)/python -m pytest -n 2 --dist worksteal --durations 20

# The browser tests use the Chromium of the system; where none can be installed they skip and say so.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && apt-get install -y -qq chromium >/dev/null; } || \
	  echo "no Chromium here, and it cannot be installed: the browser tests of the report will be skipped"

lint: $(VENV)/.installed-lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/basedpyright --pythonpath $(BIN)/python --level error
	$(BIN)/lint-imports

# Every estimator on every other Python that is found, and with the oldest declared dependencies. The environment of the
# suite is among them, so that the kernels are compiled once here and not by each worker of the suite.
smoke: $(VENV)/.installed-test
	$(PYTHON) -m tools.environments smoke --also $(abspath $(BIN))/python

# The site, in build/docs: a warning is an error. Examples of the gallery run, those that did not change only once.
docs: $(VENV)/.installed-docs
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs build/docs
	$(BIN)/python -m tools.links build/docs
	@echo "the site is in build/docs/index.html"

# What would be released: both archives, and what the package index would say of them.
package: $(VENV)/.installed-package
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m twine check --strict dist/*

# All there is, for an hour or so: the suite on every Python, long fuzzing, the site, the archives, the wheel alone.
check-all: lint smoke docs package
	GLADE_LONG=1 GLADE_FUZZ_SECONDS=600 $(MAKE) test
	$(PYTHON) -m tools.environments suite
	$(PYTHON) -m tools.wheel

# The campaign against the house, in two hours at most: signals, poor surroundings, damaged files, heavy loads, random tables.
break: $(VENV)/.installed-test
	GLADE_LONG=1 GLADE_FUZZ_SECONDS=600 $(BIN)/python -m pytest -n 0 --durations 20 \
	  tests/campaign/test_readers.py tests/saved/test_damaged.py
	GLADE_LONG=1 GLADE_FUZZ_SECONDS=300 $(BIN)/python -m pytest -n 0 --durations 20 \
	  --ignore tests/campaign/test_readers.py tests/campaign tests/fuzz tests/robustness

# How large the house is, how hard to read, and how far a fit walks through it, beside the same of an earlier commit.
house: $(VENV)/.installed
	$(BIN)/python -m tools.house --against docs/dev/house-before.json

bench: $(VENV)/.installed-test
	$(BIN)/python -m pip install --quiet -e ".[bench]"
	$(BIN)/python benchmarks/trees.py
	$(BIN)/python benchmarks/forests.py

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -e .
	touch $@

$(VENV)/.installed-test: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -e ".[test]"
	touch $@ $(VENV)/.installed

$(VENV)/.installed-lint: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -e ".[lint]"
	touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -e ".[docs]"
	touch $@ $(VENV)/.installed

$(VENV)/.installed-package: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -e ".[package]"
	touch $@ $(VENV)/.installed

clean:
	rm -rf docs/auto_gallery docs/reference/generated $(VENV) .environments build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
