//! Facts about a program: its ground truth, whether its behaviour is defined, and the report of the other family.
//!
//! These facts do not depend on the version of a profiler, so they are computed once for all versions of a family: the
//! ground truth of P, which also serves the variants that only delete code that did not run; the ground truth of each
//! program that a relation derives from P; whether sanitizers report errors. They are always computed with the same
//! profiler, so that the result does not depend on the order of jobs.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, LazyLock};

use anyhow::Result;
use regex::Regex;
use serde::Serialize;

use super::once_map::{Key, OnceMap};
use crate::model::{Execution, Family};
use crate::relation::{against_truth, beyond_lines};
use crate::replay::{has_open_paths, may_lack};
use crate::toolchain::{
    Complaint, Detail, Probed, Profile, Profiler, Report, Request, Worker, detect_undefined, detector_count,
    usual,
};
use crate::truth::{GeneratedCode, NoTruth, Proof, Truth, TruthResult, arc_trace, measure_without, prove};

/// Facts about a program with an input and about its variants, shared by all profilers of a family.
pub struct ProgramFacts {
    /// The first profiler of the family, which measures the shared ground truth.
    reference: Option<Probed>,
    /// The newest profiler of the family, whose sanitizers detect most.
    newest: Option<Probed>,
    /// The first profiler of the other family.
    peer: Option<Probed>,
    truths: OnceMap<TruthResult>,
    proofs: Arc<Proofs>,
    /// Whether the ground truth of the program is proved where no report contradicts it, too.
    prove_all: bool,
    /// None where a detector could not check the program.
    undefined: OnceMap<Option<std::result::Result<(), Complaint>>>,
    reports: OnceMap<Profile>,
}

/// Proofs that instrumented programs are the programs. They do not depend on the input.
pub type Proofs = OnceMap<Proof>;

/// The profile of a program by the first profiler of the other family.
pub struct PeerProfile {
    /// The profiler.
    pub profiler: Probed,
    /// Its profile.
    pub profile: Arc<Profile>,
}

impl ProgramFacts {
    /// No facts yet; `profilers` contains those of all families.
    pub fn new(profilers: &[Probed], family: Family) -> ProgramFacts {
        let is_ours = |profiler: &&Probed| profiler.info().profiler == family;
        let ours = || profilers.iter().filter(is_ours);
        ProgramFacts {
            reference: ours().next().cloned(),
            newest: ours().max_by_key(|profiler| profiler.info().major()).cloned(),
            peer: profilers.iter().find(|profiler| !is_ours(profiler)).cloned(),
            truths: OnceMap::default(),
            proofs: Arc::default(),
            prove_all: false,
            undefined: OnceMap::default(),
            reports: OnceMap::default(),
        }
    }

    /// The same, with proofs that are shared with the facts of other inputs; `prove_all` is that of the settings.
    #[must_use]
    pub fn with_proofs(self, proofs: &Arc<Proofs>, prove_all: bool) -> ProgramFacts {
        ProgramFacts { proofs: Arc::clone(proofs), prove_all, ..self }
    }

    /// The ground truth of `program` for a `report` of `profiler` on it: the shared one if the program behaves the same
    /// there, or else one that is rebuilt with the profiler's own compiler. It is proved at the latest where the report
    /// contradicts it.
    pub fn ground_truth(
        &self,
        profiler: &dyn Profiler,
        worker: &mut Worker,
        request: &Request<'_>,
        report: &Report,
    ) -> Result<Arc<TruthResult>> {
        self.truth(self.prove_all, profiler, worker, request, report)
    }

    /// The same for the program in `request`, which a relation derived from a program with ground truth.
    pub fn ground_truth_of_variant(
        &self,
        profiler: &dyn Profiler,
        worker: &mut Worker,
        request: &Request<'_>,
        report: &Report,
    ) -> Result<Arc<TruthResult>> {
        self.truth(false, profiler, worker, request, report)
    }

    fn truth(
        &self,
        is_proved_always: bool,
        profiler: &dyn Profiler,
        worker: &mut Worker,
        request: &Request<'_>,
        report: &Report,
    ) -> Result<Arc<TruthResult>> {
        let truth = self.shared_or_own(profiler, worker, request, report, &BTreeSet::new())?;
        let family = profiler.info().profiler;
        let is_contradicted = truth.as_ref().as_ref().is_ok_and(|truth| {
            !against_truth(&report.coverage, truth, family).is_empty()
                || !beyond_lines(&report.coverage, truth, family).is_empty()
        });
        if is_proved_always || is_contradicted {
            self.proved(truth, profiler, worker, request, report)
        } else {
            Ok(truth)
        }
    }

    /// `truth`, without the functions that the proof leaves out, if the instrumented program is proved to be the program.
    /// The first profiler of the family makes the proof for all; where it fails, `profiler` tries again.
    fn proved(
        &self,
        truth: Arc<TruthResult>,
        profiler: &dyn Profiler,
        worker: &mut Worker,
        request: &Request<'_>,
        report: &Report,
    ) -> Result<Arc<TruthResult>> {
        if truth.is_err() {
            return Ok(truth);
        }
        let Some(reference) = &self.reference else { return Ok(truth) };
        let asked = Request { dialect: None, ..*request };
        let is_own = reference.info() == profiler.info();
        if !is_own && depends_on_version(request.source) {
            let own = prove(profiler, worker, &asked)?;
            return self.without_unproved(truth, &own, profiler, worker, request, report);
        }
        let shared = self.proofs.get(proof_key(&asked)?, || prove(&**reference, worker, &asked))?;
        let own = match &*shared {
            Err(_) if !is_own => Some(prove(profiler, worker, &asked)?),
            _ => None,
        };
        let proof = own.as_ref().filter(|own| own.is_ok()).unwrap_or(&shared);
        self.without_unproved(truth, proof, profiler, worker, request, report)
    }

    /// `truth` without the functions that `proof` leaves out, or why there is none.
    fn without_unproved(
        &self,
        truth: Arc<TruthResult>,
        proof: &Proof,
        profiler: &dyn Profiler,
        worker: &mut Worker,
        request: &Request<'_>,
        report: &Report,
    ) -> Result<Arc<TruthResult>> {
        match proof {
            Ok(left_out) if left_out.is_empty() => Ok(truth),
            Ok(left_out) => self.shared_or_own(profiler, worker, request, report, left_out),
            Err(reason) => Ok(Arc::new(Err(NoTruth::NotProved(reason.clone())))),
        }
    }

    /// Ground truth, with what the compiler of `profiler` generates if the report may lack some of it.
    fn shared_or_own(
        &self,
        profiler: &dyn Profiler,
        worker: &mut Worker,
        request: &Request<'_>,
        report: &Report,
        left_out: &BTreeSet<String>,
    ) -> Result<Arc<TruthResult>> {
        let counted = self.counted(profiler, worker, request, report, left_out)?;
        let info = profiler.info();
        let Ok(truth) = &*counted else { return Ok(counted) };
        let may_lack = may_lack(&report.coverage, truth);
        let has_open_paths = has_open_paths(&report.coverage, truth);
        if info.profiler != Family::Gcov || !(may_lack || has_open_paths) {
            return Ok(counted);
        }
        let request = Request { dialect: Some(report.dialect), ..*request };
        self.truths.get(key(&("generated by", &info.compiler, left_out), &request)?, || {
            let generated = if may_lack { GeneratedCode::of(profiler, worker, &request)? } else { None };
            let processes = truth.processes.len();
            let arcs = if has_open_paths {
                arc_trace(profiler, worker, &request, &truth.execution, processes)?.map(Arc::new)
            } else {
                None
            };
            Ok(Ok(Truth { generated, arcs, ..truth.clone() }))
        })
    }

    /// Ground truth without the functions in `left_out`.
    fn counted(
        &self,
        profiler: &dyn Profiler,
        worker: &mut Worker,
        request: &Request<'_>,
        report: &Report,
        left_out: &BTreeSet<String>,
    ) -> Result<Arc<TruthResult>> {
        let info = profiler.info();
        let shared = match &self.reference {
            Some(reference) => self.truths.get(key(&("ground truth", left_out), request)?, || {
                measure_without(&**reference, worker, &Request { dialect: None, ..*request }, left_out)
            })?,
            None => Arc::new(Err(NoTruth::Silent)),
        };
        let is_own = self.reference.as_ref().is_some_and(|reference| reference.info() == info);
        let is_other = !is_own && depends_on_version(request.source);
        let final_word = |truth: &TruthResult| match truth {
            Ok(truth) => truth.execution == report.execution && !is_other,
            Err(_) => is_own,
        };
        if final_word(&shared) {
            return Ok(shared);
        }
        let request = Request { dialect: Some(report.dialect), ..*request };
        let own =
            if is_own { shared } else { Arc::new(measure_without(profiler, worker, &request, left_out)?) };
        let did_same = |truth: &TruthResult, execution: &Execution| {
            truth.as_ref().is_ok_and(|truth| truth.execution == *execution)
        };
        match &*own {
            Ok(truth) if truth.execution != report.execution => {
                let again = measure_without(profiler, worker, &request, left_out)?;
                let is_steady = did_same(&again, &truth.execution);
                Ok(Arc::new(Err(if is_steady { NoTruth::Differs } else { NoTruth::Unsteady })))
            }
            _ => Ok(own),
        }
    }

    /// An error if a detector reports undefined behaviour of the program in `request`, so that no report on it counts as
    /// wrong. `did` is its execution under `profiler`. The detectors of the newest version decide; if the program
    /// behaves differently under one of them, or one does not run, those of the compiler that comes with the machine and of `profiler`
    /// decide: valgrind knows the C library of the machine only.
    pub fn undefined_behaviour(
        &self,
        profiler: &dyn Profiler,
        worker: &mut Worker,
        request: &Request<'_>,
        did: &Execution,
    ) -> Result<std::result::Result<(), Complaint>> {
        let Some(newest) = &self.newest else { return Ok(Ok(())) };
        let asked = ("undefined", &did.termination, &did.stdout);
        let shared = self.undefined.get(key(&asked, &Request { file: None, ..*request })?, || {
            let request = Request { dialect: None, ..*request };
            let mut said = None;
            let is_other =
                |usual: &&Probed| usual.info() != newest.info() && !depends_on_version(request.source);
            let other = usual(newest.info().profiler).filter(is_other);
            for checker in [Some(newest), other].into_iter().flatten() {
                said = match detect_undefined(&**checker, worker, &request, did)? {
                    Err(complaint) => Some(Err(complaint)),
                    Ok(silent) => {
                        let is_all = silent.len() == detector_count(newest.info().profiler, request.flags);
                        is_all.then_some(Ok(()))
                    }
                };
                if said.is_some() {
                    break;
                }
            }
            Ok(said)
        })?;
        match &*shared {
            None if newest.info() != profiler.info() => {
                Ok(detect_undefined(profiler, worker, request, did)?.map(drop))
            }
            said => Ok(said.clone().unwrap_or(Ok(()))),
        }
    }

    /// The peer's profile of the program in `request`; none if the campaign has no profiler of the other family.
    pub fn peer(&self, worker: &mut Worker, request: &Request<'_>) -> Result<Option<PeerProfile>> {
        let Some(peer) = &self.peer else { return Ok(None) };
        let key = key(&"report", request)?;
        let request = Request { dialect: None, detail: Detail::Lines, ..*request };
        let profile = self.reports.get(key, || peer.profile(worker, &request))?;
        Ok(Some(PeerProfile { profiler: Arc::clone(peer), profile }))
    }
}

/// Whether `source` may be another program for another version of a compiler: it names what says which one compiles it, or asks
/// whether a name is defined that it does not define.
fn depends_on_version(source: &str) -> bool {
    const NAMES: [&str; 5] = ["__STDC_VERSION__", "__GNUC", "__clang_", "__VERSION__", "__has_"];
    static ASKED: LazyLock<Regex> = LazyLock::new(|| {
        let directive = r"(?m)^[ \t]*#[ \t]*(?:el)?if(?:n?def)?\b(.*)";
        Regex::new(directive).expect("a constant")
    });
    static DEFINED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)").expect("a constant"));
    static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b[A-Za-z_]\w*").expect("a constant"));
    let defined: HashSet<&str> =
        DEFINED.captures_iter(source).map(|found| found.extract::<1>().1[0]).collect();
    let is_foreign = |name: &str| name != "defined" && !defined.contains(name);
    let asks = |condition: &str| NAME.find_iter(condition).any(|name| is_foreign(name.as_str()));
    NAMES.iter().any(|name| source.contains(name))
        || ASKED.captures_iter(source).any(|found| asks(found.extract::<1>().1[0]))
}

/// The key of the fact `what` about the program in `request`.
fn key(what: &impl Serialize, request: &Request<'_>) -> Result<Key> {
    let Request { source, file, flags, input, runs, .. } = request;
    Ok(blake3::hash(&serde_json::to_vec(&(what, source, file, flags, input, runs))?))
}

/// A proof holds for all inputs.
fn proof_key(request: &Request<'_>) -> Result<Key> {
    Ok(blake3::hash(&serde_json::to_vec(&("proof", request.source, request.file, request.flags))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_depends_on_the_version_if_it_asks_for_a_name_that_it_does_not_define() {
        assert!(depends_on_version("#ifndef unreachable\n#endif\n"));
        assert!(depends_on_version("#define N 2\n# if N > 1 && defined __BITINT_MAXWIDTH__\n#endif\n"));
        assert!(depends_on_version("int x = __GNUC__;\n"));
        assert!(!depends_on_version("#define N 2\n#if defined(N) && N > 1\n#elif !N\n#endif\n"));
        assert!(!depends_on_version("int main(void) { if (n) return 1; }\n"));
    }
}
