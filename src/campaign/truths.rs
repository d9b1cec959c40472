//! Truth shared: one build a program and family, for all versions, and for all variants that only delete what
//! did not run; one for each program that a relation makes of it. In the same way what the other family
//! reports of a program.
//!
//! It is always the first profiler of a family that tells, whoever asks first, so
//! that the result does not depend on the order of jobs. What is known of a program and an input is kept while
//! jobs of the same family are left on them, in a campaign no longer.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex};

use anyhow::Result;

use super::Job;
use super::remembered::{Key, Remembered};
use crate::model::Family;
use crate::syntax::Program;
use crate::sys::lock;
use crate::toolchain::{Bench, Detail, Probed, Profile, Profiler, Report, Request};
use crate::truth::{Told, Untold, believed, counted, tell};

/// What is known of the programs that jobs are left for.
pub struct Truths {
    /// The first profiler of each family.
    tellers: Vec<Probed>,
    /// The family of each profiler.
    families: Vec<Family>,
    hasher: RandomState,
    asked: Mutex<HashMap<Whose, Asked>>,
}

/// A hash of a program, which of its mutated copies, the name of its input, and the family of who asks.
type Whose = u64;

#[derive(Default)]
struct Asked {
    jobs: usize,
    knowledge: Option<Arc<Knowledge>>,
}

/// What the profilers of a family know of a program.
pub(super) struct Knowledge {
    teller: Option<Probed>,
    peer: Option<Probed>,
    told: Remembered<Told>,
    reports: Remembered<Profile>,
}

/// What the first profiler of the other family gives on a program.
pub(super) struct PeerProfile {
    /// The profiler.
    pub profiler: Probed,
    /// Its profile.
    pub profile: Arc<Profile>,
}

impl Truths {
    /// Truth for `jobs`, whose profilers are indices into `profilers`, by the first of these of each family.
    pub fn new<'a>(profilers: &[Probed], jobs: impl IntoIterator<Item = &'a Job>) -> Truths {
        let families: Vec<Family> = profilers.iter().map(|profiler| profiler.info().profiler).collect();
        let is_first = |at: usize| !families[..at].contains(&families[at]);
        let tellers = (0..families.len()).filter(|at| is_first(*at)).map(|at| Arc::clone(&profilers[at]));
        let tellers = tellers.collect();
        let truths = Truths { tellers, families, hasher: RandomState::new(), asked: Mutex::default() };
        for job in jobs {
            lock(&truths.asked).entry(truths.whose(job)).or_default().jobs += 1;
        }
        truths
    }

    /// What is shared with `job`.
    pub(super) fn about(&self, job: &Job) -> Arc<Knowledge> {
        let family = self.families[job.profiler];
        let mut asked = lock(&self.asked);
        let knowledge = &mut asked.entry(self.whose(job)).or_default().knowledge;
        Arc::clone(knowledge.get_or_insert_with(|| Arc::new(Knowledge::new(&self.tellers, family))))
    }

    /// `job` asks nothing any more.
    pub(super) fn ended(&self, job: &Job) {
        if let Entry::Occupied(mut entry) = lock(&self.asked).entry(self.whose(job)) {
            entry.get_mut().jobs = entry.get().jobs.saturating_sub(1);
            if entry.get().jobs == 0 {
                entry.remove();
            }
        }
    }

    fn whose(&self, job: &Job) -> Whose {
        self.hasher.hash_one((job.source, job.mutant, &job.input.name, self.families[job.profiler]))
    }
}

impl Knowledge {
    /// Nothing yet.
    fn new(tellers: &[Probed], family: Family) -> Knowledge {
        let teller = tellers.iter().find(|teller| teller.info().profiler == family);
        let peer = tellers.iter().find(|teller| teller.info().profiler != family);
        Knowledge {
            teller: teller.cloned(),
            peer: peer.cloned(),
            told: Remembered::default(),
            reports: Remembered::default(),
        }
    }

    /// The truth of `program` for a `report` of `profiler` on it: shared if the shared one does the same, else
    /// told by the profiler's own compiler.
    pub(super) fn of(
        &self,
        profiler: &dyn Profiler,
        bench: &mut Bench,
        program: &Program,
        request: &Request<'_>,
        report: &Report,
    ) -> Result<Arc<Told>> {
        self.shared_or_own("program", profiler, bench, request, report, |teller, bench, request| {
            tell(teller, bench, program, request)
        })
    }

    /// The same for the program of `request` that a relation made of one that has truth, so that it is known to
    /// stay one process with one thread.
    pub(super) fn of_variant(
        &self,
        profiler: &dyn Profiler,
        bench: &mut Bench,
        request: &Request<'_>,
        report: &Report,
    ) -> Result<Arc<Told>> {
        self.shared_or_own("variant", profiler, bench, request, report, counted)
    }

    fn shared_or_own(
        &self,
        what: &str,
        profiler: &dyn Profiler,
        bench: &mut Bench,
        request: &Request<'_>,
        report: &Report,
        tell: impl Fn(&dyn Profiler, &mut Bench, &Request<'_>) -> Result<Told>,
    ) -> Result<Arc<Told>> {
        let info = profiler.info();
        let shared = match &self.teller {
            Some(teller) => self.told.get(key(what, request)?, || {
                tell(&**teller, bench, &Request { dialect: None, ..*request })
            })?,
            None => Arc::new(Err(Untold::Silent)),
        };
        let is_own = self.teller.as_ref().is_some_and(|teller| teller.info() == info);
        let final_word = |told: &Told| match told {
            Ok(truth) => truth.execution == report.execution,
            Err(untold) => is_own || untold.is_plain(),
        };
        if final_word(&shared) {
            return Ok(shared);
        }
        if is_own {
            return Ok(Arc::new(Err(Untold::Differs)));
        }
        let own = tell(profiler, bench, &Request { dialect: Some(report.dialect), ..*request })?;
        Ok(Arc::new(believed(own, &report.execution)))
    }

    /// What the peer gives on the program of `request`; none where the campaign has no profiler of another family.
    pub(super) fn peer(&self, bench: &mut Bench, request: &Request<'_>) -> Result<Option<PeerProfile>> {
        let Some(peer) = &self.peer else { return Ok(None) };
        let key = key("report", request)?;
        let request = Request { dialect: None, detail: Detail::Lines, ..*request };
        let profile = self.reports.get(key, || peer.profile(bench, &request))?;
        Ok(Some(PeerProfile { profiler: Arc::clone(peer), profile }))
    }
}

/// `what` is asked about the program of `request`, run in that way.
fn key(what: &str, request: &Request<'_>) -> Result<Key> {
    let Request { source, flags, input, runs, .. } = request;
    Ok(blake3::hash(&serde_json::to_vec(&(what, source, flags, input, runs))?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::Plan;
    use crate::corpus::{Input, Source};
    use crate::model::ProfilerInfo;

    struct Idle(ProfilerInfo);

    impl Profiler for Idle {
        fn info(&self) -> &ProfilerInfo {
            &self.0
        }

        fn profile(&self, _: &mut Bench, _: &Request<'_>) -> Result<Profile> {
            anyhow::bail!("nobody asks")
        }

        fn commands(&self, _: &[String], _: &Input, _: usize) -> Vec<String> {
            Vec::new()
        }
    }

    #[test]
    fn what_is_known_of_a_program_is_kept_until_the_last_job_of_the_family_has_ended() {
        let info = |profiler: Family, compiler: &str| ProfilerInfo {
            profiler,
            compiler: compiler.into(),
            version: String::new(),
            tools: vec![],
        };
        let infos = [(Family::Gcov, "gcc-1"), (Family::LlvmCov, "clang-1"), (Family::Gcov, "gcc-2")];
        let infos = infos.map(|(family, compiler)| info(family, compiler));
        let profilers: Vec<Probed> =
            infos.iter().map(|info| Arc::new(Idle(info.clone())) as Probed).collect();
        let sources = [Source::given("p", ""), Source::given("q", "")];
        let plan = Plan::new(&sources, &infos, 0);
        let truths = Truths::new(&profilers, &plan.jobs);
        let [p_gcc1, p_clang, p_gcc2, q_gcc1, ..] = &plan.jobs[..] else { panic!("{:?}", plan.jobs) };
        let known = Arc::downgrade(&truths.about(p_gcc1));
        for other in [p_clang, q_gcc1] {
            assert!(!Arc::ptr_eq(&truths.about(p_gcc1), &truths.about(other)), "{}", other.id);
            truths.ended(other);
        }
        truths.ended(p_gcc1);
        assert!(known.upgrade().is_some_and(|known| Arc::ptr_eq(&known, &truths.about(p_gcc2))));
        truths.ended(p_gcc2);
        assert!(known.upgrade().is_none());
    }
}
