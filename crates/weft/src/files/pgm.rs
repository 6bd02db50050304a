//! Grey images of Netpbm: `P2` in digits, `P5` in bytes.

use super::array::Wanted;
use super::png::Image;
use super::{room_for, unreadable, wrong};
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use weft_host::Refused;
use weft_scalar::ScalarType;
use weft_tensor::Array;

/// An image `[1, h, w]` of `u8`, or of `u16` where its samples have two bytes.
pub(super) fn load(path: &Path, wanted: &Wanted<'_>) -> Result<Array, Refused> {
    let file = weft_runtime::open_regular(path).map_err(|e| unreadable(path, &e))?;
    let length = file.metadata().map_err(|e| unreadable(path, &e))?.len();
    let mut bytes = BufReader::new(file).bytes();
    let header = Header::read(&mut bytes).map_err(|why| wrong(path, &why))?;
    let elem = if header.most > 255 { ScalarType::U16 } else { ScalarType::U8 };
    let count = header.height.saturating_mul(header.width);
    // A sample takes a byte at least, whatever the header says.
    if count as u64 > length {
        return Err(wrong(path, &format!("the data end early: {length} bytes for {count} pixels")));
    }
    wanted.admit(path, elem, &[1, header.height, header.width])?;
    room_for((count as u64).saturating_mul(2), wanted.limit(), path)?;
    let samples = header.samples(&mut bytes, count).map_err(|why| wrong(path, &why))?;
    let shape = vec![1, header.height, header.width];
    let array = match elem {
        ScalarType::U16 => Array::from_vec(shape, samples),
        _ => Array::from_vec(shape, samples.iter().map(|v| *v as u8).collect()),
    };
    Ok(wanted.take(array.expect("as many samples as the extents say")))
}

struct Header {
    /// Whether samples are digits.
    digits: bool,
    width: usize,
    height: usize,
    /// What white is.
    most: u16,
}

impl Header {
    fn read(from: &mut impl Iterator<Item = io::Result<u8>>) -> Result<Header, String> {
        let digits = match (byte(from)?, byte(from)?) {
            (b'P', b'2') => true,
            (b'P', b'5') => false,
            _ => return Err("it is no PGM image: it does not begin with `P2` or `P5`".to_string()),
        };
        let extent = |n: u64| usize::try_from(n).ok().filter(|n| *n < 1 << 31);
        let (width, height) = (extent(number(from)?), extent(number(from)?));
        let most = u16::try_from(number(from)?).ok().filter(|n| *n > 0);
        match (width, height, most) {
            (Some(width), Some(height), Some(most)) => Ok(Header { digits, width, height, most }),
            _ => Err("it is no PGM image: its header has numbers that are too large".to_string()),
        }
    }

    fn samples(
        &self,
        from: &mut impl Iterator<Item = io::Result<u8>>,
        count: usize,
    ) -> Result<Vec<u16>, String> {
        let mut all = Vec::with_capacity(count);
        for _ in 0..count {
            let sample = match (self.digits, self.most > 255) {
                (true, _) => number(from)?,
                (false, true) => u64::from(u16::from_be_bytes([byte(from)?, byte(from)?])),
                (false, false) => u64::from(byte(from)?),
            };
            let sample = u16::try_from(sample).ok().filter(|v| *v <= self.most);
            let most = self.most;
            all.push(sample.ok_or_else(|| format!("a sample is above {most}, which is white"))?);
        }
        Ok(all)
    }
}

fn byte(from: &mut impl Iterator<Item = io::Result<u8>>) -> Result<u8, String> {
    match from.next() {
        Some(Ok(byte)) => Ok(byte),
        Some(Err(e)) => Err(e.to_string()),
        None => Err("the data end early".to_string()),
    }
}

/// A number in digits, with the white space behind it; blanks and comments before it are skipped.
fn number(from: &mut impl Iterator<Item = io::Result<u8>>) -> Result<u64, String> {
    let mut at = byte(from)?;
    while at.is_ascii_whitespace() || at == b'#' {
        while at == b'#' {
            while at != b'\n' {
                at = byte(from)?;
            }
        }
        at = byte(from)?;
    }
    let mut value = 0u64;
    loop {
        if !at.is_ascii_digit() {
            return Err(format!("`{}` is no digit of a number", at.escape_ascii()));
        }
        value = value.saturating_mul(10).saturating_add(u64::from(at - b'0'));
        match from.next() {
            Some(Ok(next)) if next.is_ascii_whitespace() => return Ok(value),
            Some(Ok(next)) => at = next,
            Some(Err(e)) => return Err(e.to_string()),
            None => return Ok(value),
        }
    }
}

/// Writes an image in bytes.
pub(super) fn put(to: &mut impl Write, image: &Image) -> io::Result<()> {
    let most = if image.wide { u16::MAX } else { u16::from(u8::MAX) };
    write!(to, "P5\n{} {}\n{most}\n", image.width, image.height)?;
    to.write_all(&image.bytes)
}
