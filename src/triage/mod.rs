//! From raw differences to explained findings: isolate, judge, sign, cluster.
//!
//! All of it happens inside one job and depends on that job alone, so that a
//! campaign's result does not depend on who finished first.

mod artefact;
mod claims;
mod cluster;
mod control;
mod convention;
mod explain;
mod isolate;
mod knowledge;
mod known;
mod lab;
mod peer;
mod once_map;
mod rewritten;
mod rule;
mod sign;
mod subject;
mod verdict;

pub use claims::{contradictions, examine};
pub use cluster::{clusters, merged_clusters, sentence};
pub use convention::BY_TRUTH;
pub use explain::{VariantResult, explain};
pub use isolate::{ddmin, minimise};
pub use knowledge::{PeerProfile, ProgramFacts};
pub use known::{Known, KnownCluster};
pub use lab::VariantRunner;
pub use rewritten::rewritten;
pub use rule::upstream;
pub use sign::{Position, cluster_id, core};
pub use subject::{Peer, Stability, Subject};
