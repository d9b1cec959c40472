//! From raw differences to explained findings: isolate, judge, sign, cluster.
//!
//! Everything up to the signature happens inside one job and depends on that job alone, so the result of a campaign does
//! not depend on the order in which jobs finish.

mod artefact;
mod by_truth;
mod claims;
mod cluster;
mod control;
mod convention;
mod explain;
mod isolate;
mod known;
mod measured;
mod peer;
mod program_facts;
mod repeated;
mod once_map;
mod rewritten;
mod rule;
mod sign;
mod subject;
mod variant;
mod variant_runner;
mod verdict;
mod wording;

pub use claims::{contradictions, examine, one_per_element, wrong_numbers};
pub use cluster::{clusters, merged_clusters, sentence};
pub use explain::{VariantResult, explain};
pub use isolate::{ddmin, minimise};
pub use known::{Known, KnownCluster, KnownProgram, Status};
pub use measured::Measured;
pub use program_facts::{PeerProfile, ProgramFacts, Proofs};
pub use rewritten::rewritten;
pub use rule::upstream;
pub use sign::{Position, cluster_id, core};
pub use subject::{Peer, Stability, Subject};
pub use variant_runner::VariantRunner;
pub use wording::{construct, with_article};
