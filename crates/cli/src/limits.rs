//! Sizes on the command line, and how much memory there is.

/// The part of the machine's memory that tensors may take where no limit is given, as a
/// divisor: the rest is for other programs, and for files that the system keeps at hand.
const SHARE: u64 = 2;

/// Where nothing can be learned of the machine.
const UNKNOWN_MACHINE_BYTES: u64 = 4 << 30;

/// Bytes from `512M`, `1.5G`, `2GiB`, `1000000`. The suffixes are powers of 1024.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let at = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, suffix) = text.split_at(at);
    let unit = unit(suffix.trim()).ok_or_else(|| expected(text))?;
    if let Ok(n) = number.parse::<u64>() {
        return n.checked_mul(unit).ok_or_else(|| format!("`{text}` is too large"));
    }
    let n: f64 = number.parse().map_err(|_| expected(text))?;
    let bytes = n * unit as f64;
    if bytes < u64::MAX as f64 { Ok(bytes as u64) } else { Err(format!("`{text}` is too large")) }
}

fn unit(suffix: &str) -> Option<u64> {
    let shift = match suffix.to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        "T" | "TB" | "TIB" => 40,
        _ => return None,
    };
    Some(1 << shift)
}

fn expected(text: &str) -> String {
    format!("`{text}` is no size; a size is a number of bytes, or one with K, M, G or T")
}

/// The limit where none is given: half of what the machine or its container has.
pub fn default_memory() -> u64 {
    let machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|t| total_memory(&t));
    let container = std::fs::read_to_string("/sys/fs/cgroup/memory.max");
    let container = container.ok().and_then(|t| t.trim().parse::<u64>().ok());
    let bytes = machine.into_iter().chain(container).min().unwrap_or(UNKNOWN_MACHINE_BYTES);
    bytes / SHARE
}

fn total_memory(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|l| l.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_suffixes_that_are_powers_of_1024() {
        assert_eq!(parse_bytes("1000"), Ok(1000));
        assert_eq!(parse_bytes("64K"), Ok(65_536));
        assert_eq!(parse_bytes("1.5m"), Ok(1_572_864));
        assert_eq!(parse_bytes("2 GiB"), Ok(2 << 30));
        assert_eq!(parse_bytes("1TB"), Ok(1 << 40));
    }

    #[test]
    fn what_is_no_size_is_refused() {
        for text in ["", "G", "-1", "1Q", "1e3", "..", "1.2.3M", "99999999999T", "nan"] {
            assert!(parse_bytes(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn meminfo_is_in_kibibytes() {
        assert_eq!(total_memory("MemTotal:       16 kB\nMemFree: 1 kB\n"), Some(16_384));
        assert_eq!(total_memory("nothing of the kind"), None);
    }
}
