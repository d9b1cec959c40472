//! The coverage of a function in four ratios: the columns of the tables of the CoverMe paper.
//!
//! They are read from the output of `gcov -b -c -t`, GCC 10 to 16: before GCC 14 its summaries of functions have no
//! branches, and its JSON has no calls.

use serde::{Deserialize, Serialize};

use crate::model::Line;

/// A number of covered elements among all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Share {
    pub covered: u64,
    pub of: u64,
}

impl Share {
    /// In percent; 100 if there are no elements.
    pub fn percent(self) -> f64 {
        if self.of == 0 { 100.0 } else { 100.0 * self.covered as f64 / self.of as f64 }
    }

    fn add(&mut self, is_covered: bool) {
        self.covered += u64::from(is_covered);
        self.of += 1;
    }
}

/// The coverage of a function.
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

/// The columns of lines `first` to `last` of `file` in the output of `gcov -b -c -t`; none if it does not contain the file.
pub fn columns(text: &str, file: &str, (first, last): (Line, Line)) -> Option<Columns> {
    let mut columns = Columns::default();
    let (mut ours, mut seen, mut within) = (false, false, false);
    for row in text.lines() {
        if let Some((count, line, rest)) = numbered(row) {
            if let Some(source) = rest.strip_prefix("Source:").filter(|_| line == 0) {
                ours = source == file;
                seen |= ours;
            }
            within = ours && (first..=last).contains(&line);
            if within && count != "-" {
                columns.lines.add(!count.starts_with(['#', '=', '%', '$']));
            }
        } else if within {
            // The branches and calls of a line follow it.
            let words: Vec<&str> = row.split_whitespace().collect();
            match words[..] {
                ["branch", _, "never", ..] => {
                    columns.conditions.add(false);
                    columns.branches.add(false);
                }
                ["branch", _, "taken", count, ..] => {
                    columns.conditions.add(true);
                    columns.branches.add(count != "0");
                }
                ["call", _, state, ..] => columns.calls.add(state != "never"),
                _ => {}
            }
        }
    }
    seen.then_some(columns)
}

/// The count, the number and the text of a row that describes a line.
fn numbered(row: &str) -> Option<(&str, Line, &str)> {
    let (count, rest) = row.split_once(':')?;
    let (line, text) = rest.split_once(':')?;
    Some((count.trim(), line.trim().parse().ok()?, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_found_by_the_numbers_of_its_lines() {
        let text = concat!(
            "        -:    0:Source:other.c\n        1:    2:int g;\nbranch  0 taken 1\n",
            "        -:    0:Source:p.c\n        -:    0:Runs:1\nfunction f called 2 returned 100% blocks executed 80%\n",
            "        2:    1:int f(int x) {\n        2:    2:  if (x)\nbranch  0 taken 2 (fallthrough)\n",
            "branch  1 taken 0\n        2*:    3:    g(x);\ncall    0 returned 2\n    #####:    4:  if (h())\n",
            "call    0 never executed\nbranch  1 never executed\nbranch  2 never executed\n        -:    5:}\n",
            "        7:    6:int after;\nbranch  0 taken 7\n",
        );
        let found = columns(text, "p.c", (1, 5)).unwrap();
        assert_eq!(found.lines, Share { covered: 3, of: 4 });
        assert_eq!(found.conditions, Share { covered: 2, of: 4 });
        assert_eq!(found.branches, Share { covered: 1, of: 4 });
        assert_eq!(found.calls, Share { covered: 1, of: 2 });
        assert!(columns(text, "q.c", (1, 5)).is_none());
    }
}
