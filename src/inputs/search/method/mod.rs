//! The methods that choose the next input, one per file. `recount` is our own; the others are published ones, for
//! comparison, on the same evaluator and in the same session.

mod avm;
mod coverme;
mod es;
mod random;
mod recount;
mod solver;
#[cfg(test)]
mod tests;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::session::Session;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Our own: one open branch at a time, in steps from value to value.
    #[default]
    Recount,
    /// `CoverMe` as published: basin hopping with Powell's method on one representing function.
    Coverme,
    /// `FloPSy`'s alternating variable method.
    Avm,
    /// `FloPSy`'s evolution strategy.
    Es,
    /// Random bit patterns.
    Random,
    /// The random baseline of the `CoverMe` paper: uniform between ±1e307.
    Uniform,
}

/// Search until the session is over or the method has nothing more to try.
pub fn search(method: Method, session: &mut Session<'_>) {
    if session.goal.targets().is_empty() {
        // Without a target, one input is enough.
        let input: Vec<u64> = session.problem.numbers().map(|number| number.nearest(1.0)).collect();
        session.evaluate(&input);
        if session.end.is_clean() {
            session.keep(&input, Vec::new());
        }
        return;
    }
    match method {
        Method::Recount => recount::search(session),
        _ if session.problem.cells.is_empty() => session.evaluate(&[]),
        Method::Coverme => coverme::search(session),
        Method::Avm => solver::search(session, avm::climb),
        Method::Es => solver::search(session, es::evolve),
        Method::Random => random::search(session, random::bits),
        Method::Uniform => random::search(session, random::uniform),
    }
}
