//! What a difference between two profilers is evidence of.
//!
//! Truth decides where it can. Where it says nothing, a difference may be one of the conventions
//! that `DebCovDiff` (ASE 2025) found behind three in four of them: predicates over the syntax of
//! the line, never over a name or a file.

use super::claims::against;
use super::subject::Subject;
use super::verdict::Evidence;
use crate::model::{Count, Difference, Family, Line, Place};
use crate::syntax::{Program, Site, SiteKind, StatementKind};

/// What truth says of one profiler's count of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    /// There is no count.
    Silent,
    /// There is a count, and no truth.
    Unknown,
    /// Truth admits it.
    Right,
    /// Truth does not.
    Wrong,
}

/// A rule: its name, what it says, and when it holds.
struct Rule {
    name: &'static str,
    sentence: &'static str,
    holds: fn(&Program, Line, &Site) -> bool,
}

/// `DebCovDiff`'s conventions for lines, in the order in which they are asked.
const RULES: [Rule; 5] = [
    Rule {
        name: "peer-macro",
        sentence: "gcov counts a macro with branches or loops where it is used, llvm-cov also where it is defined",
        holds: |program, line, _| program.branches_by_macro(line),
    },
    Rule {
        name: "peer-do-while",
        sentence: "gcov and llvm-cov count the lines of `do` and of its `while` by different rules",
        holds: |_, _, site| {
            matches!(site.kind, SiteKind::DoCondition | SiteKind::Statement(StatementKind::Do))
        },
    },
    Rule {
        name: "peer-else-if",
        sentence: "llvm-cov gives `else if` what comes to the `else`, gcov what tests the condition",
        holds: |program, line, site| is_else_if(program, line, site),
    },
    Rule {
        name: "peer-case",
        sentence: "llvm-cov counts arrivals at `case` and `switch`, gcov the jumps that lead there",
        holds: |_, _, site| {
            matches!(site.kind, SiteKind::Statement(StatementKind::Case | StatementKind::Switch))
        },
    },
    Rule {
        name: "peer-continuation",
        sentence: "of a statement on several lines gcov counts those with code of their own, llvm-cov all alike",
        holds: |program, _, site| is_one_of_several_lines(program, site),
    },
];

/// What no convention of the syntax says.
const OTHERS: [(&str, &str); 3] = [
    ("both-admissible", "several things on the line ran differently often, and each profiler tells of one"),
    (
        "peer-is-wrong",
        "our counters admit the count, and not that of the other profiler, whose own jobs tell why",
    ),
    ("peer-only", "two profilers differ where nothing runs that we count, so nobody can say who is wrong"),
];

/// What truth says of `difference`, whose sides are our count and the peer's. Where it says nothing
/// there is no verdict, unless the `rules` are off, which leaves raw differences.
pub(super) fn evidence(subject: &Subject<'_>, difference: &Difference, rules: bool) -> Evidence {
    let (Place::Line(line), Some(peer)) = (difference.place, subject.peer) else {
        return Evidence::default();
    };
    let ours = word(subject, line, subject.family(), difference.before);
    let theirs = word(subject, line, peer.family, difference.after);
    let convention = match (ours, theirs) {
        (Word::Wrong, _) => {
            return difference.before.map_or_else(Evidence::default, |count| against(subject, line, count));
        }
        (_, Word::Wrong) => Some("peer-is-wrong"),
        (Word::Right, Word::Right) => Some("both-admissible"),
        (Word::Silent, Word::Right) | (Word::Right, Word::Silent) => Some("no-count"),
        (Word::Unknown, _) | (_, Word::Unknown) | (Word::Silent, Word::Silent) => {
            rules.then(|| rule(subject.program, line).unwrap_or("peer-only"))
        }
    };
    Evidence { convention, ..Evidence::default() }
}

fn word(subject: &Subject<'_>, line: Line, family: Family, count: Count) -> Word {
    let admissible = subject.truth().and_then(|truth| truth.line(line, family));
    match (count, admissible) {
        (None, _) => Word::Silent,
        (Some(_), None) => Word::Unknown,
        (Some(count), Some(admissible)) if admissible.counts.contains(&count) => Word::Right,
        (Some(_), Some(_)) => Word::Wrong,
    }
}

/// The first convention by which two profilers differ on `line`.
fn rule(program: &Program, line: Line) -> Option<&'static str> {
    let site = program.site(line);
    RULES.iter().find(|rule| (rule.holds)(program, line, &site)).map(|rule| rule.name)
}

/// What a rule says, in plain words.
pub fn sentence(name: &str) -> Option<&'static str> {
    let rules = RULES.iter().map(|rule| (rule.name, rule.sentence));
    rules.chain(OTHERS).find(|(known, _)| *known == name).map(|(_, sentence)| sentence)
}

/// Whether `line` is that of an `if` which is all of an `else`.
fn is_else_if(program: &Program, line: Line, site: &Site) -> bool {
    let Some(id) = site.statement.filter(|_| site.kind == SiteKind::Statement(StatementKind::If)) else {
        return false;
    };
    let statement = program.statement(id);
    let is_arm = statement.parent.is_some_and(|parent| program.statement(parent).kind == StatementKind::If);
    let start = program.line_start(line).unwrap_or(statement.range.start);
    is_arm && program.source[start..statement.range.start].trim_end().ends_with("else")
}

/// Whether the line is one of several of a statement that holds no other.
fn is_one_of_several_lines(program: &Program, site: &Site) -> bool {
    match site.kind {
        SiteKind::Continuation(_) => true,
        SiteKind::Statement(kind) if kind.is_simple() || kind == StatementKind::Declaration => {
            site.statement.is_some_and(|id| {
                let (first, last) = program.statement(id).lines;
                first < last
            })
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
#define SWAP(a, b) if (a > b) \\
    swap(a, b)
#define TWICE(a) (2 * (a))
int f(int x, int y)
{
  SWAP(x, y);
  y = TWICE(x);
  do {
    x++;
  } while (x < 9);
  while (x < 99)
    x++;
  if (x)
    y++;
  else if (y)
    x++;
  else
    if (x == y)
      y++;
  switch (x) {
    case 1:
      y++;
    default:
      y--;
  }
  y = x
    + y;
  return g(x,
           y);
}
";

    fn lines_of(name: &str) -> Vec<Line> {
        let program = Program::parse(SOURCE.into());
        (1..=program.line_count()).filter(|line| rule(&program, *line) == Some(name)).collect()
    }

    #[test]
    fn a_macro_with_a_branch_is_a_convention_and_one_without_is_not() {
        assert_eq!(lines_of("peer-macro"), [1, 2, 6]);
    }

    #[test]
    fn both_ends_of_do_are_a_convention_and_other_loops_are_not() {
        assert_eq!(lines_of("peer-do-while"), [8, 10]);
    }

    #[test]
    fn else_if_is_a_convention_on_one_line_only() {
        assert_eq!(lines_of("peer-else-if"), [15]);
    }

    #[test]
    fn switch_and_its_cases_are_a_convention_and_what_they_hold_is_not() {
        assert_eq!(lines_of("peer-case"), [20, 21, 23]);
    }

    #[test]
    fn every_line_of_a_long_statement_is_a_convention_and_a_short_one_is_not() {
        assert_eq!(lines_of("peer-continuation"), [26, 27, 28, 29]);
    }

    #[test]
    fn each_rule_has_a_sentence() {
        assert!(sentence("peer-macro").is_some() && sentence("peer-is-wrong").is_some());
        assert!(sentence("missing").is_none());
    }
}
