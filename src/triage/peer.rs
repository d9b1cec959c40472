//! Judges differences between two profilers.
//!
//! Ground truth decides where it is available. Elsewhere, one of the conventions may apply that explain three in four
//! differences in `DebCovDiff` (ASE 2025). They are predicates over the syntax of the line, never over a name or a
//! file.

use super::by_truth::against;
use super::subject::Subject;
use super::verdict::Evidence;
use crate::model::{Convention, Count, Difference, Family, Line, Place};
use crate::replay::expected;
use crate::syntax::{Program, Site, SiteKind, StatementKind};

/// One profiler's count of a line, compared with ground truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    /// There is no count.
    Silent,
    /// There is a count, but no ground truth.
    Unknown,
    /// Ground truth admits the count.
    Right,
    /// Ground truth does not admit the count.
    Wrong,
}

/// Whether a convention applies to a line.
type Predicate = fn(&Program, Line, &Site) -> bool;

/// `DebCovDiff`'s conventions for lines, in the order in which they are checked.
const RULES: [(Convention, Predicate); 5] = [
    (Convention::PeerMacro, |program, line, _| program.branches_by_macro(line)),
    (Convention::PeerDoWhile, |_, _, site| {
        matches!(site.kind, SiteKind::DoCondition | SiteKind::Statement(StatementKind::Do))
    }),
    (Convention::PeerElseIf, is_else_if),
    (Convention::PeerCase, |_, _, site| {
        matches!(site.kind, SiteKind::Statement(StatementKind::Case | StatementKind::Switch))
    }),
    (Convention::PeerContinuation, |program, _, site| is_one_of_several_lines(program, site)),
];

/// Compare both counts of `difference`, ours and the peer's, with ground truth. If ground truth does not decide, the
/// difference is explained by a convention. If `rules` is false, it stays unexplained.
pub(super) fn evidence(subject: &Subject<'_>, difference: &Difference, rules: bool) -> Evidence {
    let (Place::Line(line), Some(peer)) = (difference.place, subject.peer) else {
        return Evidence::default();
    };
    let ours = word(subject, line, subject.family(), difference.before);
    let theirs = word(subject, line, peer.family, difference.after);
    let convention = match (ours, theirs) {
        (Word::Wrong, _) => {
            return against(&subject.measured(), line, difference.before);
        }
        (_, Word::Wrong) => Some(Convention::PeerIsWrong),
        (Word::Right, Word::Right) => Some(Convention::BothAdmissible),
        (Word::Silent, Word::Right) | (Word::Right, Word::Silent) => Some(Convention::NoCount),
        (Word::Unknown, _) | (_, Word::Unknown) | (Word::Silent, Word::Silent) => {
            rules.then(|| rule(subject.program, line).unwrap_or(Convention::PeerOnly))
        }
    };
    Evidence { convention, ..Evidence::default() }
}

fn word(subject: &Subject<'_>, line: Line, family: Family, count: Count) -> Word {
    let admissible = subject.truth().and_then(|truth| expected(truth, family, line).ok());
    match (count, admissible) {
        (None, _) => Word::Silent,
        (Some(_), None) => Word::Unknown,
        (Some(count), Some(admissible)) if admissible.counts.contains(&count) => Word::Right,
        (Some(_), Some(_)) => Word::Wrong,
    }
}

/// The first convention by which two profilers differ on `line`.
fn rule(program: &Program, line: Line) -> Option<Convention> {
    let site = program.site(line);
    RULES.iter().find(|(_, holds)| holds(program, line, &site)).map(|(rule, _)| *rule)
}

/// Whether `line` is that of an `else if`.
fn is_else_if(program: &Program, line: Line, site: &Site) -> bool {
    let Some(id) = site.statement.filter(|_| site.kind == SiteKind::Statement(StatementKind::If)) else {
        return false;
    };
    let statement = program.statement(id);
    let is_arm = statement.parent.is_some_and(|parent| program.statement(parent).kind == StatementKind::If);
    let start = program.line_start(line).unwrap_or(statement.range.start);
    is_arm && program.source[start..statement.range.start].trim_end().ends_with("else")
}

/// Whether the line is one of several lines of a statement that contains no other statement.
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
        (1..=program.line_count())
            .filter(|line| rule(&program, *line).map(Convention::name) == Some(name))
            .collect()
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
}
