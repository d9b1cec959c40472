//! Parsed programs and facts about them, shared by the jobs on one program until the last of them has ended.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex};

use anyhow::Result;

use super::Job;
use crate::syntax::Program;
use crate::sys::lock;
use crate::toolchain::Probed;
use crate::triage::{ProgramFacts, Proofs};

pub struct ProgramCache {
    profilers: Vec<Probed>,
    prove_all: bool,
    hasher: RandomState,
    /// By program, mutated copy, family and input.
    programs: Slots<CachedProgram>,
    /// By program, mutated copy and family.
    proofs: Slots<Proofs>,
}

/// A hash of what jobs have in common.
type Key = u64;

/// What several jobs share, until the last of them has ended.
struct Slots<T>(Mutex<HashMap<Key, Slot<T>>>);

struct Slot<T> {
    jobs_left: usize,
    shared: Option<Arc<T>>,
}

impl<T> Slots<T> {
    fn expect(&self, key: Key) {
        lock(&self.0).entry(key).or_insert(Slot { jobs_left: 0, shared: None }).jobs_left += 1;
    }

    fn get(&self, key: Key, new: impl FnOnce() -> T) -> Arc<T> {
        let mut slots = lock(&self.0);
        let shared = &mut slots.entry(key).or_insert(Slot { jobs_left: 0, shared: None }).shared;
        Arc::clone(shared.get_or_insert_with(|| Arc::new(new())))
    }

    fn finished(&self, key: Key) {
        if let Entry::Occupied(mut slot) = lock(&self.0).entry(key) {
            slot.get_mut().jobs_left = slot.get().jobs_left.saturating_sub(1);
            if slot.get().jobs_left == 0 {
                slot.remove();
            }
        }
    }
}

/// The parsed program and the facts about it that the jobs of one family share.
pub(super) struct CachedProgram {
    program: Mutex<Option<Arc<Program>>>,
    pub facts: ProgramFacts,
}

impl CachedProgram {
    /// The program, parsed once. A failed read is not cached: the file may be readable for the next job.
    pub fn parsed(&self, read: impl FnOnce() -> Result<String>) -> Result<Arc<Program>> {
        let mut kept = lock(&self.program);
        let program = match kept.take() {
            Some(program) => program,
            None => Arc::new(Program::parse(read()?)),
        };
        Ok(Arc::clone(kept.insert(program)))
    }
}

impl ProgramCache {
    /// A cache for `jobs`, whose profilers are indices into `profilers`. `prove_all` is that of the settings.
    pub fn new<'a>(
        profilers: &[Probed],
        jobs: impl IntoIterator<Item = &'a Job>,
        prove_all: bool,
    ) -> ProgramCache {
        let cache = ProgramCache {
            profilers: profilers.to_vec(),
            prove_all,
            hasher: RandomState::new(),
            programs: Slots(Mutex::default()),
            proofs: Slots(Mutex::default()),
        };
        for job in jobs {
            cache.programs.expect(cache.key(job));
            cache.proofs.expect(cache.key_of_inputs(job));
        }
        cache
    }

    pub(super) fn program_of(&self, job: &Job) -> Arc<CachedProgram> {
        let family = self.profilers[job.profiler].info().profiler;
        let proofs = self.proofs.get(self.key_of_inputs(job), Proofs::default);
        self.programs.get(self.key(job), || CachedProgram {
            program: Mutex::default(),
            facts: ProgramFacts::new(&self.profilers, family).with_proofs(&proofs, self.prove_all),
        })
    }

    /// Drop the program of `job` if no other job needs it.
    pub(super) fn finished(&self, job: &Job) {
        self.programs.finished(self.key(job));
        self.proofs.finished(self.key_of_inputs(job));
    }

    fn key(&self, job: &Job) -> Key {
        self.hasher.hash_one((self.key_of_inputs(job), &job.input.name))
    }

    fn key_of_inputs(&self, job: &Job) -> Key {
        let family = self.profilers[job.profiler].info().profiler;
        self.hasher.hash_one((job.source, job.mutant, family))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::Plan;
    use crate::corpus::Source;
    use crate::model::{Family, ProfilerInfo};
    use crate::toolchain::{Profile, Profiler, Request, Worker};

    struct Idle(ProfilerInfo);

    impl Profiler for Idle {
        fn info(&self) -> &ProfilerInfo {
            &self.0
        }

        fn profile(&self, _: &mut Worker, _: &Request<'_>) -> Result<Profile> {
            anyhow::bail!("not called")
        }

        fn commands(&self, _: &Request<'_>, _: usize) -> Vec<String> {
            Vec::new()
        }
    }

    #[test]
    fn a_failed_read_is_repeated_and_a_parsed_program_is_kept() {
        let cached = CachedProgram { program: Mutex::default(), facts: ProgramFacts::new(&[], Family::Gcov) };
        assert!(cached.parsed(|| anyhow::bail!("the disk is full")).is_err());
        let read = cached.parsed(|| Ok("int x;".into())).expect("a readable file");
        let again = cached.parsed(|| anyhow::bail!("it is read twice")).expect("the kept program");
        assert!(Arc::ptr_eq(&read, &again));
    }

    #[test]
    fn a_program_is_kept_until_the_last_job_of_its_family_has_ended() {
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
        let cache = ProgramCache::new(&profilers, &plan.jobs, false);
        let [p_gcc1, p_clang, p_gcc2, q_gcc1, ..] = &plan.jobs[..] else { panic!("{:?}", plan.jobs) };
        let known = Arc::downgrade(&cache.program_of(p_gcc1));
        for other in [p_clang, q_gcc1] {
            assert!(!Arc::ptr_eq(&cache.program_of(p_gcc1), &cache.program_of(other)), "{}", other.id);
            cache.finished(other);
        }
        cache.finished(p_gcc1);
        assert!(known.upgrade().is_some_and(|known| Arc::ptr_eq(&known, &cache.program_of(p_gcc2))));
        cache.finished(p_gcc2);
        assert!(known.upgrade().is_none());
    }
}
