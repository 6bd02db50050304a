//! Binding: a plan with extents.

use crate::routine::{BufferId, BufferRole, Plan};
use weft_base::entity::{PrimaryMap, SecondaryMap};
use weft_shape::{Param, Size};
use weft_tensor::TensorId;

/// A plan's memory for given extents.
#[derive(Clone, Debug)]
pub struct Bound {
    /// Each buffer of the plan.
    pub buffers: SecondaryMap<BufferId, BoundBuffer>,
    /// The shapes of the observed tensors, in the order of [`Plan::observed`].
    pub shapes: Vec<Vec<usize>>,
    /// Bytes of all buffers that exist while the routine runs, given ones included.
    pub peak_bytes: u64,
}

/// A buffer for given extents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BoundBuffer {
    /// Count of elements.
    pub elements: u64,
    /// Count of bytes.
    pub bytes: u64,
}

/// Why a plan cannot be bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BindError {
    /// A parameter has no value.
    MissingParam(Param),
    /// A parameter has another value than the one that the plan holds for.
    OtherValue(Param),
    /// An extent is negative, undefined, or too large to count.
    BadExtent {
        /// The tensor with that extent.
        of: TensorId,
        /// Its name.
        tensor: String,
        /// The extent in the text form of sizes.
        extent: String,
    },
    /// A write is not shown to stay in its tensor: a mistake of whoever made the graph.
    WriteOutside {
        /// The tensor.
        of: TensorId,
        /// Its name.
        tensor: String,
    },
    /// The buffers need more than the limit.
    OverLimit {
        /// Bytes that are needed.
        needed: u64,
        /// Bytes that are allowed.
        limit: u64,
        /// The largest tensors with their bytes, largest first.
        largest: Vec<(TensorId, u64)>,
    },
}

impl std::fmt::Display for BindError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BindError::MissingParam(p) => write!(f, "no value for {p}"),
            BindError::OtherValue(p) => write!(f, "planned for another value of {p}"),
            BindError::BadExtent { tensor, extent, .. } => {
                write!(f, "`{tensor}` has no valid extent `{extent}`")
            }
            BindError::WriteOutside { tensor, .. } => {
                write!(f, "a write may leave `{tensor}`")
            }
            BindError::OverLimit { needed, limit, largest } => {
                write!(f, "{needed} bytes are needed, but {limit} are allowed; largest:")?;
                largest.iter().try_for_each(|(t, bytes)| write!(f, " {t} ({bytes} bytes)"))
            }
        }
    }
}

impl std::error::Error for BindError {}

impl Plan {
    /// A parameter that the plan does not hold for the value of.
    pub fn other_value(&self, params: &PrimaryMap<Param, i64>) -> Option<Param> {
        self.pinned.iter().find(|(p, n)| params.get(**p) != Some(*n)).map(|(p, _)| *p)
    }

    /// Sizes of all buffers for given parameters; an error beyond `limit` bytes.
    ///
    /// # Errors
    ///
    /// See [`BindError`].
    pub fn bind(
        &self,
        params: &PrimaryMap<Param, i64>,
        limit: Option<u64>,
    ) -> Result<Bound, BindError> {
        if let Some(p) = self.graph.params.keys().find(|&p| params.get(p).is_none()) {
            return Err(BindError::MissingParam(p));
        }
        if let Some(p) = self.other_value(params) {
            return Err(BindError::OtherValue(p));
        }
        let value = |p: Param| params.get(p).copied();
        let mut buffers = SecondaryMap::new();
        let mut peak: u64 = 0;
        for (id, buffer) in self.buffers.iter() {
            let mut elements = 0;
            for &t in &buffer.tenants {
                elements = elements.max(self.elements(t, &value)?);
            }
            // What no 64 bits count is told as a lack of memory, as is all that is too much.
            let bytes = elements.saturating_mul(buffer.elem.bytes() as u64);
            buffers[id] = BoundBuffer { elements, bytes };
            peak = peak.saturating_add(bytes);
        }
        let limit = limit.unwrap_or(u64::MAX);
        if peak == u64::MAX || limit < peak {
            let largest = self.largest(&buffers);
            return Err(BindError::OverLimit { needed: peak, limit, largest });
        }
        if let Some(of) = self.tensor_left(params) {
            return Err(BindError::WriteOutside { of, tensor: self.tensor_name(of) });
        }
        let shape = |&t: &TensorId| {
            self.graph.shape(t).map(|e| self.extent(t, e, &value).map(|e| e as usize)).collect()
        };
        let shapes = self.observed.iter().map(shape).collect::<Result<_, _>>()?;
        Ok(Bound { buffers, shapes, peak_bytes: peak })
    }

    fn elements(
        &self,
        t: TensorId,
        value: &dyn Fn(Param) -> Option<i64>,
    ) -> Result<u64, BindError> {
        let mut product: u64 = 1;
        let mut empty = false;
        for e in &self.stored_shape(t) {
            let n = self.extent(t, e, value)?;
            empty |= n == 0;
            product = product.saturating_mul(n.max(1));
        }
        Ok(if empty { 0 } else { product })
    }

    fn extent(
        &self,
        t: TensorId,
        e: &Size,
        value: &dyn Fn(Param) -> Option<i64>,
    ) -> Result<u64, BindError> {
        let n = e.eval(value).and_then(|n| u64::try_from(n).ok());
        n.ok_or_else(|| {
            let name = |p: Param| self.graph.params[p].name.to_string();
            self.bad_extent(t, e.display(&name))
        })
    }

    fn bad_extent(&self, t: TensorId, extent: String) -> BindError {
        BindError::BadExtent { of: t, tensor: self.tensor_name(t), extent }
    }

    /// The tensors of the three largest buffers.
    fn largest(&self, sizes: &SecondaryMap<BufferId, BoundBuffer>) -> Vec<(TensorId, u64)> {
        let tensor = |b: BufferId| match self.buffers[b].role {
            BufferRole::Given(t) | BufferRole::Result(t) => t,
            BufferRole::Scratch => self.buffers[b].tenants[0],
        };
        let mut all: Vec<(TensorId, u64)> =
            self.buffers.keys().map(|b| (tensor(b), sizes[b].bytes)).collect();
        all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        all.truncate(3);
        all
    }
}
