//! The header of a `.npy` file: `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }`.

use std::io::Read;
use weft_scalar::ScalarType;

const MAGIC: &[u8] = b"\x93NUMPY";

/// The longest header that is read; NumPy's own limit.
const LONGEST: usize = 10_000;

/// Numbers begin at a multiple of this.
const ALIGNMENT: usize = 64;

/// What a file holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub form: Form,
    /// The first axis varies fastest.
    pub fortran: bool,
    pub shape: Vec<usize>,
}

/// How each number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub elem: ScalarType,
    /// The first byte weighs most.
    pub big: bool,
}

impl Header {
    /// Reads a header, and says how many bytes it took.
    pub fn read(from: &mut impl Read) -> Result<(Header, u64), String> {
        let ends = |_| "not a .npy file (it ends in its header)".to_string();
        let mut start = [0; 8];
        from.read_exact(&mut start).map_err(ends)?;
        let (magic, version) = start.split_at(MAGIC.len());
        if magic != MAGIC {
            return Err("not a .npy file (it does not begin like one)".into());
        }
        let width = match version[0] {
            1 => 2,
            2 | 3 => 4,
            n => return Err(format!("version {n} of .npy files is not known")),
        };
        let mut length = [0; 4];
        from.read_exact(&mut length[..width]).map_err(ends)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > LONGEST {
            return Err(format!("its header has {length} bytes, and {LONGEST} are the most"));
        }
        let mut text = vec![0; length];
        from.read_exact(&mut text).map_err(ends)?;
        let header = Header::parse(&text)?;
        Ok((header, (start.len() + width + length) as u64))
    }

    fn parse(text: &[u8]) -> Result<Header, String> {
        let mut words = Words { rest: text };
        let (mut form, mut fortran, mut shape) = (None, None, None);
        words.expect(b'{')?;
        while !words.take(b'}') {
            let key = words.string()?;
            words.expect(b':')?;
            match key {
                "descr" => form = Some(words.form()?),
                "fortran_order" => fortran = Some(words.truth()?),
                "shape" => shape = Some(words.shape()?),
                other => return Err(damaged(&format!("`{other}` is no part of a header"))),
            }
            if !words.take(b',') {
                words.expect(b'}')?;
                break;
            }
        }
        match (form, fortran, shape) {
            (Some(form), Some(fortran), Some(shape)) if words.at_end() => {
                Ok(Header { form, fortran, shape })
            }
            _ => Err(damaged("a part is missing, or something is behind it")),
        }
    }
}

fn damaged(why: &str) -> String {
    format!("its header is damaged: {why}")
}

/// A header's text, word by word.
struct Words<'t> {
    rest: &'t [u8],
}

impl<'t> Words<'t> {
    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    fn at_end(&mut self) -> bool {
        self.skip_blanks();
        self.rest.is_empty()
    }

    /// Takes a sign, if it is next.
    fn take(&mut self, sign: u8) -> bool {
        self.skip_blanks();
        let rest = self.rest.strip_prefix(&[sign]);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, sign: u8) -> Result<(), String> {
        match self.take(sign) {
            true => Ok(()),
            false => Err(damaged(&format!("`{}` is missing", char::from(sign)))),
        }
    }

    /// What stands before the first byte that does not belong.
    fn while_is(&mut self, belongs: impl Fn(&u8) -> bool) -> Result<&'t str, String> {
        let end = self.rest.iter().position(|b| !belongs(b)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        std::str::from_utf8(word).map_err(|_| damaged("it is no text"))
    }

    fn string(&mut self) -> Result<&'t str, String> {
        let quote = if self.take(b'"') { b'"' } else { b'\'' };
        if quote == b'\'' {
            self.expect(quote)?;
        }
        let text = self.while_is(|b| *b != quote)?;
        self.expect(quote)?;
        Ok(text)
    }

    fn truth(&mut self) -> Result<bool, String> {
        self.skip_blanks();
        match self.while_is(u8::is_ascii_alphabetic)? {
            "True" => Ok(true),
            "False" => Ok(false),
            _ => Err(damaged("`fortran_order` is neither `True` nor `False`")),
        }
    }

    fn shape(&mut self) -> Result<Vec<usize>, String> {
        self.expect(b'(')?;
        let mut shape = Vec::new();
        while !self.take(b')') {
            self.skip_blanks();
            let extent = self.while_is(u8::is_ascii_digit)?;
            let wrong = || damaged(&format!("`{extent}` is no extent"));
            let extent = extent.parse::<usize>().ok().filter(|n| i64::try_from(*n).is_ok());
            shape.push(extent.ok_or_else(wrong)?);
            // As Python 2 wrote long integers.
            self.take(b'L');
            if !self.take(b',') {
                self.expect(b')')?;
                break;
            }
        }
        Ok(shape)
    }

    fn form(&mut self) -> Result<Form, String> {
        if self.take(b'[') {
            return Err("structured arrays are not supported".into());
        }
        let text = self.string()?;
        let (order, name) =
            text.split_at(text.find(|c: char| c.is_ascii_alphanumeric()).unwrap_or(0));
        let big = match order {
            ">" => true,
            "=" => cfg!(target_endian = "big"),
            "<" | "|" | "" => false,
            _ => return Err(format!("element type `{text}` is not supported")),
        };
        match elem(name) {
            Some(elem) => Ok(Form { elem, big }),
            None => Err(format!("element type `{name}` is not supported")),
        }
    }
}

/// The types by NumPy's names. What it makes of those of `ml_dtypes` are bytes without a
/// meaning.
const NAMES: [(&str, ScalarType); 14] = [
    ("b1", ScalarType::Bool),
    ("i1", ScalarType::I8),
    ("i2", ScalarType::I16),
    ("i4", ScalarType::I32),
    ("i8", ScalarType::I64),
    ("u1", ScalarType::U8),
    ("u2", ScalarType::U16),
    ("u4", ScalarType::U32),
    ("u8", ScalarType::U64),
    ("V1", ScalarType::F8e4m3),
    ("f2", ScalarType::F16),
    ("V2", ScalarType::Bf16),
    ("f4", ScalarType::F32),
    ("f8", ScalarType::F64),
];

fn elem(name: &str) -> Option<ScalarType> {
    NAMES.iter().find(|(n, _)| *n == name).map(|(_, ty)| *ty)
}

/// The header of a file, with all that stands before the numbers.
pub(super) fn text(elem: ScalarType, shape: &[usize]) -> Vec<u8> {
    let name = NAMES.iter().find(|(_, ty)| *ty == elem).map_or("", |(name, _)| name);
    let order = if elem.bytes() == 1 { '|' } else { '<' };
    let extents: String = shape.iter().map(|n| format!("{n}, ")).collect();
    // One extent keeps its comma, by which it is a tuple.
    let extents =
        if shape.len() == 1 { extents.trim_end() } else { extents.trim_end_matches(", ") };
    let mut dict =
        format!("{{'descr': '{order}{name}', 'fortran_order': False, 'shape': ({extents}), }}");
    let long = dict.len() + ALIGNMENT > usize::from(u16::MAX);
    let (version, width) = if long { (2, 4) } else { (1, 2) };
    let before = MAGIC.len() + 2 + width;
    let padded = (before + dict.len() + 1).next_multiple_of(ALIGNMENT);
    dict.push_str(&" ".repeat(padded - before - dict.len() - 1));
    dict.push('\n');
    let mut bytes = MAGIC.to_vec();
    bytes.extend([version, 0]);
    bytes.extend(&(dict.len() as u32).to_le_bytes()[..width]);
    bytes.extend(dict.as_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(dict: &str) -> Result<Header, String> {
        Header::parse(dict.as_bytes())
    }

    #[test]
    fn headers_are_read_as_numpy_writes_them() {
        let header =
            read("{'descr': '>i2', 'fortran_order': True, 'shape': (3, 0), }   \n").unwrap();
        let form = Form { elem: ScalarType::I16, big: true };
        assert_eq!(header, Header { form, fortran: true, shape: vec![3, 0] });
        let header = read("{\"shape\":(5L,),\"fortran_order\":False,\"descr\":\"|b1\"}").unwrap();
        assert_eq!((header.form.elem, header.shape), (ScalarType::Bool, vec![5]));
        for shape in [&[][..], &[7], &[2, 3, 4]] {
            for (_, elem) in NAMES {
                let bytes = text(elem, shape);
                assert_eq!(bytes.len() % ALIGNMENT, 0);
                let (header, taken) = Header::read(&mut &bytes[..]).unwrap();
                assert_eq!((header.form.elem, &header.shape[..]), (elem, shape));
                assert_eq!((taken, header.fortran), (bytes.len() as u64, false));
            }
        }
    }

    #[test]
    fn what_is_no_header_is_told() {
        let cases = [
            ("", "`{` is missing"),
            ("{'descr': '<f8', 'shape': ()}", "a part is missing"),
            ("{'descr': '<f8', 'fortran_order': 1, 'shape': ()}", "neither `True`"),
            ("{'descr': '<f8', 'fortran_order': True, 'shape': (-1,)}", "`` is no extent"),
            (
                "{'descr': '<f8', 'fortran_order': True, 'shape': (9223372036854775808,)}",
                "no extent",
            ),
            ("{'descr': [('a', '<f8')]}", "structured arrays"),
            ("{'descr': '<c16'}", "element type `c16`"),
            ("{'descr': '<f8', 'fortran_order': True, 'shape': ()} x", "something is behind"),
            ("{'descr': \u{7f}", "`'` is missing"),
            ("{'fortran': True}", "`fortran` is no part"),
        ];
        for (dict, why) in cases {
            let found = read(dict).unwrap_err();
            assert!(found.contains(why), "{dict}: {found}");
        }
        let long = [MAGIC, &[2, 0], &400_000u32.to_le_bytes(), &[b'['; 400_000]].concat();
        assert!(Header::read(&mut &long[..]).unwrap_err().contains("400000 bytes"));
    }
}
