//! The elements of an array: in memory of its own, or in memory that others hold too.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// Memory that is there as long as anyone holds it, and that nobody writes.
pub type Owner<T> = Arc<dyn AsRef<[T]> + Send + Sync>;

/// Elements of one type, read as a slice. A copy of shared ones shares them too.
#[derive(Clone)]
pub struct Elements<T>(Memory<T>);

#[derive(Clone)]
enum Memory<T> {
    Own(Vec<T>),
    Shared(Owner<T>),
}

impl<T> Elements<T> {
    /// Elements that stay where they are.
    pub fn shared(owner: Owner<T>) -> Elements<T> {
        Elements(Memory::Shared(owner))
    }
}

impl<T: Clone> Elements<T> {
    /// The elements to be changed: shared ones become a copy first, whose others see nothing.
    pub(crate) fn own(&mut self) -> &mut [T] {
        if let Memory::Shared(owner) = &self.0 {
            self.0 = Memory::Own((**owner).as_ref().to_vec());
        }
        match &mut self.0 {
            Memory::Own(own) => own,
            Memory::Shared(_) => unreachable!("shared elements were copied"),
        }
    }
}

impl<T> Deref for Elements<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Memory::Own(own) => own,
            Memory::Shared(owner) => (**owner).as_ref(),
        }
    }
}

impl<T> From<Vec<T>> for Elements<T> {
    fn from(own: Vec<T>) -> Elements<T> {
        Elements(Memory::Own(own))
    }
}

impl<T: fmt::Debug> fmt::Debug for Elements<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: PartialEq> PartialEq for Elements<T> {
    fn eq(&self, other: &Elements<T>) -> bool {
        **self == **other
    }
}
