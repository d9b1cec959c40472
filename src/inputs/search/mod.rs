//! The search: goals, distances of runs from them, and methods that choose the next input. It is pure and seeded: it runs
//! a function only through [`Subject`].
//!
//! The framework is Mathematical Execution (Fu and Su): a goal is a function of the input that is never negative, and 0
//! exactly where the goal is met, so that testing becomes minimisation.

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
pub use goal::{GoalName, goal};
pub use method::{Method, search};
pub use problem::Problem;
pub use run::{Run, RunEnd, Subject, Visit};
pub use session::{Effort, Input, Outcome, Session};
