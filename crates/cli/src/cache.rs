//! `weft cache`: the machine code kept on disk.

use crate::console::{self, Console};
use crate::machine::CachePlace;
use crate::status::Status;
use clap::{Args, ValueEnum};
use weft::{CodeStore, Usage};

/// Shows or clears the machine code kept for later runs
#[derive(Args, Debug)]
pub struct CacheArgs {
    /// What to do
    #[arg(value_enum)]
    action: Action,
    #[command(flatten)]
    place: CachePlace,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Action {
    /// Say where it is
    Dir,
    /// Say how much there is
    Size,
    /// Remove all of it
    Clear,
}

/// Shows or clears.
pub fn cache(args: &CacheArgs, console: &mut Console) -> Status {
    let Some(store) = args.place.store() else {
        console::say("error: there is no cache: neither XDG_CACHE_HOME nor HOME names a folder");
        return Status::Failed;
    };
    let text = match args.action {
        Action::Dir => format!("{}\n", store.root().display()),
        Action::Size => format!("{}\n", usage_text(store.usage())),
        Action::Clear => match store.clear() {
            Ok(removed) => format!("removed {}\n", usage_text(removed)),
            Err(e) => return not_cleared(&store, &e),
        },
    };
    match console.out().write_all(text.as_bytes()) {
        Ok(()) => Status::Done,
        Err(e) => Status::of_write_error(&e),
    }
}

fn usage_text(usage: Usage) -> String {
    let plural = if usage.entries == 1 { "" } else { "s" };
    format!("{} kernel{plural}, {} bytes", usage.entries, usage.bytes)
}

fn not_cleared(store: &CodeStore, e: &std::io::Error) -> Status {
    console::say(&format!("error: cannot clear `{}`: {e}", store.root().display()));
    Status::Failed
}
