//! How much two profilers have to say of one program: the lines that both count, and those that one
//! alone does (Cod, tables IV and V).

use serde::{Deserialize, Serialize};

use crate::coverage::Coverage;

/// Lines of one program by who counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sites {
    /// Both.
    pub both: usize,
    /// Of these, with two different counts.
    pub differing: usize,
    /// The profiler of the job alone.
    pub ours: usize,
    /// The other one alone.
    pub theirs: usize,
}

impl Sites {
    /// The lines of two reports on one program.
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
    fn every_line_that_anybody_counts_is_in_one_class() {
        let ours = [(1, 1), (2, 5), (3, 0)].into_iter().collect();
        let theirs = [(1, 1), (2, 4), (7, 0), (9, 1)].into_iter().collect();
        assert_eq!(Sites::of(&ours, &theirs), Sites { both: 2, differing: 1, ours: 1, theirs: 2 });
    }
}
