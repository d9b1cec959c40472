//! The processes of a run and their counters.
//!
//! A profiler writes the counts of a process in an exit handler, so it loses those of a process that ends in another
//! way. recount does not, and knows which counts each process contributed.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::syntax::{FOOTER, Instrumented, PointId, PointToken, Program, block_words};

/// A process of an instrumented program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    pub id: u64,
    pub parent: u64,
    /// Whether its exit handlers ran. They do not after `_exit`, a signal, or if it executes another program.
    pub has_exited: bool,
    /// How often it incremented each counter.
    pub own: Vec<u64>,
    /// The counts of its parent when it was forked, and those that the parent had inherited; empty if it was not forked.
    pub inherited: Vec<u64>,
}

/// The processes that wrote these blocks, in the order in which they began; none if a block is incomplete.
pub fn processes(written: &[u8], counters: usize) -> Option<Vec<Process>> {
    let words: Vec<u64> =
        written.chunks_exact(8).map(|bytes| u64::from_ne_bytes(bytes.try_into().expect("eight"))).collect();
    let size = block_words(counters);
    if words.is_empty() || !words.len().is_multiple_of(2 * size) {
        return None;
    }
    let process = |blocks: &[u64]| {
        let (before, own) = blocks.split_at(size);
        let [id, parent, is_forked, has_exited] = own[size - FOOTER..] else { return None };
        let (before, own) = (before[..counters].to_vec(), own[..counters].to_vec());
        let inherited = if is_forked == 1 { before } else { Vec::new() };
        (id != 0).then_some(Process { id, parent, has_exited: has_exited == 1, own, inherited })
    };
    let mut found: Vec<Process> = words.chunks(2 * size).map(process).collect::<Option<_>>()?;
    for at in 0..found.len() {
        let (earlier, later) = found.split_at_mut(at);
        let process = &mut later[0];
        // A process that writes its profile several times has several blocks.
        let is_same = |other: &Process| other.id == process.id;
        let is_parent = |other: &Process| other.id == process.parent;
        let before =
            earlier.iter().rfind(|other| is_same(other)).or(earlier.iter().rfind(|other| is_parent(other)));
        for (count, more) in
            process.inherited.iter_mut().zip(before.iter().flat_map(|before| &before.inherited))
        {
            *count += more;
        }
    }
    Some(found)
}

/// The sums of the counters in `all`.
pub fn sum<'a>(all: impl IntoIterator<Item = &'a [u64]>, counters: usize) -> Vec<u64> {
    let mut sums = vec![0; counters];
    for counts in all {
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    sums
}

/// The counters of a unit of a package, summed over the processes of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunCounters {
    /// Of the processes whose exit handlers ran.
    pub exited: Vec<u64>,
    /// What these had inherited from their parents.
    pub inherited: Vec<u64>,
    /// Of the others.
    pub left: Vec<u64>,
}

impl RunCounters {
    pub fn zero(counters: usize) -> RunCounters {
        let zeros = vec![0; counters];
        RunCounters { exited: zeros.clone(), inherited: zeros.clone(), left: zeros }
    }

    /// Add the counters of a process: its own, and those that it inherited.
    pub fn add(&mut self, own: &[u64], inherited: &[u64], has_exited: bool) {
        let add = |sums: &mut Vec<u64>, counts: &[u64]| {
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum = sum.saturating_add(*count);
            }
        };
        add(if has_exited { &mut self.exited } else { &mut self.left }, own);
        if has_exited {
            add(&mut self.inherited, inherited);
        }
    }

    /// Add the counters of the same unit in another program.
    pub fn merge(&mut self, other: &RunCounters) {
        self.add(&other.exited, &other.inherited, true);
        self.add(&other.left, &[], false);
    }

    /// The part of these counters from `first`, of a file of the unit.
    #[must_use]
    pub fn part(&self, first: usize, number: usize) -> RunCounters {
        let part = |counters: &Vec<u64>| counters[first..first + number].to_vec();
        RunCounters { exited: part(&self.exited), inherited: part(&self.inherited), left: part(&self.left) }
    }
}

/// Calls by which a program becomes several processes or threads, or ends without its exit handlers. Its profile is then
/// that of one process, or of the last one that wrote it.
const PROCESSES: [&str; 20] = [
    "pthread_create",
    "thrd_create",
    "fork",
    "vfork",
    "clone",
    "daemon",
    "execl",
    "execle",
    "execlp",
    "execv",
    "execve",
    "execvp",
    "posix_spawn",
    "posix_spawnp",
    "popen",
    "system",
    "_exit",
    "_Exit",
    "quick_exit",
    "fexecve",
];

/// The calls in place of which gcc calls functions of libgcov that write the profile first (`expand_builtin_fork_or_exec` in
/// builtins.cc).
pub const EXEC: [&str; 6] = ["execl", "execle", "execlp", "execv", "execve", "execvp"];

/// The points in which one of these is called.
pub fn points_of_exec(instrumented: &Instrumented) -> BTreeSet<PointId> {
    let is_call = |token: &&PointToken| {
        let text = instrumented.text.get(token.offset..).unwrap_or_default();
        let mut rest = EXEC.iter().filter_map(|name| text.strip_prefix(name));
        rest.any(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
    };
    let elsewhere = instrumented.elsewhere.iter().map(|(_, token)| token);
    let tokens = instrumented.lines.values().flatten().chain(elsewhere);
    tokens.filter(is_call).map(|token| token.point).collect()
}

/// The first call in `program` by which it may become several processes.
pub fn process_call(program: &Program) -> Option<&'static str> {
    PROCESSES.into_iter().find(|call| !program.in_code(call).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two blocks of a process with one counter.
    fn written([id, parent, is_forked]: [u64; 3], before: u64, own: u64) -> Vec<u8> {
        let size = block_words(1);
        let mut words = vec![0; 2 * size];
        (words[0], words[size]) = (before, own);
        words[2 * size - FOOTER..].copy_from_slice(&[id, parent, is_forked, 1]);
        words.into_iter().flat_map(u64::to_ne_bytes).collect()
    }

    #[test]
    fn a_process_inherits_what_its_parent_inherited_and_what_it_had_when_it_wrote_before() {
        let all = [
            written([10, 1, 0], 0, 5),
            written([11, 10, 1], 3, 2),
            written([12, 11, 1], 2, 1),
            written([11, 10, 1], 4, 6),
        ]
        .concat();
        let found = processes(&all, 1).unwrap();
        let counts: Vec<(u64, Vec<u64>, Vec<u64>)> =
            found.into_iter().map(|process| (process.id, process.inherited, process.own)).collect();
        let right =
            [(10, vec![], vec![5]), (11, vec![3], vec![2]), (12, vec![5], vec![1]), (11, vec![7], vec![6])];
        assert_eq!(counts, right);
        assert_eq!(processes(&all[..all.len() - 8], 1).map(|all| all.len()), None);
        assert_eq!(processes(&written([0, 1, 0], 0, 5), 1).map(|all| all.len()), None);
    }
}
