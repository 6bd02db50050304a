#!/usr/bin/env bash
# The tools that `make bench` measures against, in a virtual environment under target/peers.
# What cannot be installed is said here, and is missing in the table.
#
# PyTorch comes from its own index of builds without CUDA; WEFT_BENCH_TORCH=pypi takes the
# one on PyPI instead, some gigabytes.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
peers=$root/target/peers
python=$peers/bin/python

say() { printf 'peers: %s\n' "$*" >&2; }

[ -x "$python" ] || python3 -m venv "$peers" || {
    say "no virtual environment; install python3-venv"
    exit 1
}

have() { "$python" -c "import $1" >/dev/null 2>&1; }
install() { "$python" -m pip install --quiet --retries 1 "$@" >/dev/null 2>&1; }

for peer in numpy numba jax; do
    have "$peer" || install "$peer" || say "$peer cannot be installed"
done
if ! have torch; then
    if [ "${WEFT_BENCH_TORCH:-cpu}" = pypi ]; then
        install torch || say "torch cannot be installed"
    else
        install --index-url https://download.pytorch.org/whl/cpu torch ||
            say "torch without CUDA cannot be installed; WEFT_BENCH_TORCH=pypi takes the large one"
    fi
fi
have numpy || { say "nothing can be measured without numpy"; exit 1; }
