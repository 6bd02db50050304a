//! Random recurrences and what they mean by brute force: which cell needs which, for small
//! extents, and the value of each cell in whatever order.
//!
//! A definition is legal when for no extents a cell needs itself, where a computed index
//! counts as every cell of its axis that its guard allows. What the compiler says is held
//! against that: nothing illegal is accepted, nothing legal is called a cycle, an example
//! is a cycle, and what is accepted has the value computed here.

use crate::arguments::Arguments;
use crate::execute::{Executor, compute};
use crate::random::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use weft::{Options, Session};
use weft_tensor::{Array, Data};

/// Names of indices, extents and definitions.
const INDICES: [&str; 3] = ["i", "j", "l"];
const EXTENTS: [&str; 3] = ["n", "m", "q"];
const NAMES: [&str; 2] = ["h", "g"];

/// Values stay below this.
const MODULUS: i64 = 1009;

/// Entries of the table `p` of computed indices.
const TABLE: [i64; 9] = [0, 0, 1, 1, 3, 2, 5, 4, 7];

/// Extents at which a symbolic definition is looked at.
const LARGEST: i64 = 6;

/// An index of a read along one axis.
#[derive(Clone, Debug)]
enum Index {
    /// An index of the cell and a number.
    Shifted(usize, i64),
    /// The extent less an index, less a number.
    Reversed(usize, i64),
    Fixed(i64),
    /// The reduced index.
    Reduced,
    /// An entry of the table at an index of the cell.
    Computed(usize),
}

/// A condition over the indices of the cell.
#[derive(Clone, Debug)]
enum Condition {
    Less(usize, usize),
    Unequal(usize, usize),
    Below(usize, i64),
    Even(usize),
    /// A computed index before the cell's own.
    EntryBefore(usize),
}

/// The range of a reduction, from and to before.
#[derive(Clone, Debug)]
enum Reduced {
    Before(usize),
    Behind(usize),
}

#[derive(Clone, Debug)]
struct Read {
    of: usize,
    index: Vec<Index>,
    conditions: Vec<Condition>,
    over: Option<Reduced>,
}

/// A definition, or two that may read each other, over one box.
#[derive(Clone, Debug)]
pub struct Recurrence {
    rank: usize,
    /// Numbers, or `None` where the extent is an input.
    extents: Vec<Option<i64>>,
    /// Only the cells from the first index's number on along the second axis.
    triangular: bool,
    reads: Vec<Vec<Read>>,
}

/// What brute force and the compiler say of a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Legal, accepted, and its values are right.
    Accepted,
    /// Illegal, and refused with a cycle.
    Cycle,
    /// Illegal, and refused without one.
    Undecided,
    /// Legal, and refused as undecided.
    LegalRefused,
}

/// Draws a definition.
pub fn recurrence(seed: u64) -> Recurrence {
    let mut random = Random::new(seed);
    let rank = 1 + random.weighted(&[3, 6, 1]);
    let most = if rank == 3 { 3 } else { 5 };
    let extent = |random: &mut Random| {
        let symbolic = random.chance(50);
        let number = random.between(2, most);
        (!symbolic).then_some(number)
    };
    let extents = (0..rank).map(|_| extent(&mut random)).collect();
    let members = 1 + random.weighted(&[3, 1]);
    let triangular = rank == 2 && random.chance(20);
    let mut reads = Vec::new();
    for of in 0..members {
        let count = 1 + random.weighted(&[3, 4, 2]);
        reads.push((0..count).map(|_| read(&mut random, rank, members, of)).collect());
    }
    Recurrence { rank, extents, triangular, reads }
}

fn read(random: &mut Random, rank: usize, members: usize, reader: usize) -> Read {
    let of = if random.chance(60) { reader } else { random.below(members) };
    let over = random.chance(15).then(|| {
        let by = random.below(rank);
        if random.chance(70) { Reduced::Before(by) } else { Reduced::Behind(by) }
    });
    let mut index: Vec<Index> = (0..rank).map(|axis| self::index(random, rank, axis)).collect();
    if over.is_some() {
        let at = random.below(rank);
        index[at] = Index::Reduced;
    }
    let mut conditions: Vec<Condition> = Vec::new();
    for _ in 0..random.weighted(&[6, 3, 1]) {
        conditions.push(condition(random, rank));
    }
    let computed = index.iter().find_map(|i| match i {
        Index::Computed(by) => Some(*by),
        _ => None,
    });
    if let Some(by) = computed.filter(|_| random.chance(60)) {
        conditions.push(Condition::EntryBefore(by));
    }
    Read { of, index, conditions, over }
}

fn index(random: &mut Random, rank: usize, axis: usize) -> Index {
    match random.weighted(&[16, 2, 1, 1, 1]) {
        0 => Index::Shifted(axis, *random.pick(&[0, 0, -1, -1, -1, -1, -2, 1, 2])),
        1 => Index::Shifted(random.below(rank), random.between(-2, 1)),
        2 => Index::Reversed(axis, random.between(0, 2)),
        3 => Index::Fixed(random.between(0, 1)),
        _ => Index::Computed(axis),
    }
}

fn condition(random: &mut Random, rank: usize) -> Condition {
    let (a, b) = (random.below(rank), random.below(rank));
    match random.below(4) {
        0 if a != b => Condition::Less(a, b),
        1 if a != b => Condition::Unequal(a, b),
        2 => Condition::Even(a),
        _ => Condition::Below(a, random.between(1, 3)),
    }
}

/// A cell: the definition and its indices.
type Cell = (usize, Vec<i64>);

impl Recurrence {
    fn members(&self) -> usize {
        self.reads.len()
    }

    fn extent_text(&self, axis: usize) -> String {
        self.extents[axis].map_or(EXTENTS[axis].to_string(), |n| n.to_string())
    }

    /// The program.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for axis in (0..self.rank).filter(|&a| self.extents[a].is_none()) {
            let _ = writeln!(out, "input {}: i64;", EXTENTS[axis]);
        }
        let _ = writeln!(out, "let p: [i64] = {TABLE:?};");
        for (of, reads) in self.reads.iter().enumerate() {
            let slot = |axis: usize| {
                let from = if self.triangular && axis == 1 { INDICES[0] } else { "0" };
                format!("{} in {from}..{}", INDICES[axis], self.extent_text(axis))
            };
            let slots: Vec<String> = (0..self.rank).map(slot).collect();
            let own: Vec<String> =
                (0..self.rank).map(|a| format!("{} * {}", a + 2, INDICES[a])).collect();
            let reads: Vec<String> =
                reads.iter().enumerate().map(|(n, r)| self.read_text(n, r)).collect();
            let _ = writeln!(
                out,
                "let {}[{}]: i64 = ({} + {} + {}) % {MODULUS};",
                NAMES[of],
                slots.join(", "),
                of + 1,
                own.join(" + "),
                reads.join(" + ")
            );
        }
        out
    }

    fn read_text(&self, n: usize, r: &Read) -> String {
        let index: Vec<String> =
            r.index.iter().enumerate().map(|(axis, i)| self.index_text(axis, i)).collect();
        let mut conditions: Vec<String> = Vec::new();
        for (axis, text) in index.iter().enumerate() {
            conditions.push(format!("{text} >= 0 && {text} < {}", self.extent_text(axis)));
        }
        conditions.extend(r.conditions.iter().map(condition_text));
        let read = format!("{}[{}]", NAMES[r.of], index.join(", "));
        let (weight, guarded) =
            (2 * n + 1, format!("if {} {{ {read} }} else {{ 1 }}", conditions.join(" && ")));
        match &r.over {
            None => format!("{weight} * ({guarded})"),
            Some(Reduced::Before(by)) => {
                format!("{weight} * sum[k in 0..{}]({guarded})", INDICES[*by])
            }
            Some(Reduced::Behind(by)) => {
                let (from, to) = (INDICES[*by], self.extent_text(*by));
                format!("{weight} * sum[k in {from} + 1..{to}]({guarded})")
            }
        }
    }

    fn index_text(&self, axis: usize, i: &Index) -> String {
        match i {
            Index::Shifted(by, 0) => INDICES[*by].to_string(),
            Index::Shifted(by, c) if *c < 0 => format!("{} - {}", INDICES[*by], -c),
            Index::Shifted(by, c) => format!("{} + {c}", INDICES[*by]),
            Index::Reversed(by, c) => {
                format!("{} - {c} - {}", self.extent_text(axis), INDICES[*by])
            }
            Index::Fixed(c) => c.to_string(),
            Index::Reduced => "k".to_string(),
            Index::Computed(by) => format!("p[{}]", INDICES[*by]),
        }
    }

    /// Every choice of extents that is looked at.
    fn sizes(&self) -> Vec<Vec<i64>> {
        let mut all: Vec<Vec<i64>> = vec![Vec::new()];
        let most = if self.rank == 3 { 3 } else { LARGEST };
        for extent in &self.extents {
            let choices: Vec<i64> = extent.map_or((1..=most).collect(), |n| vec![n]);
            let longer = |s: &Vec<i64>| {
                let s = s.clone();
                choices.iter().map(move |&c| [s.clone(), vec![c]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        // Some cycles need more room than all small extents have.
        let larger = |n: i64| self.extents.iter().map(|e| e.unwrap_or(n)).collect();
        all.extend([4, 5, 6, 9].map(larger));
        all
    }

    /// Whether a definition has a clause for the cell.
    fn is_defined(&self, at: &[i64]) -> bool {
        !self.triangular || at[1] >= at[0]
    }

    /// The cells that one read of a cell may need; with `entries`, that it does.
    fn cells(&self, r: &Read, at: &[i64], size: &[i64], entries: bool) -> Vec<Vec<i64>> {
        let over = match r.over {
            None => 0..1,
            Some(Reduced::Before(by)) => 0..at[by],
            Some(Reduced::Behind(by)) => at[by] + 1..size[by],
        };
        let mut found = Vec::new();
        for k in over {
            let most = size.iter().copied().max().unwrap_or(0);
            let guesses = match entries {
                true => vec![at.iter().map(|&x| TABLE[x as usize]).collect()],
                false => self.points(&vec![most; self.guessed(r)]),
            };
            for guess in guesses {
                // Entries at different indices are guessed apart.
                let entry = |by: usize| guess[if entries { by } else { self.guess_of(r, by) }];
                let one = |(axis, i): (usize, &Index)| match i {
                    Index::Shifted(by, c) => at[*by] + c,
                    Index::Reversed(by, c) => size[axis] - c - at[*by],
                    Index::Fixed(c) => *c,
                    Index::Reduced => k,
                    Index::Computed(by) => entry(*by),
                };
                let cell: Vec<i64> = r.index.iter().enumerate().map(one).collect();
                let inside = cell.iter().zip(size).all(|(c, n)| (0..*n).contains(c));
                let holds = |c: &Condition| match c {
                    Condition::Less(a, b) => at[*a] < at[*b],
                    Condition::Unequal(a, b) => at[*a] != at[*b],
                    Condition::Below(a, c) => at[*a] < *c,
                    Condition::Even(a) => at[*a] % 2 == 0,
                    Condition::EntryBefore(by) => entry(*by) < at[*by],
                };
                if inside && r.conditions.iter().all(holds) {
                    found.push(cell);
                }
            }
        }
        found
    }

    /// Along which indices a read has computed ones.
    fn computed(&self, r: &Read) -> Vec<usize> {
        let by = |i: &Index| if let Index::Computed(by) = i { Some(*by) } else { None };
        let of_guards = r.conditions.iter().filter_map(|c| match c {
            Condition::EntryBefore(by) => Some(*by),
            _ => None,
        });
        let all: BTreeSet<usize> = r.index.iter().filter_map(by).chain(of_guards).collect();
        all.into_iter().collect()
    }

    fn guessed(&self, r: &Read) -> usize {
        self.computed(r).len()
    }

    fn guess_of(&self, r: &Read, by: usize) -> usize {
        self.computed(r).iter().position(|x| *x == by).expect("every computed index is guessed")
    }

    fn points(&self, size: &[i64]) -> Vec<Vec<i64>> {
        let mut all: Vec<Vec<i64>> = vec![Vec::new()];
        for &n in size {
            all = all
                .iter()
                .flat_map(|p| (0..n).map(move |x| [p.clone(), vec![x]].concat()))
                .collect();
        }
        all
    }

    fn needs(&self, (of, at): &Cell, size: &[i64]) -> Vec<Cell> {
        if !self.is_defined(at) {
            return Vec::new();
        }
        let of_read = |r: &Read| {
            let to = r.of;
            self.cells(r, at, size, false).into_iter().map(move |c| (to, c)).collect::<Vec<_>>()
        };
        self.reads[*of].iter().flat_map(of_read).collect()
    }

    /// The cells in an order in which each comes after what it needs; `None` where some
    /// cell needs itself.
    fn order(&self, size: &[i64]) -> Option<Vec<Cell>> {
        let mut left: BTreeMap<Cell, BTreeSet<Cell>> = BTreeMap::new();
        for of in 0..self.members() {
            for at in self.points(size) {
                let cell = (of, at);
                let needs = self.needs(&cell, size).into_iter().collect();
                left.insert(cell, needs);
            }
        }
        let mut done: BTreeSet<Cell> = BTreeSet::new();
        let mut order = Vec::new();
        while !left.is_empty() {
            let ready: Vec<Cell> = left
                .iter()
                .filter(|(_, needs)| needs.iter().all(|n| done.contains(n)))
                .map(|(c, _)| c.clone())
                .collect();
            if ready.is_empty() {
                return None;
            }
            for cell in ready {
                left.remove(&cell);
                done.insert(cell.clone());
                order.push(cell);
            }
        }
        Some(order)
    }

    /// The value of every cell.
    fn values(&self, size: &[i64]) -> Option<BTreeMap<Cell, i64>> {
        let mut values: BTreeMap<Cell, i64> = BTreeMap::new();
        for (of, at) in self.order(size)? {
            if !self.is_defined(&at) {
                values.insert((of, at), 0);
                continue;
            }
            let own: i64 = at.iter().enumerate().map(|(a, x)| (a as i64 + 2) * x).sum();
            let mut total = of as i64 + 1 + own;
            for (n, r) in self.reads[of].iter().enumerate() {
                let cells = self.cells(r, &at, size, true);
                let terms = match r.over {
                    None => 1,
                    Some(Reduced::Before(by)) => at[by],
                    Some(Reduced::Behind(by)) => (size[by] - at[by] - 1).max(0),
                };
                let read: i64 = cells.iter().map(|c| values[&(r.of, c.clone())]).sum();
                total += (2 * n as i64 + 1) * (read + terms - cells.len() as i64);
            }
            values.insert((of, at), total % MODULUS);
        }
        Some(values)
    }

    /// What the compiler says, held against brute force.
    ///
    /// # Errors
    ///
    /// Where they disagree, in words.
    pub fn check(&self) -> Result<Verdict, String> {
        let legal = self.sizes().iter().all(|s| self.order(s).is_some());
        let text = self.text();
        let mut session = Session::new();
        let (program, found) = session.check("recurrence", &text, &Options::default());
        let errors: Vec<_> = found.sorted().into_iter().filter(|d| d.is_error()).collect();
        let shown = || weft::render_all(&errors, &session.sources);
        match (legal, program.is_some(), errors.first().map(|d| d.code.to_string())) {
            (true, true, _) => self.compare(&text).map(|()| Verdict::Accepted),
            (false, true, _) => Err("an illegal definition is accepted".into()),
            (legal, false, Some(code)) if code == "E0510" => match legal {
                true => Err(format!("a legal definition is called a cycle:\n{}", shown())),
                false => Ok(Verdict::Cycle),
            },
            (legal, false, Some(code)) if code == "E0511" => {
                Ok(if legal { Verdict::LegalRefused } else { Verdict::Undecided })
            }
            _ => Err(format!("refused otherwise:\n{}", shown())),
        }
    }

    /// The values of an accepted definition at a few extents.
    fn compare(&self, text: &str) -> Result<(), String> {
        let sizes = self.sizes();
        for size in [sizes.first(), sizes.get(sizes.len() - 3)].into_iter().flatten() {
            let mut words: Vec<String> = Vec::new();
            for axis in (0..self.rank).filter(|&a| self.extents[a].is_none()) {
                words.extend(["--input".into(), format!("{}={}", EXTENTS[axis], size[axis])]);
            }
            for name in &NAMES[..self.members()] {
                words.extend(["--output".into(), name.to_string()]);
            }
            let arguments = Arguments::parse(&words, std::path::Path::new("."))?;
            let found = compute("recurrence", text, &arguments, Executor::Plain)?;
            let values = self.values(size).ok_or("accepted without an order")?;
            for ((of, at), want) in &values {
                let array = found.iter().find(|(name, _)| name == NAMES[*of]);
                let have = array.and_then(|(_, a)| cell_of(a, at));
                if have != Some(*want) {
                    let name = NAMES[*of];
                    return Err(format!("{name}{at:?} is {have:?}, not {want}, at {size:?}"));
                }
            }
        }
        Ok(())
    }
}

fn condition_text(c: &Condition) -> String {
    match c {
        Condition::Less(a, b) => format!("{} < {}", INDICES[*a], INDICES[*b]),
        Condition::Unequal(a, b) => format!("{} != {}", INDICES[*a], INDICES[*b]),
        Condition::Below(a, c) => format!("{} < {c}", INDICES[*a]),
        Condition::Even(a) => format!("{} % 2 == 0", INDICES[*a]),
        Condition::EntryBefore(by) => format!("p[{0}] < {0}", INDICES[*by]),
    }
}

fn cell_of(array: &Array, at: &[i64]) -> Option<i64> {
    let position = array.position(at)?;
    match array.data() {
        Data::I64(d) => d.get(position).copied(),
        _ => None,
    }
}
