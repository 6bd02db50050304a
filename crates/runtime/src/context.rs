//! Contexts: which buffer holds which tensor.
//!
//! A tensor is an identity; a context resolves it to numbers. Contexts are values: there
//! is no global state, and dropping one frees its buffers. Here a context has one device,
//! the host, and one incarnation of each tensor.

use crate::{Buffer, Failure, Guard, MemoryAccount};
use std::collections::BTreeMap;
use std::sync::Arc;
use weft_scalar::{ScalarType, for_each_type};
use weft_tensor::{Array, Data, TensorId};

/// The buffers of a context, counted together against one limit.
#[derive(Clone, Debug)]
pub struct Context {
    account: Arc<MemoryAccount>,
    buffers: BTreeMap<TensorId, Arc<Buffer>>,
}

impl Context {
    /// A context without tensors, whose buffers may take `limit` bytes at a time.
    pub fn new(limit: Option<u64>) -> Context {
        Context::guarded(limit, None)
    }

    /// For tests: buffers lie flush against pages that nobody may touch.
    pub fn guarded(limit: Option<u64>, guard: Option<Guard>) -> Context {
        let account = Arc::new(MemoryAccount::guarded(limit, guard));
        Context { account, buffers: BTreeMap::new() }
    }

    /// What its buffers are counted in.
    pub fn account(&self) -> &Arc<MemoryAccount> {
        &self.account
    }

    /// The tensors it holds, ascending.
    pub fn tensors(&self) -> impl Iterator<Item = TensorId> {
        self.buffers.keys().copied()
    }

    /// The buffer of a tensor.
    pub fn get(&self, t: TensorId) -> Option<&Arc<Buffer>> {
        self.buffers.get(&t)
    }

    /// Gives a tensor its numbers. Another context that shares the old buffer keeps it.
    pub fn insert(&mut self, t: TensorId, buffer: Buffer) -> Arc<Buffer> {
        let buffer = Arc::new(buffer);
        self.buffers.insert(t, buffer.clone());
        buffer
    }

    /// Gives a tensor the numbers of an array.
    ///
    /// # Errors
    ///
    /// Where the limit or the system's memory does not suffice.
    pub fn insert_array(&mut self, t: TensorId, a: &Array) -> Result<Arc<Buffer>, Failure> {
        let buffer = from_array(&self.account, a)?;
        Ok(self.insert(t, buffer))
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
        self.buffers.retain(|&t, _| keep(t));
    }
}

fn from_array(account: &Arc<MemoryAccount>, a: &Array) -> Result<Buffer, Failure> {
    macro_rules! copied {
        (Bool($bool:ty) $($variant:ident($rust:ty))*) => {
            match a.data() {
                Data::Bool(d) => from_bools(account, d),
                $(Data::$variant(d) => Buffer::from_slice::<$rust>(account, d),)*
            }
        };
    }
    for_each_type!(copied)
}

fn from_bools(account: &Arc<MemoryAccount>, d: &[bool]) -> Result<Buffer, Failure> {
    let mut b = Buffer::unset(account, ScalarType::Bool, d.len() as u64)?;
    b.bytes_mut().iter_mut().zip(d).for_each(|(byte, v)| *byte = u8::from(*v));
    Ok(b)
}

/// The first elements of a buffer as an array; `None` where it holds fewer.
pub fn to_array(b: &Buffer, shape: &[usize]) -> Option<Array> {
    let n: usize = shape.iter().try_fold(1usize, |n, &e| n.checked_mul(e))?;
    if n > b.len() {
        return None;
    }
    macro_rules! first {
        (Bool($bool:ty) $($variant:ident($rust:ty))*) => {
            match b.ty() {
                ScalarType::Bool => Data::Bool(b.bytes()[..n].iter().map(|v| *v != 0).collect()),
                $(ScalarType::$variant => Data::$variant(b.as_slice::<$rust>()[..n].to_vec()),)*
            }
        };
    }
    let data = for_each_type!(first);
    Array::new(shape.to_vec(), data)
}
