//! A campaign: plan, workers, events, resume, shards.
//!
//! The engine emits [`Event`]s and never prints. Workers are loops on a rayon pool that take the next job from one
//! queue. A job that fails or panics is recorded, and the campaign continues.

mod batch;
mod disk_pause;
mod event;
mod included;
mod job;
mod plan;
mod profiled;
mod program_cache;
mod queue;
mod run;
mod schedule;
mod stop;

pub(crate) use batch::Batch;
pub use disk_pause::DiskPause;
pub use event::{Event, EventListener, Summary};
pub(crate) use job::JobResult;
pub use plan::{Job, Plan, Selection, Shard};
pub(crate) use profiled::Profiled;
use program_cache::ProgramCache;
pub use run::{Campaign, changed_programs, run};
pub use schedule::Order;
pub use stop::NewClusterLimit;

use schedule::Schedule;
