//! A campaign: plan, workers, events, resume, shards.
//!
//! The engine emits [`Event`]s and never prints. Workers are loops on a rayon
//! pool that pull the next job from one queue; each has a worker of its own. A
//! job that fails or panics becomes a record, and the campaign goes on.

mod event;
mod job;
mod program_cache;
mod plan;
mod schedule;
mod workers;

pub use event::{Event, EventListener, Summary};
pub use job::{JobResult, inspect};
pub use plan::{Job, Plan, Selection, Shard};
pub use program_cache::ProgramCache;
pub use schedule::{Order, Schedule, Turn};
pub use workers::{Campaign, full, run};
