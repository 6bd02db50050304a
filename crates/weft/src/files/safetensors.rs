//! Files of tensors in the format of `safetensors`: the length of a header, the header in JSON,
//! the numbers. A tensor is read by itself, where it stands; the file is not mapped, since who
//! shortens it would end the process.

use super::array::Wanted;
use super::npz::missing;
use super::{unreadable, wrong};
use crate::npy::{Numbers, count, file_failure, write_numbers};
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use weft_host::Refused;
use weft_scalar::ScalarType;
use weft_tensor::{Array, Data};

/// The longest header that is read; the format's own limit.
const LONGEST: u64 = 100_000_000;
/// Numbers begin at a multiple of this.
const ALIGNMENT: usize = 8;
/// The entry that names no tensor.
const METADATA: &str = "__metadata__";

/// The types by the format's names.
const NAMES: [(&str, ScalarType); 14] = [
    ("BOOL", ScalarType::Bool),
    ("I8", ScalarType::I8),
    ("I16", ScalarType::I16),
    ("I32", ScalarType::I32),
    ("I64", ScalarType::I64),
    ("U8", ScalarType::U8),
    ("U16", ScalarType::U16),
    ("U32", ScalarType::U32),
    ("U64", ScalarType::U64),
    ("F8_E4M3", ScalarType::F8e4m3),
    ("F16", ScalarType::F16),
    ("BF16", ScalarType::Bf16),
    ("F32", ScalarType::F32),
    ("F64", ScalarType::F64),
];

/// One tensor.
pub(super) fn load(path: &Path, name: &str, wanted: &Wanted<'_>) -> Result<Array, Refused> {
    let fail = |why: String| wrong(path, &why);
    let mut opened = open(path)?;
    let Some(entry) = opened.header.get(name).filter(|_| name != METADATA) else {
        return Err(missing(path, name, &tensors(&opened.header)));
    };
    let place = Place::of(entry, opened.there).map_err(|why| fail(format!("`{name}`: {why}")))?;
    wanted.admit(path, place.elem, &place.shape)?;
    let begin = SeekFrom::Start(opened.begin + place.begin);
    opened.file.seek(begin).map_err(|e| unreadable(path, &e))?;
    let mut numbers = Numbers { from: &mut opened.file, count: place.count, big: false };
    let data = Data::from_words(place.elem, &mut numbers).map_err(fail)?;
    let array = Array::new(place.shape, data).expect("the count is the product of the extents");
    Ok(wanted.take(array))
}

/// The names of the tensors, in the order of the alphabet.
pub(super) fn names(path: &Path) -> Result<Vec<String>, Refused> {
    Ok(tensors(&open(path)?.header))
}

fn tensors(header: &Map<String, Value>) -> Vec<String> {
    let mut names: Vec<String> = header.keys().filter(|n| *n != METADATA).cloned().collect();
    names.sort();
    names
}

/// A file of which the header was read.
struct Opened {
    file: BufReader<File>,
    header: Map<String, Value>,
    /// The byte that offsets count from.
    begin: u64,
    /// Bytes from there on.
    there: u64,
}

fn open(path: &Path) -> Result<Opened, Refused> {
    opened(path).map_err(|why| wrong(path, &why))
}

fn opened(path: &Path) -> Result<Opened, String> {
    let file = weft_runtime::open_regular(path).map_err(|e| file_failure(&e))?;
    let total = file.metadata().map_err(|e| file_failure(&e))?.len();
    let mut file = BufReader::new(file);
    let mut length = [0; 8];
    file.read_exact(&mut length).map_err(|_| damaged("it ends before the header"))?;
    let length = u64::from_le_bytes(length);
    let there = total.saturating_sub(8).checked_sub(length).filter(|_| length <= LONGEST);
    let there = there.ok_or_else(|| damaged(&format!("its header would have {length} bytes")))?;
    let mut text = vec![0; length as usize];
    file.read_exact(&mut text).map_err(|e| file_failure(&e))?;
    match serde_json::from_slice(&text) {
        Ok(Value::Object(header)) => Ok(Opened { file, header, begin: 8 + length, there }),
        Ok(_) => Err(damaged("its header is no object")),
        Err(e) => Err(damaged(&format!("its header is no JSON: {e}"))),
    }
}

fn damaged(why: &str) -> String {
    format!("it is no safetensors file ({why})")
}

/// Where a tensor stands.
struct Place {
    elem: ScalarType,
    shape: Vec<usize>,
    /// The product of the extents.
    count: usize,
    /// Its first byte behind the header.
    begin: u64,
}

impl Place {
    /// Reads an entry of a header; the reason where it is none that `there` bytes could hold.
    fn of(entry: &Value, there: u64) -> Result<Place, String> {
        let dtype = entry.get("dtype").and_then(Value::as_str).ok_or("its type is missing")?;
        let known = NAMES.iter().find(|(n, _)| *n == dtype);
        let (_, elem) = known.ok_or_else(|| format!("element type `{dtype}` is not supported"))?;
        let extents = entry.get("shape").and_then(Value::as_array).ok_or("its shape is missing")?;
        let extent =
            |n: &Value| n.as_u64().filter(|n| i64::try_from(*n).is_ok()).map(|n| n as usize);
        let shape: Option<Vec<usize>> = extents.iter().map(extent).collect();
        let shape = shape.ok_or("an extent is none")?;
        let count = count(&shape).ok_or("its extents have no product in 64 bits")?;
        let offsets = entry.get("data_offsets").and_then(Value::as_array);
        let offsets: Option<Vec<u64>> =
            offsets.and_then(|all| all.iter().map(Value::as_u64).collect());
        let Some(&[begin, end]) = offsets.as_deref() else {
            return Err("its place is missing".to_string());
        };
        let needed = (count as u64).checked_mul(elem.bytes() as u64);
        if end > there || end.checked_sub(begin).is_none_or(|n| Some(n) != needed) {
            return Err(format!("{count} numbers do not stand at {begin}..{end} of {there} bytes"));
        }
        Ok(Place { elem: *elem, shape, count, begin })
    }
}

/// Writes tensors: those of wide numbers first, so that each number stands at a multiple of its
/// size.
pub(super) fn put(to: &mut impl Write, entries: &[(&str, &Array)]) -> io::Result<()> {
    let mut ordered: Vec<&(&str, &Array)> = entries.iter().collect();
    ordered.sort_by_key(|(_, a)| std::cmp::Reverse(a.elem().bytes()));
    if entries.iter().any(|(name, _)| *name == METADATA) {
        return Err(io::Error::other(format!("`{METADATA}` names no tensor in this format")));
    }
    let (mut header, mut at) = (Map::new(), 0u64);
    for (name, array) in &ordered {
        let end = at + (array.len() * array.elem().bytes()) as u64;
        let known = NAMES.iter().find(|(_, ty)| *ty == array.elem());
        let (dtype, _) = known.expect("every element type has a name");
        let entry = serde_json::json!({
            "dtype": dtype, "shape": array.shape(), "data_offsets": [at, end],
        });
        header.insert((*name).to_string(), entry);
        at = end;
    }
    let mut text = Value::Object(header).to_string();
    text.push_str(&" ".repeat(text.len().next_multiple_of(ALIGNMENT) - text.len()));
    to.write_all(&(text.len() as u64).to_le_bytes())?;
    to.write_all(text.as_bytes())?;
    ordered.iter().try_for_each(|(_, array)| write_numbers(to, array))
}
