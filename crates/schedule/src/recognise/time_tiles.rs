//! Which loops over time may run in tiles, and how far tiles move from step to step.

use crate::analysis::{Context, View};
use crate::strategy::Refusal;
use weft_domain::{Affine, Iter};
use weft_plan::{Fill, Item, Nest, Storage, TimeLoop};
use weft_shape::Size;
use weft_tensor::reads;
use weft_tensor::{Accumulator, Assignment, IndexTerm, TensorId};

/// Pieces of a step beyond which tiles would cost more code than they are worth.
const MOST_MEMBERS: usize = 8;

/// A loop over time that may run in tiles.
pub(crate) struct TimeTiles<'p> {
    pub members: Vec<Member<'p>>,
    /// By how many positions tiles move back from phase to phase.
    pub skew: i64,
    /// The first step without fills.
    pub from: Affine,
    /// The first and one past the last position, of any member.
    pub ends: (Size, Size),
    /// The tensors written.
    pub state: Vec<Field>,
}

/// One piece of a step.
pub(crate) struct Member<'p> {
    pub view: View<'p>,
    pub place: Place,
}

/// Where a piece writes along the axis that tiles cut.
pub(crate) enum Place {
    /// At `iter + shift`.
    Along { iter: Iter, shift: i64 },
    /// At one position.
    At(Size),
}

/// A tensor that a step writes.
pub(crate) struct Field {
    pub tensor: TensorId,
    /// Its axes of time and of positions.
    pub time: usize,
    pub space: usize,
    /// How many steps of it are kept, where not all are.
    pub kept: Option<i64>,
}

/// How far a read looks back: steps, and positions.
struct Look {
    tensor: TensorId,
    /// The step read, relative to the reader's.
    step: i64,
    /// The position read, relative to the reader's.
    place: i64,
}

/// What a member writes and reads, in steps and positions.
struct Access {
    tensor: TensorId,
    /// The step written, relative to the loop's variable.
    step: i64,
    looks: Vec<Look>,
}

impl TimeTiles<'_> {
    /// Positions that tiles move back from step to step.
    pub fn advance(&self) -> i64 {
        self.skew * self.members.len() as i64
    }
}

impl<'p> Context<'p> {
    /// The tiles of a loop; refused where it has cells whose places do not move evenly, or
    /// anything but plain stores in its steps.
    pub fn time_tiles(&self, l: &'p TimeLoop) -> Result<TimeTiles<'p>, Refusal> {
        if l.descending || l.parallel {
            return Err(Refusal::Direction);
        }
        if l.lo.as_size().is_none() || l.hi.as_size().is_none() {
            return Err(Refusal::Uneven);
        }
        let mut from = l.lo.clone();
        let mut nests = Vec::new();
        for item in &l.body {
            match item {
                Item::Fill(fill) => {
                    let steady = steady_from(fill, l.var).and_then(|f| later(from, f));
                    from = steady.ok_or(Refusal::Uneven)?;
                }
                Item::Nest(n) => nests.push(self.view(n)),
                Item::Loop(_) => return Err(Refusal::NestedSteps),
            }
        }
        if nests.is_empty() {
            return Err(Refusal::Foreign);
        }
        if nests.len() > MOST_MEMBERS {
            return Err(Refusal::ManyPieces);
        }
        let state = self.fields(&nests, l.var).ok_or(Refusal::Uneven)?;
        let mut members: Vec<Member<'p>> = Vec::new();
        for view in nests {
            let place = place(&view, &state)?;
            members.push(Member { view, place });
        }
        let accesses: Option<Vec<Access>> =
            members.iter().map(|m| access(m, &state, l.var)).collect();
        let skew = accesses.and_then(|all| skew(&all, &state)).ok_or(Refusal::Uneven)?;
        let ends = ends(&members).ok_or(Refusal::Uneven)?;
        Ok(TimeTiles { members, skew, from, ends, state })
    }

    /// The tensors that the pieces write, each with one axis of time.
    fn fields(&self, nests: &[View<'p>], var: Iter) -> Option<Vec<Field>> {
        let mut state: Vec<Field> = Vec::new();
        for n in nests {
            let a = n.assignment;
            let (iter, _) = time_iter(n.nest, var)?;
            let is_time = |t: &IndexTerm| t.as_affine().is_some_and(|x| x.iters() == [iter]);
            let time = a.write.iter().position(is_time)?;
            match state.iter().find(|f| f.tensor == a.target) {
                Some(field) => (field.time == time).then_some(())?,
                None => state.push(self.field(a.target, time)?),
            }
        }
        Some(state)
    }

    fn field(&self, tensor: TensorId, time: usize) -> Option<Field> {
        let rank = self.plan.graph.tensors[tensor].axes.len();
        let space = (0..rank).find(|&axis| axis != time)?;
        let kept = match &self.plan.storage[tensor] {
            Storage::Window { axis, size, .. } => Some((*axis == time).then_some(*size)?),
            Storage::Stored { .. } => None,
            Storage::Unused | Storage::Virtual { .. } | Storage::Given { .. } => return None,
        };
        Some(Field { tensor, time, space, kept })
    }
}

/// Where a piece writes, if that is a plain store which cannot fail.
fn place(view: &View<'_>, state: &[Field]) -> Result<Place, Refusal> {
    let (a, n) = (view.assignment, view.nest);
    let plain = a.accumulator == Accumulator::Set
        && n.when.is_empty()
        && n.tested.is_empty()
        && !n.continues
        && a.space.guards.is_empty();
    if !plain || view.nodes.get(a.body).traps {
        return Err(Refusal::NotPlain);
    }
    place_along(a, state).ok_or(Refusal::Uneven)
}

fn place_along(a: &Assignment, state: &[Field]) -> Option<Place> {
    let field = state.iter().find(|f| f.tensor == a.target)?;
    let term = a.write[field.space].as_affine()?;
    if let Some(position) = term.as_size() {
        return Some(Place::At(position.clone()));
    }
    let [iter] = term.iters()[..] else { return None };
    let shift = offset(term, iter)?;
    let range = a.space.range(iter)?;
    (range.lo.as_size().is_some() && range.hi.as_size().is_some()).then_some(())?;
    let once = a.write.iter().filter(|t| t.as_affine().is_none_or(|x| x.iters().contains(&iter)));
    (once.count() == 1).then_some(Place::Along { iter, shift })
}

fn access(m: &Member<'_>, state: &[Field], var: Iter) -> Option<Access> {
    let a = m.view.assignment;
    let (iter, bound) = time_iter(m.view.nest, var)?;
    let field = state.iter().find(|f| f.tensor == a.target)?;
    let step = bound + offset(a.write[field.time].as_affine()?, iter)?;
    let own = reads(a).into_iter().filter_map(|r| {
        let field = state.iter().find(|f| f.tensor == r.tensor)?;
        Some((field, r))
    });
    let looks = own.map(|(field, r)| {
        let at = offset(r.index[field.time].as_affine()?, iter)?;
        let place = relative(a, &m.place, r.index[field.space].as_affine()?)?;
        Some(Look { tensor: r.tensor, step: bound + at, place })
    });
    Some(Access { tensor: a.target, step, looks: looks.collect::<Option<_>>()? })
}

/// A range that holds the positions of all members.
fn ends(members: &[Member<'_>]) -> Option<(Size, Size)> {
    let of = |m: &Member<'_>| match &m.place {
        Place::At(position) => Some((position.clone(), position.plus_const(1))),
        Place::Along { iter, shift } => {
            let range = m.view.assignment.space.range(*iter)?;
            let end = |x: &Affine| x.as_size().map(|s| s.plus_const(*shift));
            Some((end(&range.lo)?, end(&range.hi)?))
        }
    };
    let all: Vec<(Size, Size)> = members.iter().map(of).collect::<Option<_>>()?;
    all.into_iter().reduce(|a, b| (a.0.smaller(&b.0), a.1.larger(&b.1)))
}

/// The iterator that the loop's step fixes, and by how much it is ahead of the step.
fn time_iter(n: &Nest, var: Iter) -> Option<(Iter, i64)> {
    let [(iter, term)] = n.bound.as_slice() else { return None };
    Some((*iter, offset(term, var)?))
}

/// `c`, where a term is `iter + c`.
fn offset(term: &Affine, iter: Iter) -> Option<i64> {
    term.minus(&Affine::iter(iter))?.as_constant()
}

/// The position of a read, relative to that of the writer.
fn relative(a: &Assignment, place: &Place, at: &Affine) -> Option<i64> {
    debug_assert!(a.accumulator == Accumulator::Set, "members are plain stores");
    match place {
        Place::Along { iter, shift } => Some(offset(at, *iter)? - shift),
        Place::At(position) => at.as_size()?.minus(position).as_constant(),
    }
}

/// The first step at which a fill is not needed any more.
fn steady_from(fill: &Fill, var: Iter) -> Option<Affine> {
    let term = &fill.when.as_ref()?.term;
    let last = term.plus(&Affine::iter(var))?;
    last.as_size()?;
    Some(last.plus_size(&Size::constant(1)))
}

fn later(a: Affine, b: Affine) -> Option<Affine> {
    Some(Affine::fixed(a.as_size()?.larger(b.as_size()?)))
}

/// The least skew with which no cell needs, and no ring's new cell overwrites what is
/// needed by, a cell further on.
fn skew(accesses: &[Access], state: &[Field]) -> Option<i64> {
    let pieces = accesses.len() as i64;
    let mut skew = 0;
    for (k, reader) in accesses.iter().enumerate() {
        for look in &reader.looks {
            let kept = state.iter().find(|f| f.tensor == look.tensor)?.kept;
            let writers = accesses.iter().enumerate().filter(|(_, w)| w.tensor == look.tensor);
            for (q, writer) in writers {
                let back = writer.step - look.step;
                let between = k as i64 - q as i64;
                let phases = back.checked_mul(pieces)? + between;
                (phases > 0).then_some(())?;
                skew = skew.max(ceiling(look.place, phases));
                if let Some(kept) = kept {
                    let until = (kept - back).checked_mul(pieces)? - between;
                    // In place: a cell that is read where it is overwritten.
                    if until == 0 && k == q && look.place == 0 {
                        continue;
                    }
                    (until > 0).then_some(())?;
                    skew = skew.max(ceiling(-look.place, until));
                }
            }
        }
    }
    Some(skew)
}

/// `a / b` rounded up, for positive `b`.
fn ceiling(a: i64, b: i64) -> i64 {
    -(-a).div_euclid(b)
}
