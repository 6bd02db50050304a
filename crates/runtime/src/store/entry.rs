//! One file of a store: a key, what is kept under it, and a checksum of both.

use std::io::{self, Read, Write};

/// The first bytes of every entry; the last of them counts the versions of this layout.
const MAGIC: [u8; 16] = *b"weft machine \0\0\x01";

const CHECKSUM: usize = blake3::OUT_LEN;
const HEADER: usize = MAGIC.len() + 16;

/// A number for a key, different for different keys as far as anyone can tell. Entries
/// state their keys all the same.
pub struct Digest(blake3::Hash);

impl Digest {
    pub fn of(key: &[u8]) -> Digest {
        Digest(blake3::hash(key))
    }

    /// 64 hexadecimal digits.
    pub fn hex(&self) -> String {
        self.0.to_hex().to_string()
    }

    /// Whether a name is one that [`Digest::hex`] gives.
    pub fn is_hex(name: &str) -> bool {
        name.len() == 2 * blake3::OUT_LEN
            && name.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    }
}

/// Writes an entry.
pub fn write(to: &mut impl Write, key: &[u8], content: &[u8]) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(HEADER + key.len() + content.len() + CHECKSUM);
    bytes.extend(MAGIC);
    bytes.extend((key.len() as u64).to_le_bytes());
    bytes.extend((content.len() as u64).to_le_bytes());
    bytes.extend(key);
    bytes.extend(content);
    let checksum = blake3::hash(&bytes);
    bytes.extend(checksum.as_bytes());
    to.write_all(&bytes)
}

/// What an entry of this key holds; nothing where it is none, or is damaged.
pub fn read(from: &mut impl Read, key: &[u8]) -> Option<Vec<u8>> {
    let mut header = [0; HEADER];
    from.read_exact(&mut header).ok()?;
    let (magic, lengths) = header.split_at(MAGIC.len());
    let length = |at: usize| u64::from_le_bytes(lengths[at..at + 8].try_into().expect("8 bytes"));
    let expected = length(0).checked_add(length(8))?.checked_add(CHECKSUM as u64)?;
    if magic != MAGIC || length(0) != key.len() as u64 {
        return None;
    }
    let mut rest = Vec::new();
    // One byte more than expected shows that the file is longer than it says.
    from.take(expected.checked_add(1)?).read_to_end(&mut rest).ok()?;
    if rest.len() as u64 != expected || !rest.starts_with(key) {
        return None;
    }
    let checksum = rest.split_off(rest.len() - CHECKSUM);
    let found = blake3::Hasher::new().update(&header).update(&rest).finalize();
    (found.as_bytes()[..] == checksum[..]).then(|| rest.split_off(key.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&mut bytes, b"key", b"some content").unwrap();
        bytes
    }

    #[test]
    fn an_entry_reads_back_under_its_key_only() {
        assert_eq!(read(&mut &entry()[..], b"key").unwrap(), b"some content");
        assert_eq!(read(&mut &entry()[..], b"kez"), None);
        assert_eq!(read(&mut &entry()[..], b"keys"), None);
    }

    #[test]
    fn no_damaged_entry_is_believed() {
        let whole = entry();
        for at in 0..whole.len() {
            assert_eq!(read(&mut &whole[..at], b"key"), None, "cut at {at}");
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            assert_eq!(read(&mut &damaged[..], b"key"), None, "changed at {at}");
        }
        let longer = [&whole[..], b"\0"].concat();
        assert_eq!(read(&mut &longer[..], b"key"), None);
    }
}
