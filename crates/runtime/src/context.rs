//! Contexts: which buffer holds which tensor.
//!
//! A tensor is an identity; a context resolves it to numbers. Contexts are values: there
//! is no global state, and dropping one frees its buffers. Here a context has one device,
//! the host, and one incarnation of each tensor.

use crate::buffer::{array_bytes, to_array};
use crate::memory::Charge;
use crate::{Argument, Buffer, Failure, Guard, MemoryAccount};
use std::collections::BTreeMap;
use std::sync::Arc;
use weft_scalar::ScalarType;
use weft_tensor::{Array, TensorId};

/// The numbers of a context, counted together against one limit.
#[derive(Debug)]
pub struct Context {
    account: Arc<MemoryAccount>,
    guarded: bool,
    tensors: BTreeMap<TensorId, Held>,
}

/// The numbers of a tensor, which nobody writes any more.
#[derive(Clone, Debug)]
pub enum Held {
    /// In a buffer that a routine wrote.
    Buffer(Arc<Buffer>),
    /// In an array that someone else made, read where it is, with what counts it if anything does.
    Array(Arc<Array>, Option<Arc<Charge>>),
}

impl Held {
    /// To be passed to a routine, which reads it.
    pub fn argument(&self) -> Argument<'_> {
        match self {
            Held::Buffer(buffer) => Argument::Read(buffer),
            Held::Array(array, _) => Argument::Array(array),
        }
    }

    /// Bytes of the elements.
    pub fn bytes(&self) -> u64 {
        match self {
            Held::Buffer(buffer) => buffer.bytes().len() as u64,
            Held::Array(array, _) => bytes(array),
        }
    }

    /// The first elements as an array of this shape, where they are; `None` where there are fewer.
    pub fn array(&self, shape: &[usize]) -> Option<Arc<Array>> {
        match self {
            Held::Buffer(buffer) => to_array(buffer, shape).map(Arc::new),
            Held::Array(array, _) => (array.shape() == shape).then(|| array.clone()),
        }
    }
}

impl Context {
    /// A context without tensors, whose buffers may take `limit` bytes at a time.
    pub fn new(limit: Option<u64>) -> Context {
        Context::guarded(limit, None)
    }

    /// For tests: buffers lie flush against pages that nobody may touch, and arrays are copied
    /// into such.
    pub fn guarded(limit: Option<u64>, guard: Option<Guard>) -> Context {
        let account = Arc::new(MemoryAccount::guarded(limit, guard));
        Context { account, guarded: guard.is_some(), tensors: BTreeMap::new() }
    }

    /// Begins a call: holds no tensor, and what earlier ones handed out counts no more.
    pub fn begin(&mut self) {
        self.tensors.clear();
        self.account.begin();
    }

    /// What its buffers are counted in.
    pub fn account(&self) -> &Arc<MemoryAccount> {
        &self.account
    }

    /// The tensors it holds, ascending.
    pub fn tensors(&self) -> impl Iterator<Item = TensorId> {
        self.tensors.keys().copied()
    }

    /// The numbers of a tensor.
    pub fn get(&self, t: TensorId) -> Option<&Held> {
        self.tensors.get(&t)
    }

    /// Gives a tensor its numbers.
    pub fn insert(&mut self, t: TensorId, buffer: Buffer) {
        self.tensors.insert(t, Held::Buffer(Arc::new(buffer)));
    }

    /// Gives a tensor the numbers of an array, which is read where it is. One that the caller has
    /// `lent` counts against no limit.
    ///
    /// # Errors
    ///
    /// Where the limit does not suffice.
    pub fn insert_array(
        &mut self,
        t: TensorId,
        array: &Arc<Array>,
        lent: bool,
    ) -> Result<Held, Failure> {
        let held = if self.guarded {
            Held::Buffer(Arc::new(copied(&self.account, array)?))
        } else if lent {
            Held::Array(array.clone(), None)
        } else {
            let charge = self.account.charge(bytes(array))?;
            Held::Array(array.clone(), Some(Arc::new(charge)))
        };
        self.tensors.insert(t, held.clone());
        Ok(held)
    }

    /// Memory for a routine to write into.
    ///
    /// # Errors
    ///
    /// Where the limit or the system's memory does not suffice.
    pub fn unset(&self, elem: ScalarType, elements: u64) -> Result<Buffer, Failure> {
        Buffer::unset(&self.account, elem, elements)
    }

    /// Lets go of the tensors that are not to be kept.
    pub fn retain(&mut self, keep: impl Fn(TensorId) -> bool) {
        self.tensors.retain(|&t, _| keep(t));
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // Results may be held for long, and no buffer of this context follows them.
        self.account.close();
    }
}

fn bytes(array: &Array) -> u64 {
    (array.len() * array.elem().bytes()) as u64
}

fn copied(account: &Arc<MemoryAccount>, array: &Array) -> Result<Buffer, Failure> {
    let mut buffer = Buffer::unset(account, array.elem(), array.len() as u64)?;
    buffer.bytes_mut().copy_from_slice(array_bytes(array));
    Ok(buffer)
}
