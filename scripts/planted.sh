#!/usr/bin/env bash
# Plants bugs, one at a time, and requires that the suite finds each: `make planted`, or
# `scripts/planted.sh NAME…` for some of tests/planted. Works on a copy of the checked-out
# commit under target/planted, never on the tree itself. Takes minutes per bug.
#
# The suite must be green without them. A bug is caught by the first test that fails: a case
# file, else a random program, else a test of the lower crates.
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

# The three parts of the suite, into the log $1; false where a test fails.
part_cases() {
    FAIL_FAST=1 cargo_test -p weft-testkit --test cases -- --skip tests/known >"$1" 2>&1
}
part_random() { cargo_test -p weft-testkit --test random >"$1" 2>&1; }
part_lower() {
    local packages=() p
    for p in "${below[@]}"; do packages+=(-p "$p"); done
    cargo_test "${packages[@]}" >"$1" 2>&1
}

# The first test that fails in a log: libtest's and libtest-mimic's lines alike.
first_failure() {
    sed -n -E -e 's/^test (.*[^ ]) +\.\.\. FAILED$/\1/p' \
        -e 's/.*process didn.t exit successfully.*(signal: [0-9]+).*/a crash (\1)/p' "$1" |
        head -n 1
}

clean_run() {
    local stamp=$work/clean-commit commit part
    commit=$(git -C "$tree" rev-parse HEAD)
    if [ "$(cat "$stamp" 2>/dev/null || true)" = "$commit" ]; then return; fi
    for part in cases random lower; do
        say "without bugs: $part"
        "part_$part" "$log/clean-$part" || { say "fails already: $log/clean-$part"; exit 1; }
    done
    printf '%s\n' "$commit" >"$stamp"
}

# One line for the table: name, the part that caught it, the test that failed.
report() { printf '%-18s %-7s %s\n' "$1" "$2" "$3"; }

try_one() {
    local patch=$1 name part found caught=missed
    name=$(basename "$patch" .patch)
    if ! patch --quiet --dry-run -d "$tree" -p1 <"$patch" >/dev/null; then
        report "$name" stale "the patch no longer applies"
        return 1
    fi
    patch --quiet -d "$tree" -p1 <"$patch"
    for part in cases random lower; do
        if ! "part_$part" "$log/$name-$part"; then caught=$part; break; fi
    done
    patch --quiet -R -d "$tree" -p1 <"$patch"
    if [ "$caught" = missed ]; then
        report "$name" missed -
        return 1
    fi
    if grep -q 'could not compile' "$log/$name-$caught"; then
        report "$name" stale "does not compile"
        return 1
    fi
    found=$(first_failure "$log/$name-$caught")
    report "$name" "$caught" "${found:-took too long}"
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
