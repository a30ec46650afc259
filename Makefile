# Two commands do everything: `make demo` and `make test`. They need Python >= 3.11, git and make.

# The newest suitable Python on this machine, unless PYTHON names one. A version manager's placeholder
# for a Python that is not there answers nothing, so each one is asked.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
# Some tests wait for a socket or a process, so one more runs than there are cores; each takes seconds to begin.
WORKERS = $$($(BIN)/python -c 'import os; print(1 + (os.cpu_count() or 1))')
# To compile the tests, with their assertions taken apart, takes each worker longer than to run a tenth of them: what
# comes of it is kept, but not between the sources.
KEPT = PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$(CURDIR)/$(VENV)/pycache
PYTEST = $(KEPT) $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
# A campaign takes up to three minutes on two cores of its own.
LONGER = --timeout 1200 -o faulthandler_timeout=1500

.DEFAULT_GOAL := help
.PHONY: help demo test slow check picture bench trace format lock clean

help:            ## what can be asked for here
	@grep -hE '^[a-z]+: .*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 12

$(READY): requirements-dev.txt pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer with its venv module is needed (Debian, Ubuntu: apt install python3 python3-venv), or name one: make PYTHON=/path/to/python3" >&2; exit 1; }
	@command -v git >/dev/null || { echo "git is needed (Debian, Ubuntu: apt install git)" >&2; exit 1; }
	@echo "Setting up $(VENV) with $(PYTHON) ..." >&2
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(READY)

demo: $(READY)   ## talk to the bot in the browser, about a sample team or REPO=...
	@$(BIN)/almanac demo $(ARGS) $(REPO)

test: $(READY)   ## run every test
	@$(PYTEST) $(ARGS)

slow: $(READY)   ## the long campaigns that the other tests leave out
	@$(PYTEST) $(LONGER) -m slow $(ARGS)
	@EXAMPLES=75 $(PYTEST) $(LONGER) -m property $(ARGS)

check: $(READY)  ## look at style and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

picture: $(READY) ## renew the pictures of docs from the sample (needs Chromium)
	@$(BIN)/python tests/picture.py docs

bench: $(READY)  ## measure how fast it is; see docs/scale.md
	@$(BIN)/python -m benchmarks.run $(HISTORIES) $(ARGS)

trace: $(READY)  ## count the functions and transactions of one question and one digest
	@$(BIN)/python -m benchmarks.trace $(ARGS)

format: $(READY) ## put the code into the house's form
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

lock:            ## renew the three hashed requirements files (needs uv)
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate --no-header pyproject.toml -o requirements.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate --no-header --group dev --extra model --extra postgres --extra mcp -c requirements.txt pyproject.toml -o requirements-dev.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate --no-header --group image --extra model --extra postgres --extra mcp -c requirements-dev.txt pyproject.toml -o requirements-container.txt

clean:           ## remove what the other commands made
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis dist
