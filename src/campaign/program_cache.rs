//! What jobs on the same program share, while there are any left: its parse, and what is known of it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex};

use anyhow::Result;

use super::Job;
use crate::syntax::Program;
use crate::sys::lock;
use crate::toolchain::Probed;
use crate::triage::ProgramFacts;

/// What is known of the programs that jobs are left for.
pub struct ProgramCache {
    profilers: Vec<Probed>,
    hasher: RandomState,
    asked: Mutex<HashMap<Whose, Asked>>,
}

/// A hash of a program, which of its mutated copies, the name of its input, and the family of who asks.
type Whose = u64;

#[derive(Default)]
struct Asked {
    jobs: usize,
    shared: Option<Arc<Shared>>,
}

/// What jobs of one family on one program share.
pub(super) struct Shared {
    program: Mutex<Option<Arc<Program>>>,
    /// What the family knows of it.
    pub knowledge: ProgramFacts,
}

impl Shared {
    /// The program, parsed once. A failure is not kept: what could not be read for one job may be for the next.
    pub(super) fn program(&self, read: impl FnOnce() -> Result<String>) -> Result<Arc<Program>> {
        let mut kept = lock(&self.program);
        if let Some(program) = &*kept {
            return Ok(Arc::clone(program));
        }
        let program = Arc::new(Program::parse(read()?));
        *kept = Some(Arc::clone(&program));
        Ok(program)
    }
}

impl ProgramCache {
    /// What is shared among `jobs`, whose profilers are indices into `profilers`.
    pub fn new<'a>(profilers: &[Probed], jobs: impl IntoIterator<Item = &'a Job>) -> ProgramCache {
        let memory = ProgramCache {
            profilers: profilers.to_vec(),
            hasher: RandomState::new(),
            asked: Mutex::default(),
        };
        for job in jobs {
            lock(&memory.asked).entry(memory.whose(job)).or_default().jobs += 1;
        }
        memory
    }

    /// What is shared with `job`.
    pub(super) fn about(&self, job: &Job) -> Arc<Shared> {
        let family = self.profilers[job.profiler].info().profiler;
        let mut asked = lock(&self.asked);
        let shared = &mut asked.entry(self.whose(job)).or_default().shared;
        let new =
            || Shared { program: Mutex::default(), knowledge: ProgramFacts::new(&self.profilers, family) };
        Arc::clone(shared.get_or_insert_with(|| Arc::new(new())))
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
        let family = self.profilers[job.profiler].info().profiler;
        self.hasher.hash_one((job.source, job.mutant, &job.input.name, family))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::Plan;
    use crate::corpus::{Input, Source};
    use crate::model::{Family, ProfilerInfo};
    use crate::toolchain::{Profile, Profiler, Request, Worker};

    struct Idle(ProfilerInfo);

    impl Profiler for Idle {
        fn info(&self) -> &ProfilerInfo {
            &self.0
        }

        fn profile(&self, _: &mut Worker, _: &Request<'_>) -> Result<Profile> {
            anyhow::bail!("nobody asks")
        }

        fn commands(&self, _: &[String], _: &Input, _: usize) -> Vec<String> {
            Vec::new()
        }
    }

    #[test]
    fn a_program_that_could_not_be_read_is_read_again_and_then_never() {
        let shared = Shared { program: Mutex::default(), knowledge: ProgramFacts::new(&[], Family::Gcov) };
        assert!(shared.program(|| anyhow::bail!("the disk is full")).is_err());
        let read = shared.program(|| Ok("int x;".into())).expect("it is there now");
        let again = shared.program(|| anyhow::bail!("nobody reads it again")).expect("it is kept");
        assert!(Arc::ptr_eq(&read, &again));
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
        let memory = ProgramCache::new(&profilers, &plan.jobs);
        let [p_gcc1, p_clang, p_gcc2, q_gcc1, ..] = &plan.jobs[..] else { panic!("{:?}", plan.jobs) };
        let known = Arc::downgrade(&memory.about(p_gcc1));
        for other in [p_clang, q_gcc1] {
            assert!(!Arc::ptr_eq(&memory.about(p_gcc1), &memory.about(other)), "{}", other.id);
            memory.ended(other);
        }
        memory.ended(p_gcc1);
        assert!(known.upgrade().is_some_and(|known| Arc::ptr_eq(&known, &memory.about(p_gcc2))));
        memory.ended(p_gcc2);
        assert!(known.upgrade().is_none());
    }
}
