//! Other profiles of a program: of several runs together, and in a build that is perturbed.

use crate::coverage::Coverage;
use crate::model::{Line, Outcome};
use crate::toolchain::{Perturbation, Profile, Report};

/// The profile of one run, from the profile that `runs` equal runs share. If a run died, nothing is known about the
/// others.
pub(super) fn of_each(profile: Profile, runs: u32) -> Profile {
    let alike = profile.ok().and_then(|report| {
        let Report { execution, coverage, dialect } = report;
        Some(Report { execution, coverage: coverage.of_each(runs.into())?, dialect })
    });
    alike.ok_or_else(|| Outcome::NoProfile { reason: "it differs from run to run".into() })
}

/// Whether two counts of P agree, one of them in a build with this perturbation. If memory is filled with a pattern, gcc counts
/// the initialisation, so only whether the code ran is compared.
pub(super) fn same_count(perturbation: Perturbation) -> fn(u64, u64) -> bool {
    match perturbation {
        Perturbation::Uninitialised => |a, b| (a == 0) == (b == 0),
        _ => |a, b| a == b,
    }
}

/// The lines on which two reports on P differ in functions, branches or conditions; none if they agree.
pub(super) fn varying_beyond_lines(
    p: &Coverage,
    again: &Coverage,
    perturbation: Perturbation,
) -> Option<Vec<Line>> {
    let same = same_count(perturbation);
    let functions = p.functions.iter().zip(&again.functions);
    let functions = functions.filter(|(a, b)| !same(a.count, b.count)).map(|(a, _)| a.line);
    let branches = p.branches.iter().zip(&again.branches);
    let branches = branches.filter(|(a, b)| !same(a.taken.unwrap_or(0), b.taken.unwrap_or(0)));
    let decisions = p.decisions.iter().zip(&again.decisions).filter(|(a, b)| a != b);
    let varying: Vec<Line> =
        functions.chain(branches.map(|(a, _)| a.line)).chain(decisions.map(|(a, _)| a.line)).collect();
    let is_same = varying.is_empty()
        && p.branches.len() == again.branches.len()
        && p.decisions.len() == again.decisions.len();
    (!is_same).then_some(varying)
}
