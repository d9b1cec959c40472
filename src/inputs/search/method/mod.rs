//! How the next input is chosen: one file a method. Ours is `recount`; the others are the published ones,
//! there to be compared with, on the same evaluator and in the same session.

mod avm;
mod coverme;
mod es;
mod random;
mod recount;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::session::Session;

/// A method of search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Ours: one open branch at a time, in steps from value to value.
    #[default]
    Recount,
    /// CoverMe as published: basin hopping over Powell's method on one representing function.
    Coverme,
    /// FloPSy's alternating variable method.
    Avm,
    /// FloPSy's evolution strategy.
    Es,
    /// Random bit patterns.
    Random,
    /// The CoverMe paper's random baseline: uniform between ±1e307.
    Uniform,
}

/// Search until nothing is left to do.
pub fn search(method: Method, session: &mut Session<'_>) {
    if session.goal.targets().is_empty() {
        // Nothing decides anything: one input does all.
        let input: Vec<u64> = session.problem.cells.iter().map(|cell| cell.number.nearest(1.0)).collect();
        session.evaluate(&input);
        if session.ended.is_clean() {
            session.keep(&input);
        }
        return;
    }
    match method {
        Method::Recount => recount::search(session),
        Method::Coverme => coverme::search(session),
        Method::Avm => avm::search(session),
        Method::Es => es::search(session),
        Method::Random => random::search(session, random::bits),
        Method::Uniform => random::search(session, random::uniform),
    }
}
