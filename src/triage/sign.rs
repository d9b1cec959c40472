//! Signatures: the cause of a difference as far as syntax tells it.
//!
//! A signature is readable and has five parts: relation, metric, kind with
//! movement, what stands at the place, and what was deleted where. Identifiers,
//! literals and line numbers are not part of it. Findings of one signature are
//! one cluster. What a rule explains is signed with the rule's name alone.

use crate::model::{Difference, Line, Metric, Place, RelationName, Verdict};
use crate::relation::Atom;
use crate::syntax::{Program, Site, SiteKind, StatementId, StatementKind};

/// Where a culprit stands, seen from the line whose count moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Position {
    /// Part of the statement that begins on the line.
    Inside,
    /// Earlier in the same function.
    Before,
    /// Later in the same function.
    After,
    /// In another function.
    Elsewhere,
}

impl Position {
    /// The word used in signatures.
    pub fn name(self) -> &'static str {
        match self {
            Position::Inside => "inside",
            Position::Before => "before",
            Position::After => "after",
            Position::Elsewhere => "elsewhere",
        }
    }

    /// Where `culprit` stands, seen from `line` and its `site`.
    pub fn of(program: &Program, line: Line, site: &Site, culprit: StatementId) -> Position {
        let (range, lines) = (&program.statement(culprit).range, program.statement(culprit).lines);
        let begins_here = |id: &StatementId| program.statement(*id).lines.0 == line;
        if site.statement.filter(begins_here).is_some_and(|id| program.holds(id, culprit)) {
            return Position::Inside;
        }
        let function = program.function_at(range.start);
        let holds_line = function.is_some_and(|function| {
            (program.line_of(function.range.start)..=program.line_of(function.range.end)).contains(&line)
        });
        match holds_line {
            false => Position::Elsewhere,
            true if lines.1 < line => Position::Before,
            true => Position::After,
        }
    }
}

/// The signature of a difference whose smallest cause is `culprit`.
pub fn signature(
    program: &Program,
    relation: RelationName,
    metric: Metric,
    difference: &Difference,
    culprit: &[Atom],
) -> String {
    let Metric::Line = metric;
    let deleted = kinds(program, culprit);
    let relation = relation.name();
    match difference.place {
        Place::Output => format!("{relation}/output/{deleted}"),
        Place::Line(line) => {
            let site = program.site(line);
            let mut positions: Vec<&str> =
                culprit.iter().map(|id| Position::of(program, line, &site, *id).name()).collect();
            positions.sort_unstable();
            positions.dedup();
            format!(
                "{relation}/line/{} {}/{}/{deleted} {}",
                difference.kind.name(),
                difference.movement(),
                site_name(&site),
                positions.join("+"),
            )
        }
    }
}

fn kinds(program: &Program, culprit: &[Atom]) -> String {
    let mut kinds: Vec<&str> = culprit.iter().map(|id| kind_name(program.statement(*id).kind)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    match kinds.as_slice() {
        [kind] => (*kind).to_string(),
        // Several statements that go together: what matters is that the path through them is empty.
        _ => "path".into(),
    }
}

/// Statements that differ only in what they compute are one kind in a signature: a cause
/// lies in the flow of control around them.
fn kind_name(kind: StatementKind) -> &'static str {
    use StatementKind::{Asm, Break, Continue, Declaration, Expression, Goto, Return};
    match kind {
        Expression | Asm | Declaration => "statement",
        Return | Break | Continue | Goto => "jump",
        other => other.name(),
    }
}

fn site_name(site: &Site) -> String {
    match site.kind {
        SiteKind::Statement(StatementKind::Call | StatementKind::Return) => "statement".into(),
        SiteKind::Statement(kind) => kind_name(kind).into(),
        SiteKind::Continuation(kind) => format!("{}-continued", kind_name(kind)),
        kind => kind.name(),
    }
}

/// The signature of what `rule` explains.
pub fn ruled(relation: RelationName, verdict: Verdict, rule: &str) -> String {
    format!("{}/{}/{rule}", relation.name(), verdict.name())
}

/// The signature of what `rule` lays to the charge of the culprit alone, wherever counts moved.
pub fn blamed(program: &Program, relation: RelationName, rule: &str, culprit: &[Atom]) -> String {
    format!("{}/{rule}/{}", relation.name(), kinds(program, culprit))
}

/// A short name for the cluster of a signature, stable over runs.
pub fn cluster_id(signature: &str) -> String {
    format!("c{}", &blake3::hash(signature.as_bytes()).to_hex()[..8])
}
