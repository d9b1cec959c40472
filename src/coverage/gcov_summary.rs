//! What `gcov -b -f` says of a function in four lines: the columns of the tables of the `CoverMe` paper.
//!
//! gcov of GCC 10 to 16. JSON has no calls before GCC 14, and this text has not changed since GCC 4.

use serde::{Deserialize, Serialize};

/// A share: so many hundredths of a percent of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// How many are covered.
    pub covered: u64,
    /// How many there are.
    pub of: u64,
}

impl Share {
    /// In percent; all of nothing is all.
    pub fn percent(self) -> f64 {
        if self.of == 0 { 100.0 } else { 100.0 * self.covered as f64 / self.of as f64 }
    }
}

/// How far a function is covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Columns {
    /// Lines that ran.
    pub lines: Share,
    /// Branches whose condition was evaluated.
    pub conditions: Share,
    /// Branches that were taken.
    pub branches: Share,
    /// Calls that were made.
    pub calls: Share,
}

/// The columns of function `name` in what `gcov -b -f` prints; none where it is not there.
pub fn columns(text: &str, name: &str) -> Option<Columns> {
    let heading = format!("Function '{name}'");
    let mut columns = Columns::default();
    let mut lines = text.lines().skip_while(|line| line.trim() != heading);
    lines.next()?;
    for line in lines.take_while(|line| !line.trim().is_empty()) {
        let Some((what, share)) = line.split_once(':') else { continue };
        let Some(share) = read(share) else { continue };
        match what {
            "Lines executed" => columns.lines = share,
            "Branches executed" => columns.conditions = share,
            "Taken at least once" => columns.branches = share,
            "Calls executed" => columns.calls = share,
            _ => {}
        }
    }
    Some(columns)
}

/// `86.36% of 22`
fn read(text: &str) -> Option<Share> {
    let (percent, of) = text.split_once("% of ")?;
    let (percent, of): (f64, u64) = (percent.trim().parse().ok()?, of.trim().parse().ok()?);
    Some(Share { covered: (percent * of as f64 / 100.0).round() as u64, of })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_found_among_others() {
        let text = "Function 'g'\nLines executed:0.00% of 3\nNo branches\nNo calls\n\n\
                    Function 'f'\nLines executed:86.36% of 22\nBranches executed:100.00% of 14\n\
                    Taken at least once:92.86% of 14\nNo calls\n\nFile 'p.c'\nLines executed:1.00% of 100\n";
        let found = columns(text, "f").unwrap();
        assert_eq!((found.lines.covered, found.lines.of), (19, 22));
        assert_eq!((found.branches.covered, found.conditions.covered), (13, 14));
        assert_eq!(found.calls, Share::default());
        assert!(columns(text, "h").is_none());
    }
}
