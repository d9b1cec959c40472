//! The plan: pure data, printable, sharded and resumed by the ids of its jobs.

use anyhow::{Result, bail};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use crate::corpus::{Input, Source};
use crate::model::ProfilerInfo;

/// One program with one input under one profiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Unique, and the same in every run that has the job.
    pub id: String,
    /// Index into the sources.
    pub source: usize,
    pub input: Input,
    /// Index into the profilers.
    pub profiler: usize,
    /// The number of the mutated copy of the program; 0 is the program itself.
    pub mutant: usize,
}

impl Job {
    /// The id of its program or mutated copy, which does not depend on the profiler and the input.
    pub fn program(&self, source: &Source) -> String {
        if self.mutant == 0 { source.id.clone() } else { format!("{}~{}", source.id, self.mutant) }
    }
}

/// The programs that a campaign selects.
#[derive(Clone, Copy, Debug, Default)]
pub struct Selection {
    /// The number of programs to draw with the seed; none means all.
    pub programs: Option<usize>,
    pub shard: Option<Shard>,
}

impl Selection {
    /// The selected `sources`, in their order. A search for inputs runs afterwards, so it spends no time on others.
    pub fn of(self, mut sources: Vec<Source>, seed: u64) -> Vec<Source> {
        if let Some(programs) = self.programs.filter(|programs| *programs < sources.len()) {
            let mut chosen: Vec<usize> = (0..sources.len()).collect();
            chosen.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
            chosen.truncate(programs);
            chosen.sort_unstable();
            sources = chosen.into_iter().map(|at| sources[at].clone()).collect();
        }
        sources.retain(|source| self.shard.is_none_or(|shard| shard.has(&source.id)));
        sources
    }
}

/// One of `of` disjoint parts of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1 to `of`.
    pub index: u32,
    pub of: u32,
}

impl std::str::FromStr for Shard {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Shard> {
        let parsed = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parsed {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Shard { index, of }),
            _ => bail!("{text:?} is not a shard; write i/n with 1 <= i <= n, as in 1/4"),
        }
    }
}

/// All jobs of a campaign.
#[derive(Clone, Debug)]
pub struct Plan {
    pub jobs: Vec<Job>,
    /// Number of distinct programs.
    pub programs: usize,
}

impl Plan {
    /// A job for every program and each of its `mutants` mutated copies, with each input, under each profiler.
    pub fn new(sources: &[Source], profilers: &[ProfilerInfo], mutants: usize) -> Plan {
        let mut jobs = Vec::new();
        for (index, source) in sources.iter().enumerate() {
            let inputs = source.inputs();
            let copies = (0..=mutants).flat_map(|mutant| inputs.iter().map(move |input| (mutant, input)));
            for (mutant, input) in copies {
                for (profiler, info) in profilers.iter().enumerate() {
                    let mut job =
                        Job { id: String::new(), source: index, input: input.clone(), profiler, mutant };
                    job.id = format!("{}|{}|{}", job.program(source), input.name, info.compiler);
                    jobs.push(job);
                }
            }
        }
        Plan { jobs, programs: sources.len() }
    }

    /// A hash over the ids of the jobs in any order. It is a sum, so the hashes of shards add up to that of the whole.
    pub fn fingerprint(&self) -> String {
        let hash = |job: &Job| {
            let hash = blake3::hash(job.id.as_bytes());
            u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("eight bytes"))
        };
        format!("{:016x}", self.jobs.iter().map(hash).fold(0, u64::wrapping_add))
    }
}

impl Shard {
    /// All jobs of a program are in one shard, independent of the other programs.
    fn has(self, program: &str) -> bool {
        let hash = blake3::hash(program.as_bytes());
        let first = u32::from_le_bytes(hash.as_bytes()[..4].try_into().expect("four bytes"));
        first % self.of == self.index - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Family;

    fn plan(selection: Selection) -> Vec<String> {
        let sources: Vec<Source> =
            (0..20).map(|n| Source::given(&format!("p{n}"), "int main(void) { return 0; }")).collect();
        let info = |compiler: &str| ProfilerInfo {
            profiler: Family::Gcov,
            compiler: compiler.into(),
            version: String::new(),
            tools: vec![],
        };
        let sources = selection.of(sources, 7);
        let plan = Plan::new(&sources, &[info("gcc-1"), info("gcc-2")], 0);
        assert_eq!(plan.jobs.len(), 2 * plan.programs);
        plan.jobs.into_iter().map(|job| job.id).collect()
    }

    #[test]
    fn shards_are_a_partition() {
        let all = plan(Selection::default());
        assert_eq!(all.len(), 40);
        let shards =
            (1..=3).flat_map(|index| plan(Selection { shard: Some(Shard { index, of: 3 }), programs: None }));
        let mut together: Vec<String> = shards.collect();
        let mut sorted = all.clone();
        sorted.sort();
        together.sort();
        assert_eq!(together, sorted);
    }

    #[test]
    fn a_seed_always_draws_the_same_programs() {
        let some = Selection { programs: Some(5), shard: None };
        assert_eq!(plan(some).len(), 10);
        assert_eq!(plan(some), plan(some));
    }

    #[test]
    fn a_shard_outside_its_range_is_refused() {
        assert!(
            "0/3".parse::<Shard>().is_err()
                && "4/3".parse::<Shard>().is_err()
                && "x".parse::<Shard>().is_err()
        );
        assert_eq!("2/3".parse::<Shard>().unwrap(), Shard { index: 2, of: 3 });
    }
}
