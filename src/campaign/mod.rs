//! A campaign: plan, workers, events, resume, shards.
//!
//! The engine emits [`Event`]s and never prints. Workers are loops on a rayon
//! pool that pull the next job from one queue; each has a bench of its own. A
//! job that fails or panics becomes a record, and the campaign goes on.

mod event;
mod job;
mod plan;
mod remembered;
mod schedule;
mod truths;
mod workers;

pub use event::{Event, Observer, Summary};
pub use job::{Inspected, inspect};
pub use plan::{Job, Plan, Selection, Shard};
pub use schedule::{Order, Schedule, Turn};
pub use truths::Truths;
pub use workers::{Campaign, full, run};
