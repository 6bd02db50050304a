//! Results as files: `.npy` arrays, and the rest in `outputs.json`.
//!
//! Files appear together after success, or not at all: each is written under another
//! name first.

use std::fmt;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use weft_diag::{Code, Diagnostic};
use weft_host::{Observed, Outputs};
use weft_scalar::{Bf16, F8e4m3, F16, Scalar};
use weft_tensor::{Array, Data};

/// A file that could not be written.
#[derive(Debug)]
pub struct OutputError {
    /// Which.
    pub path: PathBuf,
    /// Why.
    pub error: std::io::Error,
}

impl From<OutputError> for Diagnostic {
    fn from(e: OutputError) -> Diagnostic {
        Diagnostic::error(Code::E1105, e.to_string())
    }
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write `{}`: {}", self.path.display(), self.error)
    }
}

/// Reads an array; the reason where the bytes are no `.npy` of a known element type.
pub(crate) fn read_array(reader: impl Read) -> Result<Array, String> {
    let file = npyz::NpyFile::new(reader).map_err(|e| format!("not a .npy file ({e})"))?;
    let shape: Vec<usize> = file.shape().iter().map(|&n| n as usize).collect();
    let fortran = file.order() == npyz::Order::Fortran;
    let text = match file.dtype() {
        npyz::DType::Plain(t) => t.to_string(),
        _ => return Err("structured arrays are not supported".into()),
    };
    let bad = |e: std::io::Error| format!("the data end early or are damaged ({e})");
    let data = match text.trim_start_matches(['<', '>', '=', '|']) {
        "b1" => Data::Bool(file.into_vec().map_err(bad)?),
        "i1" => Data::I8(file.into_vec().map_err(bad)?),
        "i2" => Data::I16(file.into_vec().map_err(bad)?),
        "i4" => Data::I32(file.into_vec().map_err(bad)?),
        "i8" => Data::I64(file.into_vec().map_err(bad)?),
        "u1" => Data::U8(file.into_vec().map_err(bad)?),
        "u2" => Data::U16(file.into_vec().map_err(bad)?),
        "u4" => Data::U32(file.into_vec().map_err(bad)?),
        "u8" => Data::U64(file.into_vec().map_err(bad)?),
        "f2" => {
            let halves: Vec<half::f16> = file.into_vec().map_err(bad)?;
            Data::F16(halves.into_iter().map(|x| F16(x.to_bits())).collect())
        }
        "f4" => Data::F32(file.into_vec().map_err(bad)?),
        "f8" => Data::F64(file.into_vec().map_err(bad)?),
        // What NumPy makes of the types of `ml_dtypes`: bytes without a meaning.
        "V1" => {
            let cells: Vec<Vec<u8>> = file.into_vec().map_err(bad)?;
            Data::F8e4m3(cells.into_iter().map(|b| F8e4m3(b[0])).collect())
        }
        "V2" => {
            let cells: Vec<Vec<u8>> = file.into_vec().map_err(bad)?;
            let bits = |b: Vec<u8>| Bf16(u16::from_le_bytes([b[0], b[1]]));
            Data::Bf16(cells.into_iter().map(bits).collect())
        }
        other => return Err(format!("element type `{other}` is not supported")),
    };
    let wrong = || "the data do not fit the shape".to_string();
    if fortran && shape.len() > 1 {
        let mut reversed = shape.clone();
        reversed.reverse();
        let stored = Array::new(reversed, data).ok_or_else(wrong)?;
        return Ok(transposed(&stored, &shape));
    }
    Array::new(shape, data).ok_or_else(wrong)
}

/// All axes in the opposite order.
fn transposed(stored: &Array, shape: &[usize]) -> Array {
    let mut out = Array::zeros(stored.elem(), shape.to_vec()).expect("as large as the other");
    let mut cell = vec![0i64; shape.len()];
    for at in 0..out.len() {
        let mirrored: Vec<i64> = cell.iter().rev().copied().collect();
        let from = stored.position(&mirrored).expect("inside");
        out.set(at, stored.get(from));
        for axis in (0..shape.len()).rev() {
            cell[axis] += 1;
            if (cell[axis] as usize) < shape[axis] {
                break;
            }
            cell[axis] = 0;
        }
    }
    out
}

fn write_npy(w: impl Write, a: &Array) -> std::io::Result<()> {
    use npyz::WriterBuilder;
    let shape: Vec<u64> = a.shape().iter().map(|&n| n as u64).collect();
    fn all<T: npyz::Serialize + npyz::AutoSerialize>(
        w: impl Write,
        shape: &[u64],
        data: impl Iterator<Item = T>,
    ) -> std::io::Result<()> {
        let mut out =
            npyz::WriteOptions::new().default_dtype().shape(shape).writer(w).begin_nd()?;
        out.extend(data)?;
        out.finish()
    }
    match a.data() {
        Data::Bool(d) => all(w, &shape, d.iter().copied()),
        Data::I8(d) => all(w, &shape, d.iter().copied()),
        Data::I16(d) => all(w, &shape, d.iter().copied()),
        Data::I32(d) => all(w, &shape, d.iter().copied()),
        Data::I64(d) => all(w, &shape, d.iter().copied()),
        Data::U8(d) => all(w, &shape, d.iter().copied()),
        Data::U16(d) => all(w, &shape, d.iter().copied()),
        Data::U32(d) => all(w, &shape, d.iter().copied()),
        Data::U64(d) => all(w, &shape, d.iter().copied()),
        Data::F8e4m3(d) => raw(w, "|V1", &shape, d.iter().map(|x| [x.0])),
        Data::F16(d) => all(w, &shape, d.iter().map(|x| half::f16::from_bits(x.0))),
        Data::Bf16(d) => raw(w, "<V2", &shape, d.iter().map(|x| x.0.to_le_bytes())),
        Data::F32(d) => all(w, &shape, d.iter().copied()),
        Data::F64(d) => all(w, &shape, d.iter().copied()),
    }
}

/// Elements that `.npy` has no type for, as their bytes.
fn raw<const N: usize>(
    w: impl Write,
    ty: &str,
    shape: &[u64],
    mut data: impl Iterator<Item = [u8; N]>,
) -> std::io::Result<()> {
    use npyz::WriterBuilder;
    let ty: npyz::TypeStr = ty.parse().map_err(std::io::Error::other)?;
    let dtype = npyz::DType::Plain(ty);
    let mut out =
        npyz::WriteOptions::<[u8]>::new().dtype(dtype).shape(shape).writer(w).begin_nd()?;
    data.try_for_each(|cell| out.push(&cell))?;
    out.finish()
}

/// Writes outputs: `dir/NAME.npy` for every tensor or number with the rest in
/// `dir/outputs.json` (if a directory is given), and single arrays to files of their own.
pub fn write_outputs(
    outputs: &Outputs,
    dir: Option<&Path>,
    files: &[(String, PathBuf)],
) -> Result<(), OutputError> {
    let mut staged: Vec<(PathBuf, PathBuf)> = Vec::new();
    let result = stage_files(outputs, dir, files, &mut staged);
    if result.is_err() {
        staged.iter().for_each(|(temporary, _)| drop(std::fs::remove_file(temporary)));
        return result;
    }
    for (temporary, path) in staged {
        std::fs::rename(&temporary, &path).map_err(|error| OutputError { path, error })?;
    }
    Ok(())
}

fn stage_files(
    outputs: &Outputs,
    dir: Option<&Path>,
    files: &[(String, PathBuf)],
    staged: &mut Vec<(PathBuf, PathBuf)>,
) -> Result<(), OutputError> {
    if let Some(dir) = dir {
        std::fs::create_dir_all(dir)
            .map_err(|error| OutputError { path: dir.to_path_buf(), error })?;
        let mut rest = serde_json::Map::new();
        for (name, value) in &outputs.named {
            stage_value(dir, name.as_str(), value, staged, &mut rest)?;
        }
        let text = serde_json::to_string_pretty(&serde_json::Value::Object(rest))
            .expect("strings and numbers are JSON");
        stage_file(dir.join("outputs.json"), staged, |w| writeln!(w, "{text}"))?;
    }
    for (name, path) in files {
        let value = outputs.named.iter().find(|(n, _)| n.as_str() == name).map(|(_, v)| v);
        match value {
            Some(Observed::Array(a)) => stage_file(path.clone(), staged, |w| write_npy(w, a))?,
            Some(other) => return Err(no_array(name, other, path)),
            None => {}
        }
    }
    Ok(())
}

/// Only arrays have a place in a `.npy` file.
fn no_array(name: &str, value: &Observed, path: &Path) -> OutputError {
    let kind = match value {
        Observed::Array(_) => "tensor",
        Observed::Text(_) => "string",
        Observed::Tuple(_) => "tuple",
        Observed::Record(..) => "struct or enum",
        Observed::List(_) => "list",
        Observed::Range(..) => "range",
        Observed::Function(_) => "function",
        Observed::Failure(_) => "failure",
    };
    let why = format!("`{name}` is a {kind}, and `.npy` holds tensors and numbers");
    OutputError { path: path.to_path_buf(), error: std::io::Error::other(why) }
}

/// A value as `print` shows it.
pub fn observed_text(value: &Observed) -> String {
    value.text()
}

/// A named output as the command line prints it: one line, or the name and the lines of
/// a tensor.
pub fn named_text(name: &str, value: &Observed) -> String {
    let text = observed_text(value);
    let gap = if text.contains('\n') { '\n' } else { ' ' };
    format!("{name} ={gap}{text}\n")
}

/// Arrays become files (members of tuples as `NAME.0.npy`), the rest goes to JSON.
fn stage_value(
    dir: &Path,
    name: &str,
    value: &Observed,
    staged: &mut Vec<(PathBuf, PathBuf)>,
    rest: &mut serde_json::Map<String, serde_json::Value>,
) -> Result<(), OutputError> {
    match value {
        Observed::Array(a) => {
            if a.shape().is_empty() {
                rest.insert(name.to_string(), json(a.get(0)));
            }
            stage_file(dir.join(format!("{name}.npy")), staged, |w| write_npy(w, a))
        }
        Observed::Text(t) => {
            rest.insert(name.to_string(), serde_json::Value::String(t.clone()));
            Ok(())
        }
        Observed::Tuple(members) => members
            .iter()
            .enumerate()
            .try_for_each(|(n, m)| stage_value(dir, &format!("{name}.{n}"), m, staged, rest)),
        Observed::Record(of, fields) => {
            rest.insert(name.to_string(), record_json(of, fields));
            fields.iter().enumerate().try_for_each(|(n, (field, v))| {
                let field = field.as_ref().map_or(n.to_string(), |f| f.to_string());
                stage_arrays(dir, &format!("{name}.{field}"), v, staged)
            })
        }
        other => {
            rest.insert(name.to_string(), value_json(other));
            Ok(())
        }
    }
}

/// The tensors inside a struct become files of their own.
fn stage_arrays(
    dir: &Path,
    name: &str,
    value: &Observed,
    staged: &mut Vec<(PathBuf, PathBuf)>,
) -> Result<(), OutputError> {
    match value {
        Observed::Array(a) => {
            stage_file(dir.join(format!("{name}.npy")), staged, |w| write_npy(w, a))
        }
        Observed::Tuple(members) => members
            .iter()
            .enumerate()
            .try_for_each(|(n, m)| stage_arrays(dir, &format!("{name}.{n}"), m, staged)),
        Observed::Record(_, fields) => fields.iter().enumerate().try_for_each(|(n, (f, v))| {
            let field = f.as_ref().map_or(n.to_string(), |f| f.to_string());
            stage_arrays(dir, &format!("{name}.{field}"), v, staged)
        }),
        _ => Ok(()),
    }
}

/// A struct or variant as JSON: its name, and its fields by name or in order. Tensors are
/// in files of their own.
fn record_json(
    of: &weft_base::Name,
    fields: &[(Option<weft_base::Name>, Observed)],
) -> serde_json::Value {
    let mut object = serde_json::Map::new();
    object.insert("type".into(), of.as_str().into());
    for (n, (field, v)) in fields.iter().enumerate() {
        let field = field.as_ref().map_or(n.to_string(), |f| f.to_string());
        object.insert(field, value_json(v));
    }
    serde_json::Value::Object(object)
}

fn value_json(value: &Observed) -> serde_json::Value {
    match value {
        Observed::Array(a) if a.shape().is_empty() => json(a.get(0)),
        Observed::Array(a) => {
            let shape: Vec<serde_json::Value> = a.shape().iter().map(|n| (*n).into()).collect();
            serde_json::json!({ "shape": shape })
        }
        Observed::Text(t) => t.as_str().into(),
        Observed::Tuple(all) | Observed::List(all) => all.iter().map(value_json).collect(),
        Observed::Record(of, fields) => record_json(of, fields),
        other => other.text().into(),
    }
}

/// NaN and infinities are strings: JSON has no numbers for them.
fn json(v: Scalar) -> serde_json::Value {
    match v {
        Scalar::Bool(b) => b.into(),
        Scalar::U64(n) => n.into(),
        _ => match (v.as_i64(), v.as_f64()) {
            (Some(n), _) => n.into(),
            (_, Some(x)) if x.is_finite() => x.into(),
            _ => weft_host::scalar_text(v).into(),
        },
    }
}

fn stage_file(
    path: PathBuf,
    staged: &mut Vec<(PathBuf, PathBuf)>,
    write: impl FnOnce(&mut std::io::BufWriter<std::fs::File>) -> std::io::Result<()>,
) -> Result<(), OutputError> {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let temporary = path.with_file_name(format!(".{name}.{}.partial", std::process::id()));
    let fail = |error| OutputError { path: path.clone(), error };
    let file = std::fs::File::create(&temporary).map_err(fail)?;
    staged.push((temporary, path.clone()));
    let mut out = std::io::BufWriter::new(file);
    write(&mut out).and_then(|()| out.flush()).map_err(fail)
}
