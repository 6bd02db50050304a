//! Diagnostics: codes, one complaint as data, the sink, the renderers, the pages.
//!
//! Nothing here finds faults, and nothing elsewhere turns them into text. A
//! diagnostic stays data until it is shown.

mod code;
mod diagnostic;
mod distance;
mod page;
mod render;
mod sink;

pub use code::Code;
pub use diagnostic::{Diagnostic, Edit, Help, Label, Severity};
pub use distance::{closest_name, edit_distance};
pub use page::{Claim, Example, examples};
pub use render::{render_human, render_json, render_short};
pub use sink::Diagnostics;
