//! Paths and folders. Paths are taken apart as texts, as POSIX has them; nothing of this looks at
//! links.

use super::{Answer, done, truth, unreadable, wrong};
use crate::npy::file_failure;
use std::fs::Metadata;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use weft_diag::{Code, Diagnostic};
use weft_host::{Observed, Refused};
use weft_scalar::Scalar;
use weft_tensor::Array;

/// A path as a string.
pub(super) fn text(path: &Path) -> Answer {
    match path.to_str() {
        Some(text) => Ok(Observed::Text(text.to_string())),
        None => Err(wrong(path, "its name is not UTF-8")),
    }
}

/// The working directory.
pub(super) fn current() -> Result<PathBuf, Refused> {
    std::env::current_dir().map_err(|e| unreadable(Path::new("."), &e))
}

/// Folder and last component; of `a/` the component is empty.
pub(super) fn halves(path: &str) -> (&str, &str) {
    let (folder, name) = path.split_at(path.rfind('/').map_or(0, |at| at + 1));
    let above = folder.trim_end_matches('/');
    (if above.is_empty() { folder } else { above }, name)
}

/// The same as a tuple.
pub(super) fn split(path: &str) -> Observed {
    let (folder, name) = halves(path);
    Observed::Tuple([folder, name].map(|t| Observed::Text(t.to_string())).into())
}

/// The path from the root on, without `.` and `..`.
pub(super) fn absolute(path: &Path) -> Result<PathBuf, Refused> {
    let mut out = PathBuf::new();
    for part in current()?.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    Ok(out)
}

/// The path as seen from a folder.
pub(super) fn relative(path: &Path, start: &Path) -> Result<PathBuf, Refused> {
    let (path, start) = (absolute(path)?, absolute(start)?);
    let common = path.components().zip(start.components()).take_while(|(a, b)| a == b).count();
    let up = start.components().skip(common).map(|_| Component::ParentDir);
    let seen: PathBuf = up.chain(path.components().skip(common)).collect();
    Ok(if seen.as_os_str().is_empty() { PathBuf::from(".") } else { seen })
}

/// The names in a folder, sorted.
pub(super) fn list(folder: &Path) -> Answer {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|e| unreadable(folder, &e))? {
        let name = entry.map_err(|e| unreadable(folder, &e))?.file_name();
        names.push(name.into_string().map_err(|_| wrong(folder, "a name in it is not UTF-8"))?);
    }
    names.sort();
    Ok(Observed::List(names.into_iter().map(Observed::Text).collect()))
}

/// Whether something has a path, and is such.
pub(super) fn is(path: &Path, such: impl Fn(&Metadata) -> bool) -> Answer {
    match std::fs::metadata(path) {
        Ok(data) => Ok(truth(such(&data))),
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(truth(false))
        }
        Err(e) => Err(unreadable(path, &e)),
    }
}

/// The bytes of a file.
pub(super) fn size(path: &Path) -> Answer {
    let data = std::fs::metadata(path).map_err(|e| unreadable(path, &e))?;
    if !data.is_file() {
        return Err(wrong(path, "it is not a regular file"));
    }
    let bytes = i64::try_from(data.len()).map_err(|_| wrong(path, "its size has no 63 bits"))?;
    Ok(Observed::Array(Arc::new(Array::scalar(Scalar::I64(bytes)))))
}

/// A change of one path; `verb` says it in messages.
pub(super) fn changed(
    path: &Path,
    verb: &str,
    change: impl FnOnce(&Path) -> io::Result<()>,
) -> Answer {
    change(path).map(|()| done()).map_err(|e| unchanged(path, verb, &e))
}

fn unchanged(path: &Path, verb: &str, e: &io::Error) -> Refused {
    let headline = format!("cannot {verb} `{}`: {}", path.display(), file_failure(e));
    Refused::File(Box::new(Diagnostic::error(Code::E1105, headline)))
}

/// A file under another path.
pub(super) fn moved(from: &Path, to: &Path) -> Answer {
    let data = std::fs::symlink_metadata(from).map_err(|e| unchanged(from, "move", &e))?;
    if data.is_dir() {
        return Err(unchanged(from, "move", &io::ErrorKind::IsADirectory.into()));
    }
    std::fs::rename(from, to).map(|()| done()).map_err(|e| unchanged(from, "move", &e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_a_folder_and_a_last_component() {
        let cases = [
            ("a/b.npy", ("a", "b.npy")),
            ("b.npy", ("", "b.npy")),
            ("/b", ("/", "b")),
            ("a//b", ("a", "b")),
            ("a/b/", ("a/b", "")),
            ("//", ("//", "")),
            ("", ("", "")),
        ];
        for (path, expected) in cases {
            assert_eq!(halves(path), expected, "{path}");
        }
    }

    #[test]
    fn paths_are_seen_from_each_other() {
        let seen = |a: &str, b: &str| relative(Path::new(a), Path::new(b)).unwrap();
        assert_eq!(seen("/a/b/c", "/a/d"), Path::new("../b/c"));
        assert_eq!(seen("/a", "/a/./x/.."), Path::new("."));
        assert_eq!(seen("x/y", "x"), Path::new("y"));
        assert_eq!(absolute(Path::new("/../a/../b/.")).unwrap(), Path::new("/b"));
    }
}
