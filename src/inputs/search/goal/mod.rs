//! The goals of a search, one per file.

mod boundary;
mod branches;
mod name;
mod path;
mod satisfied;
mod target;

#[cfg(test)]
pub use branches::Branches;
pub use name::{GoalName, goal};
pub use target::{Goal, Measures, Target};
