//! `weft new`: a project to begin with.

use crate::console::{self, Console};
use crate::project;
use crate::status::Status;
use clap::Args;
use std::io;
use std::path::{Path, PathBuf};

/// Makes a project: a program, a module, and their tests
#[derive(Args, Debug)]
pub struct NewArgs {
    /// The folder to make; its last part is the project's name
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}

const MAIN: &str = "\
// The program: `weft run`.

use model::mean_square;

let x[i in 0..4] = 0.5 * i;
print(\"mean square: {mean_square(x):.3f}\");
";

const MODEL: &str = "\
// A module: functions and constants that programs use.

// The mean of the squares, of a tensor of rank 1.
pub fn mean_square(x) { mean[i](x[i] ** 2) }

// Functions whose names begin with `test_` are tests: `weft test`.
fn test_mean_square() {
    assert(mean_square([3.0, 3.0]) > 8.99 && mean_square([3.0, 3.0]) < 9.01, \"of equal numbers\");
}
";

const TEST: &str = "\
// A file whose name ends in `_test.ein` is a test.

use model::mean_square;

assert(mean_square([1.0, 2.0]) > 2.49);
assert(mean_square([1.0, 2.0]) < 2.51);
";

/// Makes a project; what is there already is left alone.
pub fn new(args: &NewArgs, console: &mut Console) -> Status {
    let folder = &args.folder;
    let name = folder.file_name().map(|n| n.to_string_lossy().into_owned());
    let Some(name) = name else {
        console::say(&format!("error: `{}` names no folder", folder.display()));
        return Status::Usage;
    };
    if !weft::is_name(&name) {
        console::say(&format!(
            "error: `{name}` is no name for a project\n\
             help: a name consists of ASCII letters, digits and `_`, begins with no digit, and is \
             no reserved word: it may stand in a program"
        ));
        return Status::Usage;
    }
    if folder.exists() && std::fs::read_dir(folder).map_or(true, |mut all| all.next().is_some()) {
        console::say(&format!("error: `{}` exists, and is not empty", folder.display()));
        return Status::Failed;
    }
    match write_all(folder, &name) {
        Ok(()) => {
            let shown = folder.display();
            let hint = format!("made `{shown}`; try `cd {shown} && weft run`\n");
            match console.out().write_all(hint.as_bytes()) {
                Ok(()) => Status::Done,
                Err(e) => Status::of_write_error(&e),
            }
        }
        Err(e) => {
            console::say(&format!("error: cannot make `{}`: {e}", folder.display()));
            Status::Failed
        }
    }
}

fn write_all(folder: &Path, name: &str) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let name = toml::Value::String(name.to_string());
    let project = format!("[project]\nname = {name}\nentry = \"main.ein\"\n");
    std::fs::write(folder.join(project::FILE), project)?;
    std::fs::write(folder.join("main.ein"), MAIN)?;
    std::fs::write(folder.join("model.ein"), MODEL)?;
    std::fs::write(folder.join("model_test.ein"), TEST)
}
