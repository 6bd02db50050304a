#!/usr/bin/env bash
# Plants bugs, one at a time, and requires that the suite finds each: `make planted`, or
# `scripts/planted.sh NAME…` for some of tests/planted. Works on a copy of the checked-out
# commit under target/planted, never on the tree itself. Takes minutes per bug.
#
# A bug is caught where it does not compile, or where a test fails that passes without it.
# The case files and random programs of testkit come first; only if they find nothing, the
# random tests of the lower crates.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
work=$root/target/planted
tree=$work/tree
log=$work/logs
# The crates whose own tests are asked after testkit's.
below=(weft-scalar weft-tensor weft-loops weft-plan weft-schedule weft-codegen)

say() { printf 'planted: %s\n' "$*" >&2; }

checkout() {
    mkdir -p "$log"
    git -C "$root" worktree prune
    local commit
    commit=$(git -C "$root" rev-parse HEAD)
    if [ -e "$tree/.git" ]; then
        git -C "$tree" checkout --quiet --force --detach "$commit"
    else
        git -C "$root" worktree add --quiet --force --detach "$tree" "$commit"
    fi
}

# A bug may loop for ever: what takes this long has failed.
cargo_test() {
    (cd "$tree" && CARGO_TARGET_DIR=$work/build nice timeout 1800 cargo test --release "$@")
}

# The tests that fail in a log, sorted: libtest's and libtest-mimic's lines alike. Known
# bugs are left out: that one more of them shows is no catch.
failures() {
    sed -n -E -e 's/^test (.*[^ ]) +\.\.\. FAILED$/\1/p' \
        -e 's/.*process didn.t exit successfully.*(signal: [0-9]+).*/a crash (\1)/p' "$1" |
        grep -v '^tests/known/' | sort -u
}

# Runs the fast part of the suite into the log $1; false where a test fails.
suite() {
    cargo_test --no-fail-fast -p weft-testkit --test cases --test random >"$1" 2>&1 || return 1
}

# Runs the tests of the lower crates into the log $1.
lower() {
    local packages=() p
    for p in "${below[@]}"; do packages+=(-p "$p"); done
    cargo_test --no-fail-fast "${packages[@]}" >"$1" 2>&1 || return 1
}

# The tests of the log $1 that fail for the bug, and not without it (log $2).
new_failures() { comm -23 <(failures "$1") <(failures "$2"); }

clean_run() {
    local stamp=$work/clean-commit commit
    commit=$(git -C "$tree" rev-parse HEAD)
    if [ "$(cat "$stamp" 2>/dev/null || true)" = "$commit" ]; then return; fi
    say "the suite without bugs"
    suite "$log/clean-suite" || say "some tests fail without any bug; they count for nothing"
    lower "$log/clean-lower" || say "some lower tests fail without any bug"
    if ! grep -q '^test result' "$log/clean-suite"; then
        say "it does not build: $log/clean-suite"; exit 1
    fi
    printf '%s\n' "$commit" >"$stamp"
}

# One line for the table: name, by what it was caught, how many tests, the first of them.
report() { printf '%-18s %-8s %4s  %s\n' "$1" "$2" "$3" "$4"; }

try_one() {
    local patch=$1 name found
    name=$(basename "$patch" .patch)
    if ! patch --quiet --dry-run -d "$tree" -p1 <"$patch" >/dev/null; then
        report "$name" stale 0 "the patch no longer applies"
        return 1
    fi
    patch --quiet -d "$tree" -p1 <"$patch"
    local part caught=missed
    for part in suite lower; do
        if ! "$part" "$log/$name-$part"; then
            if grep -q 'could not compile' "$log/$name-$part"; then
                caught=build; found="does not compile"; break
            fi
            found=$(new_failures "$log/$name-$part" "$log/clean-$part")
            if [ -n "$found" ]; then caught=$part; break; fi
        fi
    done
    patch --quiet -R -d "$tree" -p1 <"$patch"
    case $caught in
        missed) report "$name" missed 0 "-"; return 1 ;;
        build) report "$name" stale 0 "$found"; return 1 ;;
        *) report "$name" "$caught" "$(wc -l <<<"$found")" "$(head -n 1 <<<"$found")" ;;
    esac
}

main() {
    local patches=() missed=0 name
    if [ $# -eq 0 ]; then patches=("$root"/tests/planted/*.patch); fi
    for name in "$@"; do patches+=("$root/tests/planted/$name.patch"); done
    checkout
    clean_run
    for patch in "${patches[@]}"; do
        try_one "$patch" || missed=$((missed + 1))
    done
    say "$((${#patches[@]} - missed)) of ${#patches[@]} caught"
    [ "$missed" -eq 0 ]
}

main "$@"
