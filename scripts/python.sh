#!/usr/bin/env bash
# What Weft needs of Python, below target/python:
#   scripts/python.sh setup           an environment with what the tests import
#   scripts/python.sh test LIBRARY    the extension module where cargo built it, tested in place
#   scripts/python.sh wheel           a wheel in dist/
#   scripts/python.sh installed       that wheel in an environment of its own, the same tests
#   scripts/python.sh bench LIBRARY   what calls cost, beside what scripts/peers.sh installed
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
package=$root/crates/python
work=$root/target/python
needs=$package/requirements.txt

say() { printf 'python: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# An environment in the folder $1 with what the files behind it list; touched only where the list
# has changed, so that it works without a network the second time.
environment() {
    local folder=$1
    shift
    cat "$@" | cmp --quiet - "$folder/installed.txt" && return
    python3 -m venv "$folder" || fail "no environment; install python3-venv"
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check \
        $(printf -- '-r %s ' "$@") || fail "cannot install $*"
    cat "$@" >"$folder/installed.txt"
}

setup() { environment "$work/venv" "$needs"; }

# The tests from a folder beside which no package lies, with the interpreter $1.
tests() {
    (cd "$package/tests" && "$1" -m pytest --quiet -p no:cacheprovider "${@:2}" .)
}

# The package with the library $1, in a folder that interpreters look into.
place() {
    local place=$work/in-place/weft
    mkdir -p "$place"
    ln -sf "$package"/weft/* "$place/"
    ln -sf "$(realpath "$1")" "$place/_weft.abi3.so"
    export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$work/in-place
}

in_place() {
    setup
    place "$1"
    tests "$work/venv/bin/python" "${@:2}"
}

bench() {
    place "$1"
    "$root/target/peers/bin/python" "$root/benches/python.py" --keep
}

wheel() {
    environment "$work/maturin" "$package/requirements-wheel.txt"
    (cd "$package" && "$work/maturin/bin/maturin" build --quiet --release --strip \
        --compatibility linux --compression-level 9 --target-dir "$root/target" --out "$root/dist")
    du -h --apparent-size "$root"/dist/weft-*.whl
}

installed() {
    local wheels=("$root"/dist/weft-*.whl) bare=$work/bare
    [ -f "${wheels[0]}" ] || fail "no wheel; make one first"
    rm -rf "$bare"
    python3 -m venv "$bare"
    "$bare/bin/python" -m pip install --quiet --disable-pip-version-check --no-index "${wheels[0]}"
    (cd "$work" && "$bare/bin/python" -c "import weft; assert weft.compile('let a = 1 + 2;')().a == 3")
    "$bare/bin/python" -m pip install --quiet --disable-pip-version-check -r "$needs"
    tests "$bare/bin/python"
}

case ${1:-} in
    # Weft itself is built without it.
    setup) command -v python3 >/dev/null || exit 0; (setup) || say "the package is not tested" ;;
    test) in_place "${@:2}" ;;
    bench) bench "$2" ;;
    wheel) wheel ;;
    installed) installed ;;
    *) fail "setup, test LIBRARY, wheel, installed or bench LIBRARY, not ${1:-nothing}" ;;
esac
