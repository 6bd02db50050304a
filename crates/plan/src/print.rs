//! The text form of a plan: storage with reasons, buffers, items.
//!
//! ```text
//! storage
//!   u   window 2 of axis 0 in b1   (preserve = lookback 1 + 1 …)
//! buffers
//!   b1  f64 scratch 2*n: u
//! items
//!   for t in 1..T
//!     a3 u with i0 = t
//! ```

use crate::routine::{BufferRole, Fill, FillValue, Item, Nest, Plan, Storage, TimeLoop};
use std::fmt::{self, Write};
use weft_base::Name;
use weft_domain::{Affine, Constraint, Iter, Relation};
use weft_shape::Size;
use weft_tensor::{TensorId, affine_text};

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "storage")?;
        for t in self.graph.tensors.keys() {
            if let Some(text) = self.storage_text(t) {
                writeln!(f, "  {}: {text}", self.tensor_name(t))?;
            }
        }
        for (p, n) in &self.pinned {
            writeln!(f, "holds for {} = {n}", self.graph.params[*p].name)?;
        }
        writeln!(f, "buffers")?;
        for (id, b) in self.buffers.iter() {
            let role = match b.role {
                BufferRole::Given(_) => "given",
                BufferRole::Result(_) => "result",
                BufferRole::Scratch => "scratch",
            };
            let mut sizes: Vec<String> = b.sizes.iter().map(|s| self.size_text(s)).collect();
            sizes.dedup();
            let tenants: Vec<String> = b.tenants.iter().map(|&t| self.tensor_name(t)).collect();
            let (sizes, tenants) = (sizes.join(" | "), tenants.join(", "));
            writeln!(f, "  {id}: {} {role} {sizes}: {tenants}", b.elem)?;
        }
        writeln!(f, "items")?;
        let mut text = String::new();
        self.write_items(&mut text, &self.items, 1)?;
        f.write_str(&text)
    }
}

impl Plan {
    /// Where a tensor is and why, in words; `None` where nothing needs it.
    pub fn storage_text(&self, t: TensorId) -> Option<String> {
        let narrow = if self.narrowed.contains(&t) { ", in 32 bits" } else { "" };
        let text = match &self.storage[t] {
            Storage::Unused => return None,
            Storage::Virtual { reason } => format!("virtual ({reason})"),
            Storage::Given { buffer } => format!("given in {buffer}"),
            Storage::Stored { buffer, reason } => format!("stored in {buffer} ({reason})"),
            Storage::Window { buffer, axis, size, reason } => {
                format!("window {size} of axis {axis} in {buffer} ({reason})")
            }
        };
        Some(text + narrow)
    }

    fn size_text(&self, s: &Size) -> String {
        s.display(&|p| self.graph.params[p].name.to_string())
    }

    /// A term over loop variables.
    fn loop_term(&self, a: &Affine) -> String {
        affine_text(a, &|v| self.loop_var_name(v), &|s| self.size_text(s))
    }

    /// The name of a loop variable: the source's, with its number.
    pub fn loop_var_name(&self, v: Iter) -> String {
        let name = self.loop_vars.get(v).and_then(|n| n.as_ref());
        format!("{}{}", name.map_or("t", Name::as_str), v.as_u32())
    }

    fn write_items(&self, out: &mut String, items: &[Item], depth: usize) -> fmt::Result {
        for item in items {
            writeln!(out, "{}{}", "  ".repeat(depth), self.item_text(item))?;
            if let Item::Loop(l) = item {
                self.write_items(out, &l.body, depth + 1)?;
            }
        }
        Ok(())
    }

    /// An item in one line, without the steps of a loop.
    pub fn item_text(&self, item: &Item) -> String {
        match item {
            Item::Fill(fill) => self.fill_text(fill),
            Item::Nest(n) => self.nest_text(n),
            Item::Loop(l) => self.loop_text(l),
        }
    }

    fn loop_text(&self, l: &TimeLoop) -> String {
        let (lo, hi) = (self.loop_term(&l.lo), self.loop_term(&l.hi));
        let within = l.within.as_ref().map_or(String::new(), |(lo, hi)| {
            format!(" within {}..{}", self.loop_term(lo), self.loop_term(hi))
        });
        let down = if l.descending { " down" } else { "" };
        let any = if l.parallel { " parallel" } else { "" };
        format!("for {} in {lo}..{hi}{within}{down}{any}", self.loop_var_name(l.var))
    }

    fn fill_text(&self, fill: &Fill) -> String {
        let value = match fill.value {
            FillValue::Zero => "zero".to_string(),
            FillValue::Identity(a) => format!("identity of {a}"),
        };
        let slice = match &fill.slice {
            Some((axis, at)) => format!(" at {} of axis {axis}", self.loop_term(at)),
            None => String::new(),
        };
        let when = match &fill.when {
            Some(c) => format!(", when {}", self.constraint_text(c)),
            None => String::new(),
        };
        format!("fill {}{slice} with {value}{when}", self.tensor_name(fill.target))
    }

    fn nest_text(&self, n: &Nest) -> String {
        let a = &self.graph.assigns[n.assign];
        let mut text = format!("{} {} {}", n.assign, self.tensor_name(a.target), a.accumulator);
        let name = |i: Iter| a.space.iters[i].as_ref().map_or(i.to_string(), Name::to_string);
        for (i, term) in &n.bound {
            let tested = if n.tested.contains(i) { " (tested)" } else { "" };
            let _ = write!(text, ", {} = {}{tested}", name(*i), self.loop_term(term));
        }
        for c in &n.when {
            let _ = write!(text, ", when {}", self.constraint_text(c));
        }
        if n.continues {
            text.push_str(", continuing");
        }
        text
    }

    fn constraint_text(&self, c: &Constraint) -> String {
        let op = match c.relation {
            Relation::AtLeastZero => ">=",
            Relation::Zero => "==",
        };
        format!("{} {op} 0", self.loop_term(&c.term))
    }
}
