//! Arrays as `.npy` files.
//!
//! A header is a few words of Python in front of the numbers. What it says is not believed:
//! it is short, its extents multiply to something, and so many numbers are there, before any
//! memory is taken for them.

mod header;

use header::Header;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use weft_scalar::ScalarType;
use weft_tensor::{Array, Data, Elements, Words};

/// Numbers that are converted at a time.
const CHUNK: usize = 8192;

/// Reads a file; the reason where it is no array, or cannot be read.
pub(crate) fn read(path: &Path) -> Result<Array, String> {
    open(path)?.read()
}

/// The type and the rank of the array in a file; the reason where it is none.
pub(crate) fn kind(path: &Path) -> Result<(ScalarType, usize), String> {
    let stored = open(path)?;
    Ok((stored.elem(), stored.shape().len()))
}

/// A file of which the header was read; the reason where it has none.
pub(crate) fn open(path: &Path) -> Result<Stored<BufReader<File>>, String> {
    let file = weft_runtime::open_regular(path).map_err(|e| file_failure(&e))?;
    let length = file.metadata().map_err(|e| file_failure(&e))?.len();
    Stored::begin(BufReader::new(file), length)
}

/// An array of which the header was read, and no number yet.
pub(crate) struct Stored<R> {
    header: Header,
    numbers: R,
    /// The product of the extents.
    count: usize,
}

impl<R: Read> Stored<R> {
    /// Reads a header; `length` says how many bytes there are with it. The reason where these are
    /// too few.
    pub fn begin(mut from: R, length: u64) -> Result<Stored<R>, String> {
        let (header, taken) = Header::read(&mut from)?;
        let count = count(&header.shape)
            .ok_or_else(|| "the extents have no product in 64 bits".to_string())?;
        let there = length.saturating_sub(taken);
        let needed = (count as u64).checked_mul(header.form.elem.bytes() as u64);
        if needed.is_none_or(|needed| needed > there) {
            return Err(format!("the data end early: {there} bytes are there for {count} numbers"));
        }
        Ok(Stored { header, numbers: from, count })
    }

    /// The element type.
    pub fn elem(&self) -> ScalarType {
        self.header.form.elem
    }

    /// The extents.
    pub fn shape(&self) -> &[usize] {
        &self.header.shape
    }

    /// The array; the reason where the numbers are not there.
    pub fn read(mut self) -> Result<Array, String> {
        let Header { form, fortran, shape } = self.header;
        let mut numbers = Numbers { from: &mut self.numbers, count: self.count, big: form.big };
        let data = Data::from_words(form.elem, &mut numbers)?;
        let wrong = || "the data do not fit the shape".to_string();
        if fortran && shape.len() > 1 {
            let mut reversed = shape.clone();
            reversed.reverse();
            let stored = Array::new(reversed, data).ok_or_else(wrong)?;
            return transposed(&stored, &shape).ok_or_else(wrong);
        }
        Array::new(shape, data).ok_or_else(wrong)
    }
}

/// Why a file cannot be read, in the words of all that reads one.
pub fn file_failure(e: &io::Error) -> String {
    match e.kind() {
        io::ErrorKind::NotFound => "no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "it is a directory".into(),
        _ => e.to_string(),
    }
}

/// How many numbers a shape has; nothing where extents that are not 0 have no product that
/// an address could be.
pub(crate) fn count(shape: &[usize]) -> Option<usize> {
    let product =
        |n: usize, e: &usize| n.checked_mul((*e).max(1)).filter(|n| *n < isize::MAX as usize);
    let all = shape.iter().try_fold(1, product)?;
    Some(if shape.contains(&0) { 0 } else { all })
}

/// The numbers behind a header.
pub(crate) struct Numbers<'a, R> {
    pub from: &'a mut R,
    pub count: usize,
    /// Whether the most significant byte comes first.
    pub big: bool,
}

impl<R: Read> Words for Numbers<'_, R> {
    type Error = String;

    fn numbers<const N: usize, T>(
        &mut self,
        number: impl Fn([u8; N]) -> T,
    ) -> Result<Elements<T>, String> {
        let (mut out, count) = (Vec::new(), self.count);
        let refused = |_| format!("the system has no memory for {count} numbers");
        out.try_reserve_exact(count).map_err(refused)?;
        let mut bytes = vec![0; N * CHUNK.min(count)];
        while out.len() < count {
            let part = &mut bytes[..N * CHUNK.min(count - out.len())];
            self.from.read_exact(part).map_err(|e| format!("the data end early ({e})"))?;
            let (words, _) = part.as_chunks::<N>();
            out.extend(words.iter().map(|&(mut word)| {
                if self.big {
                    word.reverse();
                }
                number(word)
            }));
        }
        Ok(out.into())
    }
}

/// All axes in the opposite order.
fn transposed(stored: &Array, shape: &[usize]) -> Option<Array> {
    let mut out = Array::zeros(stored.elem(), shape.to_vec())?;
    let mut cell = vec![0i64; shape.len()];
    for at in 0..out.len() {
        let mirrored: Vec<i64> = cell.iter().rev().copied().collect();
        out.set(at, stored.get(stored.position(&mirrored)?));
        for axis in (0..shape.len()).rev() {
            cell[axis] += 1;
            if (cell[axis] as usize) < shape[axis] {
                break;
            }
            cell[axis] = 0;
        }
    }
    Some(out)
}

/// Writes an array.
pub(crate) fn write(to: &mut impl Write, a: &Array) -> io::Result<()> {
    to.write_all(&header::text(a.elem(), a.shape()))?;
    write_numbers(to, a)
}

/// Writes the numbers of an array, the least significant bytes first.
pub(crate) fn write_numbers(to: &mut impl Write, a: &Array) -> io::Result<()> {
    macro_rules! numbers {
        ($d:expr) => {
            put(to, $d, |x| x.to_le_bytes())
        };
    }
    match a.data() {
        Data::Bool(d) => put(to, d, |x| [u8::from(*x)]),
        Data::I8(d) => numbers!(d),
        Data::I16(d) => numbers!(d),
        Data::I32(d) => numbers!(d),
        Data::I64(d) => numbers!(d),
        Data::U8(d) => numbers!(d),
        Data::U16(d) => numbers!(d),
        Data::U32(d) => numbers!(d),
        Data::U64(d) => numbers!(d),
        Data::F8e4m3(d) => put(to, d, |x| [x.0]),
        Data::F16(d) => put(to, d, |x| x.0.to_le_bytes()),
        Data::Bf16(d) => put(to, d, |x| x.0.to_le_bytes()),
        Data::F32(d) => numbers!(d),
        Data::F64(d) => numbers!(d),
    }
}

fn put<const N: usize, T>(
    to: &mut impl Write,
    numbers: &[T],
    bytes: impl Fn(&T) -> [u8; N],
) -> io::Result<()> {
    let mut buffer = Vec::with_capacity(N * CHUNK);
    for part in numbers.chunks(CHUNK) {
        buffer.clear();
        part.iter().for_each(|x| buffer.extend(bytes(x)));
        to.write_all(&buffer)?;
    }
    Ok(())
}
