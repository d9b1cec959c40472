//! Reduction: from a finding to the smallest program that shows it.
//!
//! [`Hunt`] knows what has to stay and finds it afresh; the engine makes the program smaller by the
//! passes of [`SCHEDULE`]. Nothing here knows of journals' places or terminals.

mod candidate;
mod contrast;
mod engine;
mod external;
mod hunt;
mod included;
mod schedule;
mod sound;
mod versions;
mod work;

pub use candidate::{Candidate, edited, lines_of_code};
pub use engine::{Engine, Judge, Progress};
pub use external::{Reducer, ask};
pub use hunt::{Hunt, Seen, Wanted, candidate};
pub use schedule::{Grouping, SCHEDULE, Stage, Step};
pub use versions::versions;
pub use work::{By, Unreduced, before_reduction, canonical, reduce};
