//! The input search, `recount inputs`: from a C file to a small set of inputs and their coverage.
//!
//! 1. Preprocess the file, find the functions and programs that can be run with numbers (`source`), and build one of
//!    them with probes (`build`).
//! 2. Search in a separate process (`evaluate`, `search`, `find`).
//! 3. Choose a small cover of the inputs, run it under gcov (`measure`), and show it (`render`, `plot`, `replay`).
//!
//! A campaign uses the same steps to add inputs to its programs (`widen`).

mod answer;
mod build;
mod build_env;
mod evaluate;
mod find;
mod measure;
mod plot;
mod render;
mod replay;
mod search;
mod source;
mod widen;

pub use answer::Answer;
pub use build_env::BuildEnv;
pub use evaluate::{SearchOptions, evaluate};
pub use find::find;
pub use plot::plot;
pub use render::{hex, json, text};
pub use replay::replay;
pub use search::{GoalName, Method};
pub use source::{Candidate, Source};
pub use widen::with_found_inputs;
