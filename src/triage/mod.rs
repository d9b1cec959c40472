//! From raw differences to explained findings: isolate, judge, sign, cluster.
//!
//! All of it happens inside one job and depends on that job alone, so that a
//! campaign's result does not depend on who finished first.

mod artefact;
mod cluster;
mod explain;
mod isolate;
mod lab;
mod sign;

pub use cluster::{clusters, sentence};
pub use explain::{Observed, explain};
pub use isolate::{ddmin, minimise};
pub use lab::{Lab, Stability};
pub use sign::{Position, cluster_id, signed_anew};
