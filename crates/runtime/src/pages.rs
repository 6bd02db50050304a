//! Where the bytes of a buffer lie: with the allocator, or on pages of their own.
//!
//! Pages of their own come from the system as they are first written: asking for much costs
//! nothing, and Ctrl-C does not wait for it.
//!
//! Large buffers get pages of their own, which the system is asked to make large ones: a
//! kernel that walks down a column of a matrix touches a page per row, and with small
//! pages spends its time looking them up.

use memmap2::{Advice, MmapMut};
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::{self, NonNull};

/// At which end of a buffer the next byte is one that nobody may touch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guard {
    /// In front of it.
    Before,
    /// Behind it.
    After,
}

/// Size and alignment of a large page.
const LARGE_PAGE: usize = 2 << 20;

// SAFETY: pages own their memory, which holds plain numbers.
unsafe impl Send for Pages {}
// SAFETY: shared access only reads the address.
unsafe impl Sync for Pages {}

/// From how many bytes on a buffer has pages of its own.
const OWN_PAGES: usize = 2 * LARGE_PAGE;

/// Alignment of every buffer: a cache line, and the widest vector.
const ALIGNMENT: usize = 64;

/// Bytes behind a buffer that are there too. Lanes behind its end are masked, but where their
/// page is not there the processor takes hundreds of cycles to find out that it need not be.
const SLACK: usize = 64;

/// Memory that is initialised, with zeros or what was written into it; given back when
/// dropped.
#[derive(Debug)]
pub(crate) enum Pages {
    /// From the allocator, with the layout it was asked for.
    Heap(NonNull<u8>, Layout),
    /// Mapped for this buffer alone, which begins at `offset` and has `bytes`.
    Own { pages: MmapMut, offset: usize, bytes: usize },
    /// Mapped for this buffer alone, between pages that nobody may touch.
    Guarded { map: NonNull<u8>, mapped: usize, offset: usize, bytes: usize },
}

impl Pages {
    /// `bytes` zeros; `None` where the system has no room for them.
    pub fn zeroed(bytes: usize) -> Option<Pages> {
        let pages = if bytes >= OWN_PAGES { Pages::own(bytes)? } else { Pages::heap(bytes)? };
        let last = pages.size() + SLACK - 1;
        // SAFETY: the slack lies behind the buffer's bytes, in the same allocation.
        unsafe { pages.address().add(last).write_volatile(0) };
        Some(pages)
    }

    fn heap(bytes: usize) -> Option<Pages> {
        // Room for one number at least, as `size` says.
        let layout = Layout::from_size_align(bytes.max(1).checked_add(SLACK)?, ALIGNMENT).ok()?;
        // SAFETY: the layout is not of size 0.
        let data = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        Some(Pages::Heap(data, layout))
    }

    fn own(bytes: usize) -> Option<Pages> {
        let pages = MmapMut::map_anon(bytes.checked_add(LARGE_PAGE + SLACK)?).ok()?;
        // Where the system has no large pages, small ones serve.
        let _ = pages.advise(Advice::HugePage);
        let offset = pages.as_ptr().align_offset(LARGE_PAGE);
        Some(Pages::Own { pages, offset, bytes })
    }

    /// `bytes` zeros flush against a page that nobody may touch, with such pages at both ends;
    /// `None` where the system has no room for them.
    pub fn guarded(bytes: usize, guard: Guard) -> Option<Pages> {
        let page = rustix::param::page_size();
        let inside = bytes.max(1).checked_next_multiple_of(page)?;
        let mapped = inside.checked_add(2 * page)?;
        let none = ProtFlags::empty();
        // SAFETY: a new mapping, which overlaps nothing.
        let map = unsafe { mmap_anonymous(ptr::null_mut(), mapped, none, MapFlags::PRIVATE) };
        let map = NonNull::new(map.ok()?.cast::<u8>())?;
        let offset = match guard {
            Guard::Before => page,
            Guard::After => page + inside - bytes.max(1),
        };
        let pages = Pages::Guarded { map, mapped, offset, bytes };
        let (first, all) = (page, MprotectFlags::READ | MprotectFlags::WRITE);
        // SAFETY: pages of the new mapping.
        unsafe { mprotect(map.as_ptr().add(first).cast(), inside, all) }.ok()?;
        Some(pages)
    }

    /// How many bytes there are; 1 where none were asked for.
    pub fn size(&self) -> usize {
        match self {
            Pages::Heap(_, layout) => layout.size() - SLACK,
            Pages::Own { bytes, .. } => *bytes,
            Pages::Guarded { bytes, .. } => (*bytes).max(1),
        }
    }

    /// The first byte.
    pub fn address(&self) -> NonNull<u8> {
        match self {
            Pages::Heap(data, _) => *data,
            Pages::Own { pages, offset, .. } => {
                let first = pages[*offset..].as_ptr().cast_mut();
                NonNull::new(first).expect("mapped memory is not at 0")
            }
            // SAFETY: the offset lies within the mapping.
            Pages::Guarded { map, offset, .. } => unsafe { map.add(*offset) },
        }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        match *self {
            // SAFETY: allocated with this layout, freed once.
            Pages::Heap(data, layout) => unsafe { dealloc(data.as_ptr(), layout) },
            Pages::Own { .. } => {}
            Pages::Guarded { map, mapped, .. } => {
                // SAFETY: mapped with this length, unmapped once.
                let freed = unsafe { munmap(map.as_ptr().cast(), mapped) };
                debug_assert!(freed.is_ok(), "the mapping is there");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guarded_pages_lie_flush_against_their_guard() {
        let page = rustix::param::page_size();
        for bytes in [0, 1, 8, page - 8, page, page + 8, 3 * page] {
            for guard in [Guard::Before, Guard::After] {
                let pages = Pages::guarded(bytes, guard).unwrap();
                assert_eq!(pages.size(), bytes.max(1));
                let first = pages.address().as_ptr() as usize;
                let edge = match guard {
                    Guard::Before => first,
                    Guard::After => first + pages.size(),
                };
                assert_eq!(edge % page, 0);
                // SAFETY: this many bytes are there, initialised, and nobody else has them.
                let all =
                    unsafe { std::slice::from_raw_parts_mut(pages.address().as_ptr(), bytes) };
                assert!(all.iter().all(|&b| b == 0));
                all.fill(1);
            }
        }
        assert!(Pages::guarded(usize::MAX, Guard::Before).is_none());
    }

    #[test]
    fn pages_are_aligned_zeros_of_any_size() {
        for bytes in [0, 1, 63, OWN_PAGES - 1, OWN_PAGES, OWN_PAGES + 1] {
            let pages = Pages::zeroed(bytes).unwrap();
            assert_eq!(pages.address().as_ptr() as usize % ALIGNMENT, 0);
            assert_eq!(pages.size(), bytes.max(1));
            // SAFETY: this many bytes are there, initialised.
            let bytes = unsafe { std::slice::from_raw_parts(pages.address().as_ptr(), bytes) };
            assert!(bytes.iter().all(|&b| b == 0));
        }
        for bytes in [usize::MAX, usize::MAX / 2, 1 << 50] {
            assert!(Pages::zeroed(bytes).is_none());
        }
    }
}
