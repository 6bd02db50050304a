//! The closed registry of diagnostic codes: spelling, title, default severity, page.
//!
//! Adding a code is one line in `codes!` below and one page in `docs/errors`, which the
//! word `page` at the end of the line includes.

use crate::Severity;
use std::fmt;

macro_rules! codes {
    ($($variant:ident $spelling:literal $severity:ident $title:literal $($page:ident)?;)*) => {
        /// What kind of complaint a diagnostic is.
        ///
        /// Errors are spelled `E` and four digits, lints in kebab case.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Code {
            $(
                #[doc = $title]
                $variant,
            )*
        }

        impl Code {
            /// Every code, errors first, in the order of the registry.
            pub const ALL: &[Code] = &[$(Code::$variant),*];

            /// The spelling shown to users: `E0501`, `uncovered-cells`.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $spelling),* }
            }

            /// One line that says what the code stands for.
            pub fn title(self) -> &'static str {
                match self { $(Code::$variant => $title),* }
            }

            /// The severity used where nothing else was chosen.
            pub fn default_severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity),* }
            }

            /// The page in Markdown that `weft explain` prints, where it is written.
            pub fn page(self) -> Option<&'static str> {
                match self { $(Code::$variant => page!($spelling $($page)?)),* }
            }
        }
    };
}

macro_rules! page {
    ($spelling:literal) => {
        None
    };
    ($spelling:literal page) => {
        Some(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../docs/errors/",
            $spelling,
            ".md"
        )))
    };
}

codes! {
    // text, syntax, match, rest, run time
    E0001 "E0001" Error "syntax error" page;
    E0002 "E0002" Error "a token that has no meaning here" page;
    E0003 "E0003" Error "nesting too deep" page;
    E0004 "E0004" Error "a match that does not cover every case" page;
    E0005 "E0005" Error "a rest whose axes cannot be determined" page;
    E0006 "E0006" Error "source text that cannot be read" page;
    E0007 "E0007" Error "failure at run time" page;
    E0008 "E0008" Error "a NaN or an infinity made of finite numbers" page;
    E0010 "E0010" Error "not supported yet" page;
    E0061 "E0061" Error "arguments that do not fit the parameters" page;
    // types and domains
    E0303 "E0303" Error "the range of a clause's index stands in `where`" page;
    E0304 "E0304" Error "a guard where there is no index" page;
    E0308 "E0308" Error "mismatched types" page;
    E0309 "E0309" Error "a type that cannot be determined" page;
    E0311 "E0311" Error "an operator or property that this type does not have" page;
    E0312 "E0312" Error "a recursion that no branch ends" page;
    // names
    E0412 "E0412" Error "unknown type" page;
    E0425 "E0425" Error "unknown value" page;
    E0428 "E0428" Error "a name defined twice" page;
    E0432 "E0432" Error "unknown module or import" page;
    E0433 "E0433" Error "unknown library function" page;
    E0434 "E0434" Error "modules that import each other in a circle" page;
    E0435 "E0435" Error "a private name used from outside its module" page;
    E0436 "E0436" Error "something that a module cannot hold" page;
    E0437 "E0437" Error "a constant defined by itself" page;
    // shapes, ranges, coverage, recurrences
    E0501 "E0501" Error "conflicting extents of an index" page;
    E0502 "E0502" Error "an index without a range" page;
    E0503 "E0503" Error "a read outside the extent" page;
    E0504 "E0504" Error "wrong number of indices" page;
    E0505 "E0505" Error "an operator between tensors of different shapes" page;
    E0506 "E0506" Error "clauses of one definition that do not belong together" page;
    E0507 "E0507" Error "clauses that cut each other into too many pieces" page;
    E0508 "E0508" Error "alternatives that claim one cell" page;
    E0509 "E0509" Error "a slot of this form" page;
    E0510 "E0510" Error "a recurrence that depends on itself" page;
    E0511 "E0511" Error "a recurrence without a supported order" page;
    // derivatives
    E0601 "E0601" Error "a differential of something that has no name" page;
    E0602 "E0602" Error "an operation without a derivative" page;
    E0603 "E0603" Error "an operation that differentials do not have" page;
    E0604 "E0604" Error "a derivative rule that fits no function" page;
    // casts
    E1003 "E1003" Error "a cast that does not exist" page;
    // inputs, outputs, staging
    E1101 "E1101" Error "unknown input or output name" page;
    E1102 "E1102" Error "missing input" page;
    E1103 "E1103" Error "an input or a file of the wrong type or rank" page;
    E1104 "E1104" Error "inputs whose extents disagree" page;
    E1105 "E1105" Error "a file that cannot be read or written" page;
    E1106 "E1106" Error "memory limit exceeded" page;
    E1107 "E1107" Error "a value that must be known before the program runs" page;
    // lints
    UncoveredCells "uncovered-cells" Warning "cells that no clause defines hold zero" page;
    CellsBelowZero "cells-below-zero" Warning "a written range that begins below 0" page;
    OverlappingClauses "overlapping-clauses" Warning "clauses that define the same cells" page;
    UndefinedBoundary "undefined-boundary" Warning "a recurrence reads cells that no clause defines" page;
    UnusedIndex "unused-index" Warning "an index that its terms do not depend on" page;
    ShadowedIndex "shadowed-index" Warning "an index that shadows another" page;
    FloatEquality "float-equality" Warning "floats compared exactly in an assertion" page;
    UnusedName "unused-name" Warning "a name that is never used" page;
    ShadowedInteger "shadowed-integer" Warning "an index that shadows an integer" page;
    NegatedPower "negated-power" Warning "`-x ** n` is `(-x) ** n`" page;
    RepeatedElement "repeated-element" Warning "an array of one element times a number" page;
    TruncatingDivision "truncating-division" Warning "a quotient of integers becomes a float" page;
    UnreachableArm "unreachable-arm" Warning "an arm that nothing reaches" page;
    UnseededTangent "unseeded-tangent" Warning "a differential used as a number" page;
    ZeroDerivative "zero-derivative" Warning "a derivative that is zero everywhere" page;
}

impl Code {
    /// The code spelled `text`, as in `weft explain E0501`.
    pub fn parse(text: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.as_str() == text)
    }

    /// Every lint.
    pub fn lints() -> impl Iterator<Item = Code> {
        Code::ALL.iter().copied().filter(|code| code.is_lint())
    }

    /// Whether this is a lint: it warns by default and can be silenced or denied by name.
    pub fn is_lint(self) -> bool {
        !self.as_str().starts_with('E')
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
