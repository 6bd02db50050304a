//! Numbers in text files: a line for each row, a separator between columns.

use super::array::Wanted;
use super::{room_for, unreadable, wrong};
use std::fmt::Display;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use weft_host::Refused;
use weft_scalar::Scalar;
use weft_tensor::{Array, Data};

/// The numbers of a file behind its first lines, each read as the stated type.
pub(super) fn load(
    path: &Path,
    skipped: i64,
    separator: &str,
    wanted: &Wanted<'_>,
) -> Result<Array, Refused> {
    let separator = one_byte("load_csv", separator)?;
    let Ok(skipped) = u64::try_from(skipped) else {
        return Err(Refused::Failed(format!("`load_csv` skips {skipped} lines, which is below 0")));
    };
    let file = weft_runtime::open_regular(path).map_err(|e| unreadable(path, &e))?;
    let mut lines = BufReader::new(file);
    for _ in 0..skipped {
        lines.skip_until(b'\n').map_err(|e| unreadable(path, &e))?;
    }
    let mut reader = csv::ReaderBuilder::new();
    reader.has_headers(false).flexible(true).delimiter(separator).trim(csv::Trim::All);
    let mut table = Rows { path, wanted, skipped, cells: Vec::new(), rows: 0, columns: None };
    let (mut reader, mut record) = (reader.from_reader(lines), csv::ByteRecord::new());
    while reader.read_byte_record(&mut record).map_err(|e| wrong(path, &e.to_string()))? {
        table.row(&record)?;
    }
    table.array()
}

/// The rows that were read so far.
struct Rows<'a> {
    path: &'a Path,
    wanted: &'a Wanted<'a>,
    /// Lines in front of the first one.
    skipped: u64,
    cells: Vec<Scalar>,
    rows: usize,
    columns: Option<usize>,
}

impl Rows<'_> {
    fn row(&mut self, record: &csv::ByteRecord) -> Result<(), Refused> {
        let line = record.position().map_or(0, csv::Position::line) + self.skipped;
        let (columns, found) = (*self.columns.get_or_insert(record.len()), record.len());
        if columns != found {
            let why = format!("line {line} has {found} columns, the lines before {columns}");
            return Err(wrong(self.path, &why));
        }
        let bytes = (self.cells.len() + found).saturating_mul(size_of::<Scalar>()) as u64;
        room_for(bytes, self.wanted.limit(), self.path)?;
        for (n, field) in record.iter().enumerate() {
            let text = String::from_utf8_lossy(field);
            let number = Scalar::parse(self.wanted.elem(), &text).ok_or_else(|| {
                let (column, elem) = (n + 1, self.wanted.elem());
                wrong(self.path, &format!("line {line}, column {column}: {text:?} is no {elem}"))
            })?;
            self.cells.push(number);
        }
        self.rows += 1;
        Ok(())
    }

    fn array(self) -> Result<Array, Refused> {
        let shape = vec![self.rows, self.columns.unwrap_or(0)];
        self.wanted.admit(self.path, self.wanted.elem(), &shape)?;
        let data = Data::from_scalars(self.wanted.elem(), &self.cells);
        Ok(Array::new(shape, data).expect("each row has its columns"))
    }
}

/// Numbers to be written.
pub(super) struct Table<'a> {
    numbers: &'a Array,
    header: &'a str,
    separator: &'a str,
}

impl<'a> Table<'a> {
    /// A table of a tensor of rank 1, which is a column, or 2; a failure of others.
    pub fn new(numbers: &'a Array, header: &'a str, separator: &'a str) -> Result<Self, Refused> {
        one_byte("save_csv", separator)?;
        match numbers.shape().len() {
            1 | 2 => Ok(Table { numbers, header, separator }),
            n => Err(Refused::Failed(format!(
                "`save_csv` writes tensors of rank 1 or 2, and this one has rank {n}"
            ))),
        }
    }

    /// Writes it.
    pub fn put(&self, to: &mut impl Write) -> io::Result<()> {
        if !self.header.is_empty() {
            writeln!(to, "{}", self.header)?;
        }
        let rows = self.numbers.shape()[0];
        let columns = self.numbers.shape().get(1).copied().unwrap_or(1);
        for row in 0..rows {
            for column in 0..columns {
                let before = if column == 0 { "" } else { self.separator };
                write!(to, "{before}{}", number(self.numbers.get(row * columns + column)))?;
            }
            writeln!(to)?;
        }
        Ok(())
    }
}

/// A number as it is read back; truth values are 0 and 1.
fn number(x: Scalar) -> impl Display {
    match x.as_bool() {
        Some(truth) => u8::from(truth).to_string(),
        None => x.number_text(),
    }
}

/// A separator: one ASCII character that is no part of a number, and no quote.
fn one_byte(function: &str, separator: &str) -> Result<u8, Refused> {
    match separator.as_bytes() {
        [c] if c.is_ascii() && !c.is_ascii_alphanumeric() && !b"+-.\"\r\n".contains(c) => Ok(*c),
        _ => Err(Refused::Failed(format!(
            "`{function}` is given the separator {separator:?}: it is one ASCII character that is no part of a number"
        ))),
    }
}
