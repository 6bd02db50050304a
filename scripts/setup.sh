#!/usr/bin/env bash
# Installs the system packages that building Weft needs, and only those missing.
# With everything in place it touches neither the network nor root's rights.
set -euo pipefail

# A C toolchain and make; LLVM 22 with Polly (isl comes in libPollyISL.a); what LLVM
# itself links to. llvm-config's `--system-libs` is the source of the last row.
packages=(
    build-essential pkg-config
    llvm-22-dev libpolly-22-dev
    zlib1g-dev libzstd-dev libffi-dev libxml2-dev
)
# For the extension module; whoever has another Python first in the path uses that.
command -v python3 >/dev/null || packages+=(python3 python3-venv)

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]; }

# `cargo` is the one tool expected to be there already: users choose how to install Rust.
if ! command -v cargo >/dev/null; then
    fail "cargo not found; install Rust 1.95 or newer (https://rustup.rs), then run make again"
fi

if ! command -v dpkg-query >/dev/null; then
    [ -x "${LLVM_SYS_221_PREFIX:-/usr/lib/llvm-22}/bin/llvm-config" ] && exit 0
    fail "not a Debian-like system; install LLVM 22 with Polly and set LLVM_SYS_221_PREFIX to its prefix"
fi

missing=()
for package in "${packages[@]}"; do
    installed "$package" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "missing packages; as root run: apt-get install ${missing[*]}"
    as_root=(sudo)
fi

say "installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq || say "apt-get update failed; trying with the lists already here"
for package in "${missing[@]}"; do
    apt-cache show "$package" >/dev/null 2>&1 ||
        fail "this system's apt has no package $package (for LLVM 22 on older releases see https://apt.llvm.org)"
done
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
    fail "apt-get could not install ${missing[*]}"
