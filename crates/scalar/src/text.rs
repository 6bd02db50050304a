//! Functions of texts: a table of their names, arguments and values. The host computes
//! them; `std/text.ein` gives them their public names and defaults.

/// A function of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextOp {
    /// The character of a code.
    Chr,
    /// The parts between separators; of an empty one, the characters.
    Split,
    /// Texts one behind the other, with another between them.
    Join,
    /// Where a text first stands in another, from a place on; -1 if nowhere.
    Find,
    /// Every occurrence replaced, from the left.
    Replace,
    /// In capitals.
    Upper,
    /// In small letters.
    Lower,
    /// Without white space at both ends.
    Trim,
    /// Whether a text begins with another.
    StartsWith,
    /// Whether a text ends with another.
    EndsWith,
    /// So many times.
    Repeat,
    /// The lines, without their ends.
    Lines,
    /// The number that a text is.
    Parse,
}

/// A kind of argument or value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// An integer.
    Integer,
    /// A truth value.
    Truth,
    /// A number, of the type that is asked for.
    Number,
}

impl TextOp {
    /// All of them.
    pub const ALL: [TextOp; 13] = [
        TextOp::Chr,
        TextOp::Split,
        TextOp::Join,
        TextOp::Find,
        TextOp::Replace,
        TextOp::Upper,
        TextOp::Lower,
        TextOp::Trim,
        TextOp::StartsWith,
        TextOp::EndsWith,
        TextOp::Repeat,
        TextOp::Lines,
        TextOp::Parse,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// The kinds of its arguments.
    pub fn params(self) -> &'static [TextKind] {
        self.row().1
    }

    /// The kind of its value.
    pub fn result(self) -> TextKind {
        self.row().2
    }

    /// The function of a name.
    pub fn from_name(name: &str) -> Option<TextOp> {
        TextOp::ALL.into_iter().find(|op| op.name() == name)
    }

    fn row(self) -> (&'static str, &'static [TextKind], TextKind) {
        use TextKind::{Integer, Number, Text, Texts, Truth};
        match self {
            TextOp::Chr => ("chr", &[Integer], Text),
            TextOp::Split => ("split", &[Text, Text], Texts),
            TextOp::Join => ("join", &[Texts, Text], Text),
            TextOp::Find => ("find", &[Text, Text, Integer], Integer),
            TextOp::Replace => ("replace", &[Text, Text, Text], Text),
            TextOp::Upper => ("upper", &[Text], Text),
            TextOp::Lower => ("lower", &[Text], Text),
            TextOp::Trim => ("trim", &[Text], Text),
            TextOp::StartsWith => ("starts_with", &[Text, Text], Truth),
            TextOp::EndsWith => ("ends_with", &[Text, Text], Truth),
            TextOp::Repeat => ("repeat", &[Text, Integer], Text),
            TextOp::Lines => ("lines", &[Text], Texts),
            TextOp::Parse => ("parse", &[Text], Number),
        }
    }
}
