# On a fresh machine: `make generate`, then `make test`. `make` alone lists everything.
#
# All work is done in a virtual environment of its own, .venv, which every target makes or brings up to date when
# it has to (tools/venv.sh). It is made with $(PYTHON). The other interpreters have theirs in .venv/X.Y; those that the
# machine lacks come from Debian's unstable release (tools/other_pythons.py).

PYTHON ?= python3
# How many tests run at once, and what else to tell pytest: make test-main PYTEST_FLAGS="-k overlay -x"
JOBS ?= auto
PYTEST_FLAGS ?=
# Which brokers, and more: make brokers BROKERS="rabbitmq-4 --spec 1.0"
BROKERS ?=
# How long the fuzzers run, and what else to tell them.
SECONDS ?= 60
FUZZ_FLAGS ?=
# What else to tell the benchmark of codecs: make bench BENCH_FLAGS="--output build/bench.json"; or that of hostile captures.
BENCH_FLAGS ?=
# What else to tell the generator: make check GENERATE_FLAGS=--no-cache
GENERATE_FLAGS ?=

VENV := .venv
BIN := $(VENV)/bin
# Some tests take a hundred thousand times as long as others: whoever has nothing left to do takes from the others.
PYTEST := -m pytest -n $(JOBS) --dist worksteal -q
# Tens of thousands of tests of microseconds: handing them out to workers would take longer than running them.
SUITES := -m pytest -q -p tests.skip_counts generated/conformance
# What one runs while working: a part of each package that tells most in two minutes.
QUICK := $(addprefix tests/,reader resolve support export lint diff cli set_up test_house.py emit/test_generate.py emit/test_user_templates.py \
  generated/amqp0/test_method_round_trip.py generated/amqp0/test_stream_chunking.py generated/amqp0/test_table_letters.py \
  generated/amqp1/test_encodings.py generated/amqp1/test_messages.py generated/amqp1/test_frames.py \
  traffic/capture traffic/streams traffic/frames traffic/dialogue traffic/messages traffic/logs traffic/show traffic/audit/test_cases.py)
# What depends on the interpreter most: processes and pickles, dataclasses, Arrow, zstd; on the newest, and in test-all on each,
# also calls and errors, and what reads XML and TOML.
ON_EACH := $(addprefix tests/,cli/test_entry_points.py traffic/capture traffic/ingest/test_every_kind.py traffic/lake \
  generated/test_interpreters.py generated/test_dataclasses.py \
  $(addprefix generated/amqp0/test_,columns.py variant.py dataclasses.py) $(addprefix generated/amqp1/test_,columns.py variant.py dataclasses.py))
ON_OTHERS := $(ON_EACH) tests/cli tests/traffic/cli tests/reader
# Of these, what needs neither Hypothesis nor Arrow, which have no wheels for PyPy; conftest.py of all tests needs Hypothesis.
ON_PYPY := --confcutdir=tests/generated $(addprefix tests/generated/test_,interpreters.py dataclasses.py)
# Where versions of what we depend on could show: calls, what reads XML and zstd, what generates, tables of Arrow, other codecs.
ON_LOWEST := $(addprefix tests/,cli reader lint export emit/test_generate.py \
  traffic/lake traffic/capture/test_capture_file.py $(addprefix generated/amqp0/test_bytes_equal_,pamqp.py pika.py py_amqp.py))
# Begins a loop over the other Pythons. What runs on one of them is started by its launcher.
EACH_OTHER = others=$$($(PYTHON) -m tools.other_pythons $(if $(TEST_ALL),--all)) || exit; \
  echo "$$others" | grep . | while IFS=$$(printf '\t') read -r version launcher python
# What reads and writes by the cores in C where they are. All other tests reach no line of C that these do not.
ON_NATIVE := tests/native $(addprefix tests/traffic/ingest/test_,damage.py lost_packets.py) \
  $(wildcard tests/generated/amqp?/test_hostile_*.py) \
  $(addprefix tests/generated/amqp0/test_,method_round_trip.py lossless_headers.py lossless_methods.py lossless_streams.py \
    encoders_refuse.py columns.py variant.py lazy_properties.py growth.py time_and_memory.py) \
  $(addprefix tests/generated/amqp1/test_,composite_round_trip.py value_round_trip.py lossless.py extension.py columns.py \
    variant.py growth.py time_and_memory.py)
# What of the broker's tests they could change most, for a second run without them.
ON_PURE := $(addprefix tests/broker/test_,messages.py tables.py properties.py) tests/interop
SANITIZED := build/sanitized
SAME_BINARY := build/native
DEBUGGED := build/debug
COVERED := build/covered
C_STANDARD := -std=c11 -Wall -Wextra
FOR_SANITIZERS := -g -O1 $(C_STANDARD) -fPIC -shared -fno-sanitize-recover=undefined
FOR_DEBUG := -g -Og -UNDEBUG $(C_STANDARD) -fPIC -shared
C_FILES := $(wildcard native/*/*.[ch])
# Of each module, as in native/setup.py.
SOURCES_OF_amqp_native := native/src/*.c
SOURCES_OF_amqp_native_ingest := native/ingest/*.c \
  $(addprefix native/src/,amqp0_kinds.c amqp0_variant.c amqp1_codes.c amqp1_variant.c octets.c variant.c)
in_folder = $(addprefix $(1)/,amqp_native.abi3.so amqp_native_ingest.abi3.so)
include_of = -I$$($(1) -c "import sysconfig; print(sysconfig.get_path('include'))")
# With the runtime of its sanitizers, which Debian ships apart.
HAS_CLANG := clang -fsanitize=address -x c -shared -o /dev/null /dev/null 2>/dev/null
OWN_CODE := codegen templates tests benchmarks examples tools

.DEFAULT_GOAL := help
# All targets but files that are made.
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' $(firstword $(MAKEFILE_LIST)))

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "make %-14s %s\n", $$1, $$2 }'

venv: ## make .venv with everything for work on this project
	@tools/venv.sh $(VENV) $(PYTHON) dev

generate: ## set up, and generate every package from specs/
	@tools/venv.sh $(VENV) $(PYTHON)
	$(BIN)/amqp-codegen $(GENERATE_FLAGS)

check: ## are the generated packages current? changes nothing
	@tools/venv.sh $(VENV) $(PYTHON)
	$(BIN)/amqp-codegen --check $(GENERATE_FLAGS)

test-quick: ## what one runs while working: under two minutes
	@tools/venv.sh $(VENV) $(PYTHON) dev
	$(BIN)/python $(PYTEST) -m "not broker and not spark and not slow" $(QUICK) $(PYTEST_FLAGS)

# One line at the end tells what all parts together took, and what was skipped.
test: ## every test that needs neither a broker nor other tools, on fixed samples of what is random; parts on other Pythons
	@$(PYTHON) -m tools.tally "make test" $(MAKE) --no-print-directory test-parts

test-parts: generate test-main
	@mkdir -p build
	@# Spark waits more than it works.
	@$(MAKE) --no-print-directory test-spark >build/test-spark.log 2>&1 & spark=$$!; \
	$(MAKE) --no-print-directory test-suites test-others; code=$$?; \
	wait $$spark || code=$$?; cat build/test-spark.log; exit $$code

test-all: ## everything: all examples, drawn anew, other tools, all Pythons, clusters, the broker: before an issue is closed
	@$(PYTHON) -m tools.tally "make test-all" $(MAKE) --no-print-directory test-all-parts

test-all-parts: export TEST_EXAMPLES ?= 1
test-all-parts: export TEST_ALL = 1
test-all-parts: generate test-main test-slow test-spark test-suites test-others test-lowest test-connect test-native broker-test test-clients

test-main: ## what of `make test` runs on the main Python, without Spark
	@tools/venv.sh $(VENV) $(PYTHON) dev
	@tools/venv.sh --optional $(VENV) $(PYTHON) peers
	$(BIN)/python $(PYTEST) -m "not broker and not spark and not slow" tests $(PYTEST_FLAGS)

test-slow: ## what is not in `make test`: build backends, type checkers, Chromium, and whatever takes seconds
	@tools/venv.sh $(VENV) $(PYTHON) dev
	@tools/venv.sh --optional $(VENV) $(PYTHON) peers
	$(BIN)/python $(PYTEST) -m "slow and not broker and not spark" tests $(PYTEST_FLAGS)
	$(BIN)/python -m pytest -q -m "slow and spark and not broker" tests/traffic $(PYTEST_FLAGS) || [ $$? -eq 5 ]

# Packages that are not current show as changes, too. Slow tests are run: mostly they are few.
test-changed: generate ## what the change since BASE, by default main, can affect, without broker and Spark: while working
	@tools/venv.sh $(VENV) $(PYTHON) dev
	@tests=$$($(BIN)/python -m tools.affected $(or $(BASE),main)) || exit; \
	[ -n "$$tests" ] || { echo "no test depends on what has changed"; exit 0; }; \
	$(BIN)/python $(PYTEST) -m "not broker and not spark" $$tests $(PYTEST_FLAGS) || [ $$? -eq 5 ]

peers: ## try again to install python-qpid-proton, which needs a C compiler, and azure-eventhub, for the tests with them
	@tools/venv.sh $(VENV) $(PYTHON) peers

# One after the other: they share one session, which uses all processors. Exit code 5: PYTEST_FLAGS chose none of them.
test-spark: ## the tests that need Spark, on the main Python; sees to it that there is Java
	@tools/venv.sh $(VENV) $(PYTHON) dev
	@tools/java.sh || echo "the tests of Spark are skipped"
	$(BIN)/python -m pytest -q -m "spark and not broker and not slow" tests/traffic $(PYTEST_FLAGS) || [ $$? -eq 5 ]

test-connect: ## the same lake in a session of Spark Connect, in an environment with pandas and gRPC
	@tools/venv.sh $(VENV)/connect $(PYTHON) test,connect
	@tools/java.sh || echo "the test of Spark Connect is skipped"
	$(VENV)/connect/bin/python -m pytest -q -p no:cacheprovider tests/traffic/spark/test_connect.py

test-suites: ## the generated suites over the generated packages, on the main Python
	@tools/venv.sh $(VENV) $(PYTHON) dev
	$(BIN)/python $(SUITES)

# What is generated there is the same. Exit code 5: PYTEST_FLAGS chose none of them.
test-others: venv ## the suites, and what depends on the interpreter, on Python 3.14 and 3.15; TEST_ALL=1: on each from 3.11, and on PyPy
	@$(EACH_OTHER); do \
	  case $$version in \
	    pypy) name=PyPy extras=suites tests="$(ON_PYPY)" ;; \
	    3.14) name="Python 3.14" extras=test tests="$(if $(TEST_ALL),$(ON_OTHERS),$(ON_EACH)) --hypothesis-profile=brief" ;; \
	    *) name="Python $$version" extras=test tests="$(ON_OTHERS) --hypothesis-profile=brief" ;; \
	  esac; \
	  echo "$$name: the suites, $$tests"; \
	  "$$launcher" tools/venv.sh --uv $(BIN)/uv $(VENV)/$$version "$$python" $$extras || exit; \
	  "$$launcher" $(VENV)/$$version/bin/amqp-codegen --check --no-cache </dev/null || exit; \
	  "$$launcher" $(VENV)/$$version/bin/python $(PYTEST) -p no:cacheprovider \
	    -m "not broker and not slow" $$tests $(PYTEST_FLAGS) </dev/null || [ $$? -eq 5 ] || exit; \
	  PYTHONPATH=.:codegen:generated "$$launcher" $(VENV)/$$version/bin/python -m tests.suites </dev/null || exit; \
	done
	$(BIN)/python -m pytest -q tests/emit/test_determinism.py -k interpreters

test-lowest: ## a part, and the generated packages, with the lowest versions that pyproject.toml allows, on the oldest Python
	@tools/venv.sh $(VENV) $(PYTHON) dev
	@others=$$($(PYTHON) -m tools.other_pythons --oldest) || exit; \
	echo "$$others" | grep . | while IFS=$$(printf '\t') read -r version launcher python; do \
	  "$$launcher" tools/venv.sh --uv $(BIN)/uv --lowest $(VENV)/lowest "$$python" test || exit; \
	  "$$launcher" $(VENV)/lowest/bin/amqp-codegen --check --no-cache </dev/null || exit; \
	  "$$launcher" $(VENV)/lowest/bin/python $(PYTEST) -p no:cacheprovider \
	    --hypothesis-profile=brief -m "not broker and not slow and not spark" $(ON_LOWEST) $(PYTEST_FLAGS) </dev/null || \
	    [ $$? -eq 5 ] || exit; \
	done

# After `make native`, or `make test-native`, with the cores in C; then a part of them without.
broker-test: ## the tests that need RabbitMQ; finds one, or installs and starts one
	@tools/venv.sh $(VENV) $(PYTHON) dev
	@$(BIN)/python tools/broker.py
	$(BIN)/python -m pytest -q -m broker tests $(PYTEST_FLAGS)
	! $(BIN)/python -c "import amqp_native" 2>/dev/null || \
	  AMQP_PURE=1 $(BIN)/python -m pytest -q -m broker $(ON_PURE) $(PYTEST_FLAGS) || [ $$? -eq 5 ]

# What can be downloaded as Debian's packages is unpacked under build/, not installed; nothing of it runs afterwards.
brokers: ## the conformance of every specification on RabbitMQ 3 and 4, GarageMQ, ActiveMQ and proton: a line for each
	@tools/venv.sh $(VENV) $(PYTHON) dev
	@tools/venv.sh $(VENV) $(PYTHON) peers || echo "python-qpid-proton needs a C compiler: there is no broker of it"
	PYTHONPATH=.:generated $(BIN)/python -m tools.conformance_brokers $(BROKERS)

test-clients: ## on RabbitMQ: aiormq and aio-pika on our engine instead of their own protocol, tests of pika on our engine
	@tools/venv.sh $(VENV)/clients $(PYTHON) clients
	@$(VENV)/clients/bin/python tools/broker.py
	PYTHONPATH=$(SAME_BINARY) $(VENV)/clients/bin/python -m pytest -q -p no:cacheprovider -m broker tests/clients $(PYTEST_FLAGS)

native: ## build the cores in C and install them into .venv, where all targets then use them; AMQP_PURE=1 keeps them out
	@command -v cc >/dev/null || tools/apt-install.sh gcc libc6-dev python3-dev
	@tools/venv.sh $(VENV) $(PYTHON) dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --force-reinstall ./native

test-native: native test-native-sanitized test-native-debug test-native-others ## what tests the generated packages, with the cores in C; and these with sanitizers, and in a debug build of Python
	$(BIN)/python $(PYTEST) -m "not broker and not spark and not slow" $(ON_NATIVE) $(PYTEST_FLAGS)
	$(BIN)/python $(SUITES)

# What test-all draws in full, this draws in part: it takes ten times as long.
test-native-sanitized: $(call in_folder,$(SANITIZED))
	@export ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc \
	  LD_PRELOAD="$$(cc -print-file-name=libasan.so) $$(cc -print-file-name=libubsan.so)"; \
	TEST_ALL= NATIVE_CASES=$(if $(TEST_ALL),3000,200) PYTHONPATH=$(SANITIZED) \
	  $(BIN)/python -m pytest -q -p no:cacheprovider tests/native tests/fuzz/test_regressions.py $(PYTEST_FLAGS) && \
	PYTHONPATH=.:codegen:generated:$(SANITIZED) $(BIN)/python -m tests.suites

# Without what takes long and looks at memory and at size: C breaks no other rules there.
test-native-debug: venv ## the tests of the cores in a debug build of Python, which aborts where C breaks a rule of Python's API
	@command -v python3-dbg >/dev/null || tools/apt-install.sh python3-dbg || { echo "nothing is tested in a debug build of Python"; exit 0; }; \
	tools/venv.sh --uv $(BIN)/uv $(VENV)/debug python3-dbg test && mkdir -p $(DEBUGGED) && \
	build="cc $(FOR_DEBUG) $(call include_of,python3-dbg)" && \
	$$build $(SOURCES_OF_amqp_native) -o $(DEBUGGED)/amqp_native.abi3.so && \
	$$build $(SOURCES_OF_amqp_native_ingest) -o $(DEBUGGED)/amqp_native_ingest.abi3.so && \
	TEST_ALL= NATIVE_CASES=5 PYTHONPATH=$(DEBUGGED) $(VENV)/debug/bin/python $(PYTEST) -p no:cacheprovider \
	  --hypothesis-profile=brief -k "not bounds_of_memory and not in_time and not is_flat" tests/native $(PYTEST_FLAGS)

# PyPy has no stable ABI.
test-native-others: native ## the tests of the cores on Python 3.14 and 3.15, with the same binary; TEST_ALL=1: on each from 3.11
	@rm -rf $(SAME_BINARY) && mkdir -p $(SAME_BINARY)
	@for module in amqp_native amqp_native_ingest; do \
	  cp "$$($(BIN)/python -c "import $$module; print($$module.__file__)")" $(SAME_BINARY) || exit; \
	done
	@$(EACH_OTHER); do \
	  [ $$version != pypy ] || continue; \
	  echo "Python $$version: the cores"; \
	  "$$launcher" tools/venv.sh --uv $(BIN)/uv $(VENV)/$$version "$$python" test || exit; \
	  TEST_ALL= PYTHONPATH=$(SAME_BINARY) "$$launcher" $(VENV)/$$version/bin/python -m pytest -q -p no:cacheprovider tests/native \
	    $(PYTEST_FLAGS) </dev/null || exit; \
	done

$(SANITIZED)/%.abi3.so: $(C_FILES) | venv
	@mkdir -p $(SANITIZED)
	cc $(FOR_SANITIZERS) -fsanitize=address,undefined $(call include_of,$(BIN)/python) $(SOURCES_OF_$*) -o $@

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

fuzz-native: $(call in_folder,$(COVERED)) ## the same with the cores in C, guided by their coverage, with sanitizers
	@tools/venv.sh $(VENV)/fuzz $(PYTHON) fuzz || { echo "Atheris cannot be installed here; make fuzz needs nothing"; exit 0; }; \
	runtime=$$($(VENV)/fuzz/bin/python -c "import atheris; print(atheris.path())")/asan_with_fuzzer.so; \
	$(VENV)/fuzz/bin/python -m tests.fuzz --list | grep -v -e client -e engine | while read -r package entry; do \
	  echo "$$package $$entry"; \
	  ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD=$$runtime PYTHONPATH=codegen:generated:$(COVERED) \
	    $(VENV)/fuzz/bin/python -m tests.fuzz.atheris_fuzz $$package $$entry \
	    -max_total_time=$(SECONDS) -verbosity=0 -artifact_prefix=$(COVERED)/ </dev/null || exit; \
	done

# For libFuzzer, which is part of Atheris.
$(COVERED)/%.abi3.so: $(C_FILES) | venv
	@$(HAS_CLANG) || tools/apt-install.sh clang libclang-rt-dev
	@mkdir -p $(COVERED)
	clang $(FOR_SANITIZERS) -fsanitize=fuzzer-no-link,address,undefined $(call include_of,$(BIN)/python) $(SOURCES_OF_$*) -o $@

lint: lint-style lint-mypy lint-basedpyright lint-c ## style, structure, types, warnings of C compilers; make -j2 lint looks at all at once

lint-style: venv
	$(BIN)/python tools/house.py --check
	$(BIN)/python tools/house_picture.py --check
	$(BIN)/python tools/speed_picture.py --check
	$(BIN)/ruff check
	$(BIN)/black --check --quiet --diff $(OWN_CODE)

lint-mypy: venv
	$(BIN)/mypy

lint-basedpyright: venv
	$(BIN)/basedpyright --pythonpath $(BIN)/python

# Each file is compiled for real: what optimizes has warnings of its own.
lint-c: venv
	$(BIN)/clang-format --dry-run -Werror native/*/*.[ch]
	@include="$(call include_of,$(BIN)/python)"; \
	for compiler in gcc clang; do \
	  compiles() { echo '#include <Python.h>' | $$compiler "$$include" -fsyntax-only -x c - 2>/dev/null; }; \
	  compiles || tools/apt-install.sh $$compiler libc6-dev python3-dev 2>/dev/null; \
	  compiles || { echo "C is not checked with $$compiler, which is missing or lacks Python.h"; continue; }; \
	  echo "$$compiler $(C_STANDARD) -O2 -Werror"; \
	  printf '%s\0' native/*/*.c | \
	    xargs -0 -P 2 -I @ $$compiler $(C_STANDARD) -O2 -Werror -fPIC "$$include" -c @ -o /dev/null || exit; \
	done

house: venv ## measure the structure of the code, and draw it into docs/architecture.svg
	$(BIN)/python tools/house.py
	$(BIN)/python tools/house_picture.py

format: ## fold our own code as `make lint` wants it
	@tools/venv.sh $(VENV) $(PYTHON) dev
	$(BIN)/ruff check --select I --fix
	$(BIN)/black --quiet $(OWN_CODE)
	$(BIN)/clang-format -i native/*/*.[ch]

bench: ## compare the speed of the generated codecs, in C and in Python, with that of other libraries
	@$(MAKE) --no-print-directory native || echo "The cores in C cannot be built: the codecs in Python are compared alone."
	@tools/venv.sh $(VENV) $(PYTHON) dev,bench
	PYTHONPATH=generated $(BIN)/python -m benchmarks.codecs $(BENCH_FLAGS)

bench-clients: ## how much processor time a client takes for a message on RabbitMQ: aiormq, the same on our engine, the engine alone
	@tools/venv.sh $(VENV)/clients $(PYTHON) clients
	@$(VENV)/clients/bin/python tools/broker.py
	PYTHONPATH=$(SAME_BINARY) $(VENV)/clients/bin/python -m benchmarks.clients $(BENCH_FLAGS)

bench-generate: ## how long generating takes: nothing to do, one template changed, from nothing
	@tools/venv.sh $(VENV) $(PYTHON)
	$(BIN)/python -m benchmarks.generate

bench-traffic: ## how fast captures are read, compared with dpkt and, if it is there, tshark
	@tools/venv.sh $(VENV) $(PYTHON) dev
	$(BIN)/python -m benchmarks.traffic

bench-ingest: native ## how fast captures become tables, in C and in Python, with Spark and without, compared with tshark
	@command -v tshark >/dev/null || tools/apt-install.sh tshark
	$(BIN)/python -m benchmarks.ingest --large

bench-hostile: native ## do time and memory stay in bounds when captures are hostile? BENCH_FLAGS=--quick, "--shape NAME", --list
	PYTHONPATH=generated $(BIN)/python -m benchmarks.hostile $(BENCH_FLAGS)

bench-audit: ## how fast lakes are audited and reported on, compared with their ingest
	@tools/venv.sh $(VENV) $(PYTHON) dev
	$(BIN)/python -m benchmarks.audit --large

wheel: ## build the wheel and the source distribution into dist/
	@tools/venv.sh $(VENV) $(PYTHON) dev
	$(BIN)/python -m hatchling build

# The environment of the tests takes the pictures and looks at the pages; another one, without tests, builds them.
docs: export PYTHONPATH = .
docs: export NO_MKDOCS_2_WARNING = 1
docs: venv ## build the documentation as a site into build/site; check its links, and look at it in Chromium
	@tools/venv.sh $(VENV)/docs $(PYTHON) docs
	$(BIN)/python -m tools.docs_site.pictures build/docs-pictures
	$(VENV)/docs/bin/python -m mkdocs --quiet build --clean
	$(BIN)/python -m tools.docs_site.links build/site
	$(BIN)/python -m tools.docs_site.look build/site build/docs-looks

clean: ## remove what the other targets made, but for the generated packages
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find $(OWN_CODE) generated -name __pycache__ -type d -prune -exec rm -rf {} +
