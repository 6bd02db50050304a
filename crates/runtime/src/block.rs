//! Pieces of memory, and those that wait to be used again.
//!
//! Large ones come from the system page by page, as they are first written: asking for
//! much costs nothing, and Ctrl-C does not wait for it. The system zeroes each such page,
//! so a run that repeats itself gets its own pages back instead.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

/// Alignment of every block: a cache line, and the widest vector.
const ALIGNMENT: usize = 64;

/// From here on memory comes in pages of its own.
const MAPPED: usize = 1 << 20;

/// From here on it is asked for in huge pages, which take fewer faults.
const HUGE: usize = 4 << 20;

/// Memory that is initialised (with zeros or whatever was in it), freed when dropped.
#[derive(Debug)]
pub(crate) struct Block {
    data: NonNull<u8>,
    size: usize,
}

// SAFETY: a block owns its memory, which holds plain numbers.
unsafe impl Send for Block {}
// SAFETY: shared access only reads the address.
unsafe impl Sync for Block {}

impl Block {
    /// So many zeros; nothing where the system has no more memory.
    pub fn zeroed(size: usize) -> Option<Block> {
        // Never of size 0, which the allocator does not take.
        let size = size.max(1);
        let data = if size < MAPPED { allocate(size)? } else { map(size)? };
        Some(Block { data, size })
    }

    /// Its address.
    pub fn address(&self) -> NonNull<u8> {
        self.data
    }

    /// Its size in bytes.
    pub fn size(&self) -> usize {
        self.size
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if self.size < MAPPED {
            // SAFETY: allocated with this layout, freed once.
            return unsafe { dealloc(self.data.as_ptr(), layout(self.size)) };
        }
        // SAFETY: mapped with this size, unmapped once. It fails only for bad arguments.
        let _ = unsafe { rustix::mm::munmap(self.data.as_ptr().cast(), self.size) };
    }
}

fn layout(size: usize) -> Layout {
    Layout::from_size_align(size, ALIGNMENT).expect("a size below that of mapped blocks")
}

fn allocate(size: usize) -> Option<NonNull<u8>> {
    // SAFETY: the size is not 0.
    NonNull::new(unsafe { alloc_zeroed(layout(size)) })
}

fn map(size: usize) -> Option<NonNull<u8>> {
    use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous};
    let access = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: a mapping at a place of the system's choice touches no other memory.
    let data = unsafe { mmap_anonymous(std::ptr::null_mut(), size, access, MapFlags::PRIVATE) };
    let data = data.ok()?;
    if size >= HUGE {
        // SAFETY: the mapping is ours, and this advice does not change its contents. Not to
        // be heard is no failure.
        let _ = unsafe { madvise(data, size, Advice::LinuxHugepage) };
    }
    NonNull::new(data.cast())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_zeros_of_any_size() {
        for size in [0, 1, 63, MAPPED - 1, MAPPED, HUGE + 1] {
            let block = Block::zeroed(size).unwrap();
            assert_eq!(block.address().as_ptr() as usize % ALIGNMENT, 0);
            // SAFETY: this many bytes are the block's.
            let bytes = unsafe { std::slice::from_raw_parts(block.address().as_ptr(), size) };
            assert!(bytes.iter().all(|&b| b == 0));
        }
        assert!(Block::zeroed(usize::MAX / 2).is_none());
        assert!(Block::zeroed(1 << 50).is_none());
    }
}
