//! The bundled texts of the library's modules.

use crate::modules::Found;

macro_rules! sources {
    ($($path:literal)*) => {
        /// Path below the library's root, and text.
        const SOURCES: &[(&str, &str)] = &[$((
            $path,
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../std/", $path, ".ein")),
        )),*];
    };
}

sources! {
    "array"
    "axes"
    "bits"
    "image"
    "io"
    "linalg"
    "math/basic"
    "math/clamp"
    "math/constants"
    "math/constants/pi"
    "math/exp"
    "math/hyperbolic"
    "math/log"
    "math/mod"
    "math/special"
    "math/trig"
    "ml/activations"
    "ml/attention_ops"
    "ml/comparison_ops"
    "ml/conv_ops"
    "ml/indexing_ops"
    "ml/layers"
    "ml/linalg_ops"
    "ml/logical_ops"
    "ml/math_ops"
    "ml/ml_ex"
    "ml/mod"
    "ml/norm_ops"
    "ml/pool_ops"
    "ml/recurrent_ops"
    "ml/reduction_ops"
    "ml/selection_ops"
    "ml/shape_ops"
    "ml/special_ops"
    "ml/transform_ops"
    "ml/utility_ops"
    "ml/windows"
    "nn"
    "numerics/dp"
    "numerics/interp"
    "numerics/ode"
    "numerics/optim"
    "numerics/quad"
    "numerics/root"
    "random"
    "signal"
    "stats"
    "text"
}

/// The module at a path that begins with `std`.
pub(crate) fn find(path: &[&str]) -> Found {
    let below = path[1..].join("/");
    let is = |p: &str| p == below || p.strip_suffix("/mod") == Some(&below);
    match SOURCES.iter().find(|(p, _)| is(p)) {
        Some((p, text)) => Found::Text { name: format!("std/{p}.ein"), text: (*text).to_string() },
        None if SOURCES.iter().any(|(p, _)| p.starts_with(&format!("{below}/"))) => Found::Folder,
        None => Found::Missing(Vec::new()),
    }
}

/// The names of the modules directly below one of the library's, given as `std::math`.
pub(crate) fn below(shown: &str) -> Vec<String> {
    let Some(rest) = shown.strip_prefix("std") else { return Vec::new() };
    let prefix: String = rest.split("::").skip(1).map(|s| format!("{s}/")).collect();
    let mut names: Vec<String> = Vec::new();
    for (p, _) in SOURCES {
        let Some(next) = p.strip_prefix(prefix.as_str()) else { continue };
        let name = next.split('/').next().unwrap_or_default().to_string();
        if name != "mod" && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The paths of all modules, as `std::math::basic`.
pub(crate) fn all() -> Vec<Vec<&'static str>> {
    let path = |p: &'static str| {
        let p = p.strip_suffix("/mod").unwrap_or(p);
        ["std"].into_iter().chain(p.split('/')).collect()
    };
    SOURCES.iter().map(|(p, _)| path(p)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn files(dir: &Path, root: &Path, out: &mut Vec<String>) {
        for entry in std::fs::read_dir(dir).expect("the library").flatten() {
            let path = entry.path();
            if path.is_dir() {
                files(&path, root, out);
            } else if path.extension().is_some_and(|e| e == "ein") {
                let below = path.strip_prefix(root).expect("below the root").with_extension("");
                out.push(below.display().to_string());
            }
        }
    }

    #[test]
    fn every_file_of_the_library_is_bundled() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../std");
        let mut found = Vec::new();
        files(&root, &root, &mut found);
        found.sort();
        let mut listed: Vec<String> = SOURCES.iter().map(|(p, _)| p.to_string()).collect();
        listed.sort();
        assert_eq!(found, listed);
    }

    #[test]
    fn modules_are_found_by_path() {
        assert!(matches!(find(&["std", "math"]), Found::Text { .. }));
        assert!(matches!(find(&["std", "math", "trig"]), Found::Text { .. }));
        assert_eq!(find(&["std", "maths"]), Found::Missing(vec![]));
        assert!(below("std").contains(&"math".to_string()));
        assert!(below("std::math").contains(&"trig".to_string()));
    }
}
