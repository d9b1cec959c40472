//! The search for inputs: what is wanted (goals), how far a run was from it (distances), and how the
//! next input is chosen (methods). Pure and seeded: it sees a function only through [`Subject`].
//!
//! Mathematical Execution (Fu and Su) gives the frame: a goal is a function of the input that is
//! never negative and 0 exactly where the goal is met, so that to test is to minimise.

mod constants;
mod cover;
mod distance;
mod goal;
mod method;
mod problem;
mod run;
mod session;

pub use constants::{constants, definitions, texts};
pub use cover::cover;
pub use distance::Distance;
pub use goal::{GoalName, goal};
pub use method::{Method, search};
pub use problem::{Cell, Problem};
pub use run::{Ended, Run, Subject, Visit};
pub use session::{Effort, Outcome, Session};
