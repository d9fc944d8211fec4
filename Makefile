# On a fresh machine: `make generate`, then `make test`. `make` alone lists everything.
#
# All work is done in a virtual environment of its own, .venv, which every target makes or brings up to date when
# it has to (tools/venv.sh). It is made with $(PYTHON). The other interpreters have theirs in .venv/X.Y.

PYTHON ?= python3
# How many tests run at once, and what else to tell pytest: make test-main PYTEST_FLAGS="-k overlay -x"
JOBS ?= auto
PYTEST_FLAGS ?=
# How long the fuzzers run, and what else to tell them.
SECONDS ?= 60
FUZZ_FLAGS ?=

VENV := .venv
BIN := $(VENV)/bin
# Some tests take a hundred thousand times as long as others: whoever has nothing left to do takes from the others.
PYTEST := -m pytest -n $(JOBS) --dist worksteal -q
# Tens of thousands of tests of microseconds: handing them out to workers would take longer than running them.
SUITES := -m pytest -q generated/conformance
# What one runs while working: a part of each package that tells most in two minutes.
QUICK := $(addprefix tests/,reader resolve support export lint diff cli test_house.py emit/test_generate.py emit/test_user_templates.py \
  generated/amqp0/test_method_round_trip.py generated/amqp0/test_stream_chunking.py generated/amqp0/test_table_letters.py \
  generated/amqp1/test_encodings.py generated/amqp1/test_messages.py generated/amqp1/test_frames.py \
  traffic/capture traffic/streams traffic/frames traffic/dialogue traffic/messages traffic/logs traffic/show traffic/audit/test_cases.py)
# What depends on the interpreter: files, processes and pickles, dataclasses, Arrow; and what reads XML and TOML.
ON_OTHERS := $(addprefix tests/,cli traffic/cli)
ON_OLDEST := $(ON_OTHERS) $(addprefix tests/,reader traffic/capture traffic/ingest traffic/lake \
  $(addprefix generated/amqp0/test_,columns.py variant.py dataclasses.py) $(addprefix generated/amqp1/test_,columns.py variant.py dataclasses.py))
COMPILED := build/compiled
OWN_CODE := codegen templates tests benchmarks examples tools

.DEFAULT_GOAL := help
.PHONY: help venv generate check test test-quick test-all test-main test-spark test-connect test-suites test-others broker-test test-clients fuzz fuzz-atheris lint lint-style lint-mypy lint-basedpyright house format bench bench-traffic bench-ingest bench-audit bench-compiled compiled wheel clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "make %-14s %s\n", $$1, $$2 }'

venv: ## make .venv with everything for work on this project
	@tools/venv.sh $(VENV) $(PYTHON) dev

generate: ## set up, and generate every package from specs/
	@tools/venv.sh $(VENV) $(PYTHON)
	$(BIN)/amqp-codegen

check: ## are the generated packages current? changes nothing
	@tools/venv.sh $(VENV) $(PYTHON)
	$(BIN)/amqp-codegen --check

test-quick: ## what one runs while working: under two minutes
	@tools/venv.sh $(VENV) $(PYTHON) dev
	$(BIN)/python $(PYTEST) -m "not broker and not spark and not slow" $(QUICK) $(PYTEST_FLAGS)

test: generate test-main test-spark test-suites test-others ## every test that needs no broker, on fixed samples of what is random; parts on other Pythons

test-all: export TEST_EXAMPLES ?= 1
test-all: export TEST_ALL = 1
test-all: test test-connect broker-test test-clients ## the same with all examples, drawn anew, clusters and the broker: before an issue is closed

test-main: ## every test that needs no broker, on the main Python
	@tools/venv.sh $(VENV) $(PYTHON) dev
	@tools/venv.sh $(VENV) $(PYTHON) peers || echo "python-qpid-proton needs a C compiler: the tests with it are skipped"
	$(BIN)/python $(PYTEST) -m "not broker and not spark" tests $(PYTEST_FLAGS)

# One after the other: they share one session, which uses all processors. Exit code 5: PYTEST_FLAGS chose none of them.
test-spark: ## the tests that need Spark, on the main Python; sees to it that there is Java
	@tools/venv.sh $(VENV) $(PYTHON) dev
	@tools/java.sh || echo "the tests of Spark are skipped"
	$(BIN)/python -m pytest -q -m "spark and not broker" tests/traffic $(PYTEST_FLAGS) || [ $$? -eq 5 ]

test-connect: ## the same lake in a session of Spark Connect, in an environment with pandas and gRPC
	@tools/venv.sh $(VENV)/connect $(PYTHON) test,connect
	@tools/java.sh || echo "the test of Spark Connect is skipped"
	$(VENV)/connect/bin/python -m pytest -q -p no:cacheprovider tests/traffic/spark/test_connect.py

test-suites: ## the generated suites over the generated packages, on the main Python
	@tools/venv.sh $(VENV) $(PYTHON) dev
	$(BIN)/python $(SUITES)

# The oldest Python lacks most. On the others the suites try every generated package, and the command line all that makes them.
test-others: ## the suites and parts of the same on each other Python from 3.10 to 3.13, most of all on 3.10
	@tools/other-pythons.sh $(PYTHON) | while read -r version python; do \
	  case $$version in 3.10) folders="$(ON_OLDEST)" ;; *) folders="$(ON_OTHERS)" ;; esac; \
	  echo "Python $$version: the suites, $$folders"; \
	  tools/venv.sh $(VENV)/$$version $$python test || exit; \
	  $(VENV)/$$version/bin/python $(PYTEST) -p no:cacheprovider --hypothesis-profile=brief \
	    -m "not broker and not slow" $$folders $(PYTEST_FLAGS) </dev/null || exit; \
	  $(VENV)/$$version/bin/python $(SUITES) -p no:cacheprovider </dev/null || exit; \
	done

broker-test: ## the tests that need RabbitMQ; finds one, or installs and starts one
	@tools/venv.sh $(VENV) $(PYTHON) dev
	@$(BIN)/python tools/broker.py
	$(BIN)/python -m pytest -q -m broker tests $(PYTEST_FLAGS)

test-clients: ## aiormq and aio-pika on RabbitMQ, with our codec in the place of pamqp
	@tools/venv.sh $(VENV)/clients $(PYTHON) clients
	@$(VENV)/clients/bin/python tools/broker.py
	$(VENV)/clients/bin/python -m pytest -q -p no:cacheprovider -m broker tests/clients $(PYTEST_FLAGS)

fuzz: ## hostile octets and odd values into all packages: make fuzz SECONDS=60 FUZZ_FLAGS="--seed 5"
	@tools/venv.sh $(VENV) $(PYTHON) dev
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) $(FUZZ_FLAGS)

fuzz-atheris: ## the same, guided by coverage, each decoder for SECONDS; where Atheris can be installed
	@tools/venv.sh $(VENV)/fuzz $(PYTHON) fuzz || { echo "Atheris cannot be installed here; make fuzz needs nothing"; exit 0; }; \
	$(VENV)/fuzz/bin/python -m tests.fuzz --list | while read -r package entry; do \
	  echo "$$package $$entry"; \
	  PYTHONPATH=codegen:generated $(VENV)/fuzz/bin/python -m tests.fuzz.atheris_fuzz $$package $$entry \
	    -max_total_time=$(SECONDS) -verbosity=0 </dev/null || exit; \
	done

lint: lint-style lint-mypy lint-basedpyright ## style, structure and types; make -j2 lint looks at all at once

lint-style: venv
	$(BIN)/python tools/house.py --check
	$(BIN)/python tools/house_picture.py --check
	$(BIN)/ruff check
	$(BIN)/black --check --quiet --diff $(OWN_CODE)

lint-mypy: venv
	$(BIN)/mypy

lint-basedpyright: venv
	$(BIN)/basedpyright --pythonpath $(BIN)/python

house: venv ## measure the structure of the code, and draw it into docs/architecture.svg
	$(BIN)/python tools/house.py
	$(BIN)/python tools/house_picture.py

format: ## fold our own code as `make lint` wants it
	@tools/venv.sh $(VENV) $(PYTHON) dev
	$(BIN)/ruff check --select I --fix
	$(BIN)/black --quiet $(OWN_CODE)

bench: ## compare the speed of the generated codecs with that of other libraries
	@command -v cc >/dev/null || tools/apt-install.sh gcc libc6-dev python3-dev
	@tools/venv.sh $(VENV) $(PYTHON) dev,bench
	PYTHONPATH=generated $(BIN)/python -m benchmarks.codecs

bench-traffic: ## how fast captures are read, compared with dpkt and, if it is there, tshark
	@tools/venv.sh $(VENV) $(PYTHON) dev
	$(BIN)/python -m benchmarks.traffic

bench-ingest: ## how fast captures become tables, without Spark and with it, compared with tshark
	@command -v tshark >/dev/null || tools/apt-install.sh tshark
	@tools/venv.sh $(VENV) $(PYTHON) dev
	$(BIN)/python -m benchmarks.ingest --large

bench-audit: ## how fast lakes are audited and reported on, compared with their ingest
	@tools/venv.sh $(VENV) $(PYTHON) dev
	$(BIN)/python -m benchmarks.audit --large

bench-compiled: $(COMPILED)/.stamp ## the same, compiled with mypyc
	@tools/venv.sh $(VENV) $(PYTHON) dev,bench
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.codecs --compiled

compiled: $(COMPILED)/.stamp ## compile the generated packages with mypyc into build/compiled, and test them
	PYTHONPATH=$(COMPILED) $(BIN)/python -c "from amqp_0_9_1 import frames as a; from amqp_1_0 import frames as b; \
	  assert {it.__file__[-3:] for it in (a, b)} == {'.so'}"
	PYTHONPATH=$(COMPILED) $(BIN)/python $(PYTEST) -o pythonpath="codegen $(COMPILED)" \
	  -m "not broker and not slow" tests/generated/amqp0 tests/generated/amqp1 tests/interop $(PYTEST_FLAGS)

$(COMPILED)/.stamp: $(shell find generated -name '*.py') benchmarks/compile_packages.py
	@command -v cc >/dev/null || tools/apt-install.sh gcc libc6-dev
	@tools/venv.sh $(VENV) $(PYTHON) dev,compiled
	rm -rf $(COMPILED)
	$(BIN)/python -m benchmarks.compile_packages $(COMPILED)
	touch $@

wheel: ## build the wheel and the source distribution into dist/
	@tools/venv.sh $(VENV) $(PYTHON) dev
	$(BIN)/python -m hatchling build

clean: ## remove what the other targets made, but for the generated packages
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find $(OWN_CODE) generated -name __pycache__ -type d -prune -exec rm -rf {} +
