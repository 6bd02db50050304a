//! Weft as a library: programs that are compiled once and run on arrays.
//!
//! A [`Compiler`] makes a [`Program`] of a text; it runs on [`Inputs`] and gives [`Outputs`].
//!
//! ```
//! use weft::{Array, Compiler, Inputs};
//!
//! let compiler = Compiler::new();
//! let source = "input x: [f64; n]; let y = sum[i](x[i] * x[i]);";
//! let mut program = compiler.compile("squares.ein", source)?;
//! let x = Array::from_vec(vec![3], vec![1.0, 2.0, 3.0]).expect("three elements");
//! let outputs = program.run(&Inputs::new().array("x", x).ask("y"))?;
//! let y = outputs.array("y").expect("it was asked for");
//! assert_eq!((y.shape(), y.as_slice::<f64>()), (&[][..], Some(&[14.0][..])));
//! # Ok::<(), weft::Error>(())
//! ```
//!
//! # Arrays
//!
//! An [`Array`] is a shape and row-major elements of one of fourteen types, in memory that may be
//! shared. A run reads its inputs where they are, writes none of them, and hands its results out
//! where they were computed; a result that is given to the next run is read there. So nothing is
//! copied between calls, and a memory limit counts what a run allocates itself.
//!
//! ```
//! use std::sync::Arc;
//! use weft::{Array, Compiler, Inputs};
//!
//! let compiler = Compiler::new();
//! let source = "input x: [f32; n, m]; let y[i, j] = 0.5 * x[i, j];";
//! let mut half = compiler.compile("half.ein", source)?;
//! // Whatever lends a slice can own the elements: they are not moved.
//! let owner = Arc::new(vec![8.0f32; 6]);
//! let mut x = Arc::new(Array::shared(vec![2, 3], owner.clone()).expect("six elements"));
//! assert_eq!(x.as_slice::<f32>().map(<[f32]>::as_ptr), Some(owner.as_ptr()));
//! for _ in 0..3 {
//!     let outputs = half.run(&Inputs::new().array("x", x).ask("y"))?;
//!     x = outputs.array("y").expect("it was asked for").clone();
//! }
//! assert_eq!(x.as_slice::<f32>(), Some(&[1.0; 6][..]));
//! # Ok::<(), weft::Error>(())
//! ```
//!
//! Memory that is not Rust's (an address, strides, a function that releases it) becomes an array
//! by [`Foreign`], which tells where it had to be copied and why.
//!
//! # Errors
//!
//! Whatever is wrong with a text, an input or a run is an [`Error`], with the diagnostics that the
//! command shows: codes, places, and help. A run that fails leaves the program as it was.
//!
//! ```
//! use weft::{Compiler, Error, Inputs};
//!
//! let compiler = Compiler::new();
//! let Err(Error::Refused(report)) = compiler.compile("oops.ein", "let a = [1, 2]; let b = a[2];")
//! else {
//!     panic!("there is no third element")
//! };
//! assert!(report.to_string().starts_with("error["), "{report}");
//!
//! let mut program = compiler.compile("third.ein", "input n: i32; let third = 12 / n;")?;
//! let zero = program.run(&Inputs::new().literal("n", "0").ask("third"));
//! assert!(matches!(zero, Err(Error::Failed(report)) if report.diagnostics.len() == 1));
//! let outputs = program.run(&Inputs::new().literal("n", "4").ask("third"))?;
//! assert_eq!(outputs.array("third").expect("a number").get(0).as_i64(), Some(3));
//! # Ok::<(), weft::Error>(())
//! ```
//!
//! # Ends and limits
//!
//! A run ends soon after the flag of [`Inputs::interrupt`] is set, from whatever thread; each has
//! one of its own. [`Compiler::memory_limit`] bounds what a run may allocate, and
//! [`Compiler::threads`] who computes.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use weft::{Compiler, Error, Inputs};
//!
//! let compiler = Compiler::new().memory_limit(1 << 20).threads(1);
//! let source = "input n: i64; let s = sum[i in 0..n](((i * i) as f64) * 0.5);";
//! let mut program = compiler.compile("long.ein", source)?;
//! let stop = AtomicBool::new(true);
//! let inputs = Inputs::new().literal("n", "1000000000000").interrupt(&stop).ask("s");
//! assert!(matches!(program.run(&inputs), Err(Error::Interrupted)));
//! # Ok::<(), weft::Error>(())
//! ```
//!
//! [`Session`] and what belongs to it is what the command stands on: stages as text, times,
//! measurements, files.

mod bench;
mod declared;
mod emit;
mod explain;
mod facade;
mod files;
mod inputs;
mod layout;
mod lint;
mod modules;
mod npy;
mod outputs;
mod report;
mod session;
mod shown;
mod signature;
mod structure;
#[doc(hidden)]
pub mod testing;
mod timeline;
mod timing;

pub use bench::{BenchReport, BenchSegment, PassTimes};
pub use declared::{Declared, TensorType};
pub use emit::Emit;
pub use facade::{Compiler, Error, Inputs, Program, Source};
pub use inputs::Given;
pub use layout::{is_name, test_functions};
pub use lint::{LintLevel, Lints};
pub use modules::Modules;
pub use npy::file_failure;
pub use outputs::{named_text, observed_text, one_file_twice, write_outputs};
pub use report::{Format, Report, render, render_all};
pub use session::{Checked, Options, Session, Staged};
pub use signature::{Parameter, Signature, functions};
#[doc(hidden)]
pub use structure::{Recurrence, Store, Structure, planned_graphs, structure};
pub use weft_base::SourceMap;
pub use weft_base::interrupt::Interrupted;
pub use weft_codegen::{Cpu, OptLevel};
pub use weft_diag as diag;
pub use weft_executor::{
    DEFAULT_CACHE_BYTES, GRADIENT_TOLERANCE, GradientCheck, RunOptions, Tier, Unjudged,
    UnjudgedEntry, Watched, WorstEntry, default_cache_dir,
};
pub use weft_host::{ForeignCall, ForeignFunctions, Gives, Observed, Outputs, Refused, RunError};
pub use weft_pipeline::{PASSES, Pass, PassOptions, PassRecord, Semantics, Strategy, pass_named};
pub use weft_runtime::{
    Copied, Draft, Foreign, Released, Replacement, Store as CodeStore, Usage, array_bytes,
};
pub use weft_runtime::{interrupt, progress};
pub use weft_scalar::eval::{Overflow, cast};
pub use weft_scalar::{Scalar, ScalarType};
pub use weft_syntax::MAX_SOURCE_BYTES;
pub use weft_tensor::{Array, Data, Element, Elements, Owner};
