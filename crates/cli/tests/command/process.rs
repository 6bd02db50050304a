//! Starts the command, and folders for its files.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// How a command ended.
#[derive(Debug)]
pub struct Ended {
    /// The exit status; -1 where a signal ended it.
    pub status: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// A command to be started.
pub struct Weft {
    command: Command,
    stdin: Vec<u8>,
}

/// `weft` with arguments, and without the environment's settings.
pub fn weft(args: &[&str]) -> Weft {
    let mut command = Command::new(env!("CARGO_BIN_EXE_weft"));
    command.args(args);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("WEFT_") {
            command.env_remove(name);
        }
    }
    command.env_remove("NO_COLOR").env_remove("RUST_BACKTRACE");
    Weft { command, stdin: Vec::new() }
}

impl Weft {
    /// With a variable of the environment.
    pub fn env(mut self, name: &str, value: &str) -> Weft {
        self.command.env(name, value);
        self
    }

    /// With these bytes on standard input.
    pub fn stdin(mut self, bytes: &[u8]) -> Weft {
        self.stdin = bytes.to_vec();
        self
    }

    /// In a folder.
    pub fn inside(mut self, folder: &Folder) -> Weft {
        self.command.current_dir(&folder.path);
        self
    }

    /// Starts it with all streams in our hands.
    pub fn start(mut self) -> Child {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.command.spawn().expect("the command starts");
        let mut stdin = child.stdin.take().expect("it was piped");
        // A command that ends early does not read everything.
        let _ = stdin.write_all(&self.stdin);
        child
    }

    /// Runs it to its end.
    pub fn finish(self) -> Ended {
        let out = self.start().wait_with_output().expect("it ends");
        Ended {
            status: out.status.code().unwrap_or(-1),
            stdout: String::from_utf8(out.stdout).expect("UTF-8"),
            stderr: String::from_utf8(out.stderr).expect("UTF-8"),
        }
    }
}

/// A folder that is gone after the test.
pub struct Folder {
    path: PathBuf,
    /// Whether another one holds it, and takes it away.
    inner: bool,
}

impl Folder {
    /// A fresh folder; the name tells tests apart.
    pub fn new(name: &str) -> Folder {
        let name = format!("weft-test-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Folder { path, inner: false }
    }

    /// A folder inside.
    pub fn inner(&self, name: &str) -> Folder {
        Folder { path: self.path.join(name), inner: true }
    }

    /// A path inside.
    pub fn path(&self, name: &str) -> String {
        self.path.join(name).display().to_string()
    }

    /// The names of the files inside, sorted.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.path).expect("it exists").flatten();
        let mut names: Vec<String> =
            entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.inner {
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}
