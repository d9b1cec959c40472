//! What a profile may have of the counts of several processes: gcov and llvm-cov lose those of some of them.

use super::processes::{Process, sum};

/// The ground truth, `T`, of the processes whose exit handlers ran.
#[derive(Clone, Debug)]
pub(crate) struct PartialTruths<T> {
    pub exited: T,
    /// And of those that executed another program, before which gcov writes their counts.
    pub written: T,
    /// With the counts that they inherited.
    pub with_inherited: T,
    /// Each of them alone, with the counts that it inherited.
    pub each: Vec<T>,
}

impl<T> PartialTruths<T> {
    /// `truth_of` gives the ground truth of the values of all counters, and `executes` says whether a process executed another program.
    pub fn of(
        processes: &[Process],
        truth_of: impl Fn(Vec<u64>) -> T,
        executes: impl Fn(&Process) -> bool,
    ) -> PartialTruths<T> {
        let number = processes.first().map_or(0, |process| process.own.len());
        let exited = || processes.iter().filter(|process| process.has_exited);
        let with_inherited = |process: &Process| sum([&process.own[..], &process.inherited], number);
        let each: Vec<Vec<u64>> = exited().map(with_inherited).collect();
        let written = processes.iter().filter(|process| process.has_exited || executes(process));
        PartialTruths {
            exited: truth_of(sum(exited().map(|process| &process.own[..]), number)),
            written: truth_of(sum(written.map(|process| &process.own[..]), number)),
            with_inherited: truth_of(sum(each.iter().map(Vec::as_slice), number)),
            each: each.into_iter().map(truth_of).collect(),
        }
    }

    /// Each ground truth as `change` changes it.
    pub fn map(self, change: impl Fn(T) -> T) -> PartialTruths<T> {
        PartialTruths {
            exited: change(self.exited),
            written: change(self.written),
            with_inherited: change(self.with_inherited),
            each: self.each.into_iter().map(change).collect(),
        }
    }
}
