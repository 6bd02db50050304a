//! Links isl: `libPollyISL.a` of LLVM's Polly is the full library with its own integers.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo:rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    println!("cargo:rerun-if-changed=build.rs");
    let prefix = env::var("LLVM_SYS_221_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into());
    let folder = Path::new(&prefix).join("lib");
    assert!(
        folder.join("libPollyISL.a").exists(),
        "libPollyISL.a is not in {}: install libpolly-22-dev, or set LLVM_SYS_221_PREFIX",
        folder.display()
    );
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib=static=PollyISL");
}
