//! Where the bytes of a buffer lie: with the allocator, or on pages of their own.
//!
//! Large buffers get pages of their own, which the system is asked to make large ones: a
//! kernel that walks down a column of a matrix touches a page per row, and with small
//! pages spends its time looking them up.

use memmap2::{Advice, MmapMut};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

/// Size and alignment of a large page.
const LARGE_PAGE: usize = 2 << 20;

/// From how many bytes on a buffer has pages of its own.
const OWN_PAGES: usize = 2 * LARGE_PAGE;

/// Alignment of every buffer: a cache line, and the widest vector.
const ALIGNMENT: usize = 64;

/// Zeroed memory, given back when dropped.
pub(crate) enum Pages {
    /// From the allocator, with the layout it was asked for.
    Heap(NonNull<u8>, Layout),
    /// Mapped for this buffer alone, which begins at this offset.
    Own(MmapMut, usize),
}

impl Pages {
    /// `bytes` zeros; `None` where the system has no room for them.
    pub fn zeroed(bytes: usize) -> Option<Pages> {
        if bytes >= OWN_PAGES {
            return Pages::own(bytes);
        }
        // Never of size 0, which the allocator does not take.
        let layout = Layout::from_size_align(bytes.max(1), ALIGNMENT).ok()?;
        // SAFETY: the layout is not of size 0.
        let data = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        Some(Pages::Heap(data, layout))
    }

    fn own(bytes: usize) -> Option<Pages> {
        let pages = MmapMut::map_anon(bytes.checked_add(LARGE_PAGE)?).ok()?;
        // Where the system has no large pages, small ones serve.
        let _ = pages.advise(Advice::HugePage);
        let offset = pages.as_ptr().align_offset(LARGE_PAGE);
        Some(Pages::Own(pages, offset))
    }

    /// The first byte.
    pub fn address(&self) -> NonNull<u8> {
        match self {
            Pages::Heap(data, _) => *data,
            Pages::Own(pages, offset) => {
                let first = pages[*offset..].as_ptr().cast_mut();
                NonNull::new(first).expect("mapped memory is not at 0")
            }
        }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        if let Pages::Heap(data, layout) = *self {
            // SAFETY: allocated with this layout, freed once.
            unsafe { dealloc(data.as_ptr(), layout) };
        }
    }
}
