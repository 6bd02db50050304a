#!/usr/bin/env bash
# The runtime's tests under valgrind (addresses and leaks, machine code included): `make
# sanitize`; under ThreadSanitizer (races in what calls machine code): `scripts/sanitize.sh
# threads`, which builds LLVM's users and the standard library once more.
#
# valgrind shows a processor without AVX-512, for which other code is made.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
work=$root/target/sanitize
host=x86_64-unknown-linux-gnu

say() { printf 'sanitize: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

need() {
    command -v "$1" >/dev/null && return
    local as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    say "installing $2"
    "${as_root[@]}" apt-get install -y -qq --no-install-recommends "$2" >/dev/null || fail "no $2"
}

# The test programs that cargo names in its messages.
executables() {
    "$@" --no-run --message-format=json | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p'
}

memory() {
    need valgrind valgrind
    mkdir -p "$work"
    local program copy
    for program in $(cd "$root" && executables cargo test --release -p weft-runtime --tests); do
        copy=$work/$(basename "$program")
        # What valgrind makes of newer debug information is an error of its own.
        objcopy --strip-debug "$program" "$copy"
        say "memory: $(basename "$program")"
        valgrind --quiet --error-exitcode=9 --smc-check=all-non-file --leak-check=full \
            --show-leak-kinds=definite --errors-for-leak-kinds=definite "$copy" --test-threads=1 \
            || fail "valgrind reports errors in $program"
    done
}

# Rust's sanitizers want the standard library built with them, which stable Rust does when
# told that it may.
threads() {
    local sources
    sources=$(rustc --print sysroot)/lib/rustlib/src
    [ -d "$sources" ] || rustup component add rust-src || fail "no sources of the standard library"
    say "threads: building"
    cd "$root"
    RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=thread CARGO_PROFILE_RELEASE_DEBUG=none \
        CARGO_INCREMENTAL=0 \
        cargo test --release -Zbuild-std --target $host --target-dir "$work/thread" \
        -p weft-runtime --tests || fail "ThreadSanitizer reports races"
}

case ${1:-memory} in
    memory) memory ;;
    threads) threads ;;
    *) fail "memory or threads, not $1" ;;
esac
say "nothing to report"
