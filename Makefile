# Every target works from a clean clone, and offline the second time.
CARGO ?= cargo
N ?= 1000
SEED ?= 1
KILLS ?= 500

.PHONY: setup build demo dist wheel test slow lint accuracy bench sanitize fuzz planted clean

# Everything that any target needs is fetched at once, so that the second run of any of
# them is offline.
setup:
	@scripts/setup.sh
	@$(CARGO) fetch --quiet
	@scripts/python.sh setup

build: setup
	@$(CARGO) build --release

# Builds the compiler and runs a real program.
demo: build
	@target/release/weft run examples/digits.ein \
		--input images=examples/data/digits_images.npy \
		--input labels=examples/data/digits_labels.npy

# The binary alone, stripped and packed; the one that `build` makes keeps its line tables.
dist: build
	@mkdir -p target/dist
	@strip --strip-all -o target/dist/weft target/release/weft
	@tar -C target/dist -cJf target/dist/weft.tar.xz weft
	@du -h --apparent-size target/release/weft target/dist/weft target/dist/weft.tar.xz

# For Python 3.11 and later, the compiler inside: in dist/.
wheel: setup
	@scripts/python.sh wheel

# Closes with the runner's summary line.
# The case files come last, so that theirs is the summary that a run closes with: they run
# once more with the code that a processor without AVX-512 gets. All commands name the whole
# workspace, since features are unified over what is named, and a crate is compiled for each set.
test: setup
	@$(CARGO) test --workspace --release
	@WEFT_CPU=avx2 $(CARGO) test --workspace --release --test cases

# Long tests that `test` makes a few of: KILLS kills and interrupts of the command at random
# moments. On a machine that does nothing else, since they measure how long an end takes. Then the
# wheel in an environment that has nothing else, with 20,000 random arrays and 8 x 10,000 calls.
slow: wheel
	@KILLS=$(KILLS) SEED=$(SEED) $(CARGO) test --workspace --release --test kills -- --nocapture
	@PYTHON_CASES=20000 PYTHON_CALLS=10000 PYTHON_INTERRUPTS=1000 scripts/python.sh installed

lint: setup
	@$(CARGO) fmt --all -- --check
	@$(CARGO) clippy --workspace --all-targets --release -- -D warnings

# Elementary functions over every f32, and over many f64 against many digits; half an hour
# on two processors, not part of `test`. ACCURACY_OPERANDS: how many f64 for each function.
accuracy: setup
	@$(CARGO) test --workspace --release --test every_f32 -- --ignored --nocapture
	@$(CARGO) test --workspace --release --test accuracy -- --ignored --nocapture

# Against NumPy, numba, JAX, PyTorch and C by hand; writes docs/benchmarks.*, and what calls from
# Python cost to docs/python-benchmarks.md. With ONLY, a part of a workload's name, it measures that
# and writes nothing.
bench: build
	@scripts/peers.sh
	@target/peers/bin/python benches/bench.py $(if $(ONLY),"$(ONLY)",--keep)
	@$(if $(ONLY),,scripts/python.sh bench target/release/lib_weft.so)

# The runtime's tests under valgrind; fetches it where it is missing.
sanitize: setup
	@scripts/sanitize.sh

# N random programs from seed SEED on, evaluator against native code; N programs of the
# grammar through parser, layout and checker; then N random functions of the loop level, N
# random graphs, N changed programs, N changed texts and N changed headers of `.npy` files.
fuzz: setup
	@FUZZ_PROGRAMS=$(N) FUZZ_SEED=$(SEED) $(CARGO) test --workspace --release --test random
	@FUZZ_PROGRAMS=$(N) FUZZ_SEED=$(SEED) $(CARGO) test --workspace --release --test generated
	@FUZZ_PROGRAMS=$(N) FUZZ_SEED=$(SEED) PROPTEST_CASES=$(N) \
		$(CARGO) test --workspace --release --test robust
	@FUZZ_TEXTS=$(N) FUZZ_SEED=$(SEED) $(CARGO) test --workspace --release --test texts
	@FUZZ_HEADERS=$(N) FUZZ_SEED=$(SEED) $(CARGO) test --workspace --release --test npy
	@PROPTEST_CASES=$(N) $(CARGO) test --workspace --exclude weft-testkit --release random_

# Plants bugs in a copy of the last commit; the suite must find each. Hours, not part of `test`.
planted: setup
	@scripts/planted.sh

clean:
	@$(CARGO) clean
