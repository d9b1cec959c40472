//! The number of lines of a program that two profilers count, and that only one of them counts (Cod, tables IV and V).

use serde::{Deserialize, Serialize};

use crate::coverage::Coverage;

/// Numbers of lines of one program, by the profilers that count them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sites {
    pub both: usize,
    /// Of these, the ones with two different counts.
    pub differing: usize,
    /// Counted only by the profiler of the job.
    pub ours: usize,
    /// Counted only by the other profiler.
    pub theirs: usize,
}

impl Sites {
    pub fn of(ours: &Coverage, theirs: &Coverage) -> Sites {
        let mut sites = Sites::default();
        for line in 1..=ours.last_line().max(theirs.last_line()) {
            match (ours.line(line), theirs.line(line)) {
                (Some(a), Some(b)) => {
                    sites.both += 1;
                    sites.differing += usize::from(a != b);
                }
                (Some(_), None) => sites.ours += 1,
                (None, Some(_)) => sites.theirs += 1,
                (None, None) => {}
            }
        }
        sites
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_counted_line_is_in_one_class() {
        let ours = [(1, 1), (2, 5), (3, 0)].into_iter().collect();
        let theirs = [(1, 1), (2, 4), (7, 0), (9, 1)].into_iter().collect();
        assert_eq!(Sites::of(&ours, &theirs), Sites { both: 2, differing: 1, ours: 1, theirs: 2 });
    }
}
