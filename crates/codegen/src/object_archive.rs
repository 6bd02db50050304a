//! An object's bytes: ELF files one after the other, each behind its length.

const WORD: usize = size_of::<u64>();

/// The bytes of an object of these files.
pub(crate) fn join(files: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(files.iter().map(|f| WORD + f.len()).sum());
    for file in files {
        bytes.extend((file.len() as u64).to_le_bytes());
        bytes.extend(file);
    }
    bytes
}

/// The files of an object; an error where the bytes are none.
pub(crate) fn split(bytes: &[u8]) -> Result<Vec<&[u8]>, String> {
    let mut files = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (file, after) = first(rest).ok_or("an object's pieces do not fit its length")?;
        files.push(file);
        rest = after;
    }
    Ok(files)
}

fn first(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<WORD>()?;
    rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_joined_is_split() {
        let files = [b"one".to_vec(), Vec::new(), b"three".to_vec()];
        assert_eq!(split(&join(&files)).unwrap(), files);
    }

    #[test]
    fn other_bytes_are_refused() {
        assert!(split(b"\x7fELF\x02\x01\x01\x00rest").is_err());
        assert!(split(&join(&[vec![1; 20]])[..25]).is_err());
        assert!(split(b"short").is_err());
    }
}
