//! Functions of files: a table of their names, parameters and effects. Whoever runs a program
//! computes them; `std/io.ein` states what they give, except for those that read arrays, which give
//! what the program states at the call.

/// A function of files, or of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileOp {
    /// The working directory of the process.
    CurrentDir,
    /// The folder of the program's file.
    ScriptDir,
    /// A path seen from there.
    ResolveRelativeToScript,
    /// The names in a folder, sorted.
    ListDir,
    /// Whether something has that path.
    FileExists,
    /// Whether it is a file.
    IsFile,
    /// Whether it is a folder.
    IsDir,
    /// Bytes of a file.
    FileSize,
    /// A text file as a string.
    ReadFile,
    /// A string as a text file.
    WriteFile,
    /// A string behind what a text file holds.
    AppendFile,
    /// A file no more.
    DeleteFile,
    /// A folder, with those around it.
    CreateDir,
    /// An empty folder no more.
    RemoveDir,
    /// A file once more.
    CopyFile,
    /// A file under another path.
    MoveFile,
    /// Components of a path, one below the other.
    JoinPath,
    /// A path as its folder and its last component.
    SplitPath,
    /// The last component.
    Basename,
    /// The folder.
    Dirname,
    /// A path from the root on, normalised.
    AbsolutePath,
    /// A path as seen from another.
    RelativePath,
    /// An array of a `.npy` file.
    LoadNpy,
    /// An array as a `.npy` file.
    SaveNpy,
    /// One array of an `.npz` file.
    LoadNpz,
    /// Arrays as an `.npz` file.
    SaveNpz,
    /// One tensor of a `.safetensors` file.
    LoadSafetensors,
    /// Tensors as a `.safetensors` file.
    SaveSafetensors,
    /// The names of the arrays in such files.
    EntryNames,
    /// Numbers of a text file, in rows.
    LoadCsv,
    /// Numbers as a text file, in rows.
    SaveCsv,
    /// An image, channels first.
    LoadPng,
    /// Numbers as an image.
    SavePng,
    /// A grey image.
    LoadPgm,
    /// Numbers as a grey image.
    SavePgm,
}

/// A kind of argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// An integer.
    Integer,
    /// A tensor or a number.
    Tensor,
    /// A tuple of tensors.
    Tensors,
}

/// The value of an argument that a call leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileDefault {
    /// This text.
    Text(&'static str),
    /// This integer.
    Integer(i64),
}

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileParam {
    /// Its name.
    pub name: &'static str,
    /// Its kind.
    pub kind: FileKind,
    /// Its default, where it has one.
    pub default: Option<FileDefault>,
}

/// How a function of files and the files themselves depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileEffect {
    /// It looks at no file.
    None,
    /// It looks at files: in its turn among those that change them.
    Looks,
    /// It changes files: once, whether its value is looked at or not.
    Changes,
}

/// How a program says of which type an array in a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stated {
    /// By an annotation, which the file must have.
    Held,
    /// By `as`, which converts.
    Converted,
}

/// A function of files where it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileCall {
    /// The function.
    pub op: FileOp,
    /// The way its type is stated.
    pub stated: Stated,
}

const fn required(name: &'static str, kind: FileKind) -> FileParam {
    FileParam { name, kind, default: None }
}

const PATH: FileParam = required("path", FileKind::Text);
const NAME: FileParam = required("name", FileKind::Text);
const NAMES: FileParam = required("names", FileKind::Texts);
const CONTENT: FileParam = required("content", FileKind::Text);
const SOURCE: FileParam = required("src", FileKind::Text);
const TARGET: FileParam = required("dst", FileKind::Text);
const ARRAY: FileParam = required("arr", FileKind::Tensor);
const IMAGE: FileParam = required("img", FileKind::Tensor);
const PARTS: FileParam = required("parts", FileKind::Texts);
const START: FileParam = required("start", FileKind::Text);
const ARRAYS: FileParam = required("arrays", FileKind::Tensors);
const TENSORS: FileParam = required("tensors", FileKind::Tensors);
const HEADER: FileParam = required("header", FileKind::Text);
const GIVEN_SEPARATOR: FileParam = required("sep", FileKind::Text);
const SKIPPED: FileParam = FileParam {
    name: "skip_rows",
    kind: FileKind::Integer,
    default: Some(FileDefault::Integer(0)),
};
const SEPARATOR: FileParam =
    FileParam { name: "sep", kind: FileKind::Text, default: Some(FileDefault::Text(",")) };

impl FileOp {
    /// All of them.
    pub const ALL: [FileOp; 35] = [
        FileOp::CurrentDir,
        FileOp::ScriptDir,
        FileOp::ResolveRelativeToScript,
        FileOp::ListDir,
        FileOp::FileExists,
        FileOp::IsFile,
        FileOp::IsDir,
        FileOp::FileSize,
        FileOp::ReadFile,
        FileOp::WriteFile,
        FileOp::AppendFile,
        FileOp::DeleteFile,
        FileOp::CreateDir,
        FileOp::RemoveDir,
        FileOp::CopyFile,
        FileOp::MoveFile,
        FileOp::JoinPath,
        FileOp::SplitPath,
        FileOp::Basename,
        FileOp::Dirname,
        FileOp::AbsolutePath,
        FileOp::RelativePath,
        FileOp::LoadNpy,
        FileOp::SaveNpy,
        FileOp::LoadNpz,
        FileOp::SaveNpz,
        FileOp::LoadSafetensors,
        FileOp::SaveSafetensors,
        FileOp::EntryNames,
        FileOp::LoadCsv,
        FileOp::SaveCsv,
        FileOp::LoadPng,
        FileOp::SavePng,
        FileOp::LoadPgm,
        FileOp::SavePgm,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Its path, as a program has it.
    pub fn path(self) -> String {
        format!("std::io::{}", self.name())
    }

    /// Its parameters, those with defaults last.
    pub fn params(self) -> &'static [FileParam] {
        self.row().1
    }

    /// Its part in the order of files.
    pub fn effect(self) -> FileEffect {
        self.row().2
    }

    /// Whether it gives a tensor of the type that a call states.
    pub fn gives_array(self) -> bool {
        matches!(
            self,
            FileOp::LoadNpy
                | FileOp::LoadNpz
                | FileOp::LoadSafetensors
                | FileOp::LoadCsv
                | FileOp::LoadPng
                | FileOp::LoadPgm
        )
    }

    /// The function of a name.
    pub fn from_name(name: &str) -> Option<FileOp> {
        FileOp::ALL.into_iter().find(|op| op.name() == name)
    }

    fn row(self) -> (&'static str, &'static [FileParam], FileEffect) {
        use FileEffect::{Changes, Looks, None};
        match self {
            FileOp::CurrentDir => ("current_dir", &[], None),
            FileOp::ScriptDir => ("script_dir", &[], None),
            FileOp::ResolveRelativeToScript => ("resolve_relative_to_script", &[PATH], None),
            FileOp::ListDir => ("list_dir", &[PATH], Looks),
            FileOp::FileExists => ("file_exists", &[PATH], Looks),
            FileOp::IsFile => ("is_file", &[PATH], Looks),
            FileOp::IsDir => ("is_dir", &[PATH], Looks),
            FileOp::FileSize => ("file_size", &[PATH], Looks),
            FileOp::ReadFile => ("read_file", &[PATH], Looks),
            FileOp::WriteFile => ("write_file", &[PATH, CONTENT], Changes),
            FileOp::AppendFile => ("append_file", &[PATH, CONTENT], Changes),
            FileOp::DeleteFile => ("delete_file", &[PATH], Changes),
            FileOp::CreateDir => ("create_dir", &[PATH], Changes),
            FileOp::RemoveDir => ("remove_dir", &[PATH], Changes),
            FileOp::CopyFile => ("copy_file", &[SOURCE, TARGET], Changes),
            FileOp::MoveFile => ("move_file", &[SOURCE, TARGET], Changes),
            FileOp::JoinPath => ("join_path", &[PARTS], None),
            FileOp::SplitPath => ("split_path", &[PATH], None),
            FileOp::Basename => ("basename", &[PATH], None),
            FileOp::Dirname => ("dirname", &[PATH], None),
            FileOp::AbsolutePath => ("absolute_path", &[PATH], None),
            FileOp::RelativePath => ("relative_path", &[PATH, START], None),
            FileOp::LoadNpy => ("load_npy", &[PATH], Looks),
            FileOp::SaveNpy => ("save_npy", &[PATH, ARRAY], Changes),
            FileOp::LoadNpz => ("load_npz", &[PATH, NAME], Looks),
            FileOp::SaveNpz => ("save_npz", &[PATH, NAMES, ARRAYS], Changes),
            FileOp::LoadSafetensors => ("load_safetensors", &[PATH, NAME], Looks),
            FileOp::SaveSafetensors => ("save_safetensors", &[PATH, NAMES, TENSORS], Changes),
            FileOp::EntryNames => ("entry_names", &[PATH], Looks),
            FileOp::LoadCsv => ("load_csv", &[PATH, SKIPPED, SEPARATOR], Looks),
            FileOp::SaveCsv => ("save_csv", &[PATH, ARRAY, HEADER, GIVEN_SEPARATOR], Changes),
            FileOp::LoadPng => ("load_png", &[PATH], Looks),
            FileOp::SavePng => ("save_png", &[PATH, IMAGE], Changes),
            FileOp::LoadPgm => ("load_pgm", &[PATH], Looks),
            FileOp::SavePgm => ("save_pgm", &[PATH, IMAGE], Changes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_function_has_a_name_of_its_own_and_defaults_last() {
        for op in FileOp::ALL {
            assert_eq!(FileOp::from_name(op.name()), Some(op));
            let defaults = op.params().iter().map(|p| p.default.is_some());
            assert!(defaults.is_sorted(), "{}", op.name());
        }
    }
}
