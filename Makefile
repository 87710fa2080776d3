# Two commands do everything on a machine with Python 3.11+ and make: `make run` and `make test`.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

SAMPLE       ?= 01006.jpg
SAMPLE_CARDS ?= touch:BK,exactly:2O,apart:OB,notbelow:K,more:OK,notabove:O

PYTEST   := $(BIN)/python -m pytest
PARALLEL ?= --numprocesses=auto --dist=worksteal

.PHONY: run sample test test-all campaigns lint format bench bench-rules bench-calibration pictures clean
.DELETE_ON_ERROR:

run: $(VENV)/run.stamp  ## run the service and its page; ARGS="--https" for the live camera on tablets
	@$(BIN)/python -m api.cli serve $(ARGS)

sample: $(VENV)/run.stamp  ## play a sample round and read a sample photo on the command line
	@$(BIN)/python -m api.cli sample
	@$(BIN)/python -m api.cli score sample_images/$(SAMPLE) --cards $(SAMPLE_CARDS)

test: lint  ## lint, types, and every test that takes no special packages
	$(PYTEST) -m "not slow" $(PARALLEL) --cov=rules --cov-report=term --cov-fail-under=95

test-all: $(VENV)/dev.stamp  ## the slow ones: exhaustive searches, databases, browsers, small campaigns
	$(PYTEST) -m "slow and not alone" $(PARALLEL)
	$(PYTEST) -m "slow and alone"

campaigns: $(VENV)/dev.stamp  ## campaigns at full size: hours rather than minutes
	TRAYSCORE_CAMPAIGN=full $(PYTEST) -m campaign

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/dev.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/dev.stamp  ## the reader: exactness, confidence, time, memory (a few minutes)
	@$(BIN)/python -m lab.dimension.bench $(BENCH)

bench-rules: $(VENV)/run.stamp  ## the rules engine's timings: solver, judge, cold start
	@$(BIN)/python -m lab.dimension.bench.rules_engine

bench-calibration: $(VENV)/dev.stamp  ## views, start photos and refusals against their truth
	@$(BIN)/python -m lab.dimension.bench.calibrating

pictures: $(VENV)/dev.stamp  ## the README's pictures; needs Debian's chromium
	$(BIN)/python -m lab.pictures

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage bench dist

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Trayscore needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/run.stamp: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/dev.stamp: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/run.stamp
