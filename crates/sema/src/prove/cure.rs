//! Cures for reads that leave their extent: the range that fits, and the cell meant by an
//! index that is counted from the end.

use super::access::{Access, Extent};
use super::known::Known;
use crate::thir::RangeSource;
use weft_base::Span;
use weft_diag::Diagnostic;
use weft_domain::{Affine, Dim, Iter};
use weft_shape::{Param, Size, Verdict};

/// What is to be done, in words, and perhaps what is to be written where.
pub(crate) struct Cure {
    text: String,
    edit: Option<(Span, String)>,
}

impl Cure {
    /// The words, where there is no place for an edit.
    pub fn into_text(self) -> String {
        match self.edit {
            Some((_, range)) => format!("{}: `{range}`", self.text),
            None => self.text,
        }
    }

    /// Adds the cure to a message.
    pub fn told(self, d: Diagnostic) -> Diagnostic {
        match self.edit {
            Some((span, replacement)) => d.help_edit(self.text, span, replacement),
            None => d.help(self.text),
        }
    }
}

/// What cures an access that falls below 0, or reaches its extent.
pub(crate) fn of(known: &Known<'_>, access: &Access, extent: &Size, below: bool) -> Option<Cure> {
    if below && access.term.as_constant().is_some_and(|n| n < 0) {
        return Some(from_the_end(access));
    }
    let [(Dim::Iter(i), 1)] = access.term.terms() else { return None };
    let offset = access.term.offset();
    let steps = offset.as_constant();
    match (&access.extent, below, steps) {
        (Extent::Known(_), ..)
            if let Some((span, fits)) = fitting(known, (*i, below), offset, extent) =>
        {
            let text = format!("`{}` is inside for this range", access.excerpt.text);
            Some(Cure { text, edit: Some((span, fits)) })
        }
        (_, true, Some(back)) if back < 0 => later_start(known, *i, back.checked_neg()?),
        (Extent::Group(..), false, Some(ahead)) if ahead > 0 => earlier_end(known, *i, ahead),
        _ => None,
    }
}

/// The written range of an index, and what it must be for `i + offset` to be inside.
fn fitting(
    known: &Known<'_>,
    (i, below): (Iter, bool),
    offset: &Size,
    extent: &Size,
) -> Option<(Span, String)> {
    let Some(RangeSource::Written(span)) = known.body().iters[i].source else { return None };
    let (lo, hi) = known.size_range(i)?;
    let (least, end) = (Size::from(0).minus(offset), extent.minus(offset));
    let lo = if below || surely_above(known, &least, lo) { &least } else { lo };
    let hi = if !below || surely_above(known, hi, &end) { &end } else { hi };
    let text = format!("{}..{}", known.body().show(lo), known.body().show(hi));
    (!surely_above(known, lo, &hi.plus_const(-1))).then_some((span, text))
}

/// Whether `a > b`, at the values of literals where that decides.
fn surely_above(known: &Known<'_>, a: &Size, b: &Size) -> bool {
    let value = |p: Param| known.body().known_value(p);
    match known.facts().le(a, b) {
        Verdict::Yes => false,
        Verdict::No => true,
        Verdict::Unknown => match (a.eval(&value), b.eval(&value)) {
            (Some(a), Some(b)) => a > b,
            _ => false,
        },
    }
}

/// Where an index is introduced, and with the range that cures its two extents: that of the
/// shorter tensor, where the longer one is read beyond the index as well, as in
/// `(y[i + 1] - y[i]) / h[i]`.
pub(crate) fn of_difference(
    known: &Known<'_>,
    i: Iter,
    two: [&Access; 2],
    all: &[Access],
) -> Option<(Span, String)> {
    let [first, other] = two.map(Access::outside_group);
    let (shorter, longer) = match other?.minus(first?).as_constant()? {
        1.. => (two[0], other?),
        _ => (two[1], first?),
    };
    let end = shorter.outside_group()?;
    // How far behind the index a read begins; none of them leaves its extent.
    let ahead = |a: &Access| a.term.minus(&Affine::iter(i))?.as_constant();
    let of_index = || all.iter().filter(|a| a.term.iters().contains(&i));
    let fits = |a: &Access| {
        let (Some(n), Some(extent)) = (ahead(a), a.outside_group()) else { return false };
        n >= 0 && known.facts().le(&end.plus_const(n), extent) == Verdict::Yes
    };
    let goes_on = |a: &Access| a.outside_group() == Some(longer) && ahead(a).is_some_and(|n| n > 0);
    let cures = of_index().all(fits) && of_index().any(goes_on);
    let info = &known.body().iters[i];
    let range = format!("{} in 0..{}", info.name, extent_in_words(shorter)?);
    cures.then_some((info.span, range))
}

/// A read of an index alone or shifted under a condition on it, and the extent of what is read,
/// as it can be written.
pub(crate) fn conditional_read(i: Iter, accesses: &[Access]) -> Option<(&Access, String)> {
    let steps = |a: &Access| a.term.minus(&Affine::iter(i)).is_some_and(|t| t.as_size().is_some());
    let mut reads = accesses.iter().filter(|a| a.conditional() && steps(a));
    reads.find_map(|a| a.outside_group().and(extent_in_words(a)).map(|extent| (a, extent)))
}

/// The commonest mistake: a recurrence that starts too early.
fn later_start(known: &Known<'_>, i: Iter, start: i64) -> Option<Cure> {
    let name = &known.body().iters[i].name;
    let end = known.body().show(known.range(i)?.1.as_size()?);
    let text = format!(
        "start the index later, `{name} in {start}..{end}`, and give what is before a clause of its own"
    );
    Some(Cure { text, edit: None })
}

/// A recurrence that looks ahead, further than its cells go.
fn earlier_end(known: &Known<'_>, i: Iter, ahead: i64) -> Option<Cure> {
    let name = &known.body().iters[i].name;
    let (lo, hi) = known.size_range(i)?;
    let (lo, hi) = (known.body().show(lo), known.body().show(&hi.plus_const(ahead.checked_neg()?)));
    let text = format!(
        "this looks ahead: read cells before it, or end the index earlier, `{name} in {lo}..{hi}`, \
         and give what is behind a clause of its own"
    );
    Some(Cure { text, edit: None })
}

/// No index is counted from the end.
fn from_the_end(access: &Access) -> Cure {
    let text = "indices are not counted from the end".to_string();
    match counted_from_the_start(access) {
        Some(read) => Cure { text, edit: Some((access.excerpt.span, read)) },
        None => Cure { text: format!("{text}: the last one is the extent less 1"), edit: None },
    }
}

/// `x[-1]` as `x[len(x) - 1]`, where a tensor with a name is read by plain items.
fn counted_from_the_start(access: &Access) -> Option<String> {
    let back = access.term.as_constant()?.checked_neg()?;
    let (name, mut items) = plain_read(access)?;
    let item = items.get_mut(access.axis).filter(|item| item.starts_with('-'))?;
    *item = format!("{} - {back}", extent_in_words(access)?);
    Some(format!("{name}[{}]", items.join(", ")))
}

/// `len(x)`, or `shape(x)[1]`, of what is read by plain items.
fn extent_in_words(access: &Access) -> Option<String> {
    let (name, _) = plain_read(access)?;
    Some(match access.axis {
        0 => format!("len({name})"),
        axis => format!("shape({name})[{axis}]"),
    })
}

/// The name of what is read, and the items, where these are plain ones.
fn plain_read(access: &Access) -> Option<(&str, Vec<String>)> {
    let (name, items) = access.excerpt.text.strip_suffix(']')?.split_once('[')?;
    let plain = |c: char| c.is_alphanumeric() || c == '_';
    if !name.chars().all(plain) || items.contains(['[', '(', '.', '^']) {
        return None;
    }
    Some((name, items.split(',').map(|item| item.trim().to_string()).collect()))
}
