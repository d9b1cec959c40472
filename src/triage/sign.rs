//! Signatures: the mechanism of a wrong number, or the cause of a difference as far as the syntax shows it.
//!
//! A number that is wrong by ground truth has the profiler and the mechanism as its signature. Any other signature is about
//! the syntax, and readable. It names the profiler, the relation, the metric, the kind and the change of the count, the
//! syntax at the place, and the position of the culprit. It names the syntax of the culprit only if the culprit is
//! inside the statement whose count changed; elsewhere only the deletion matters. Identifiers, literals and line
//! numbers are not part of it. Findings with the same signature form a cluster. If a rule explains a finding, the
//! signature contains only the relation, the verdict and the rule, so it is the same for every profiler.

use std::collections::BTreeSet;

use crate::model::{
    Cause, Difference, Family, Finding, Line, Metric, Place, RelationName, Rule, Verdict, named_enum,
};
use crate::syntax::{Program, Site, SiteKind, StatementId, StatementKind};

named_enum! {
    /// The position of a culprit relative to the line whose count changed.
    pub enum Position {
        /// Part of the statement that begins on the line.
        Inside = "inside",
        /// Earlier in the same function.
        Before = "before",
        /// Later in the same function.
        After = "after",
        /// In another function.
        Elsewhere = "elsewhere",
    }
}

impl Position {
    /// The position of `culprit` relative to `line` and its `site`.
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

/// The only relation whose findings have a culprit.
const DELETE: &str = "delete";

/// The signature of a difference whose smallest cause is `culprit`.
pub fn signature(
    program: &Program,
    family: Family,
    difference: &Difference,
    culprit: &[StatementId],
) -> String {
    let family = family.name();
    match difference.place {
        Place::Output | Place::File => format!("{family}/{DELETE}/output/{}", kinds(program, culprit)),
        Place::Line(line) => {
            let site = program.site(line);
            let positions: BTreeSet<Position> =
                culprit.iter().map(|id| Position::of(program, line, &site, *id)).collect();
            let inside = positions.contains(&Position::Inside);
            let what = if inside { kinds(program, culprit) } else { "code".into() };
            let nearest = positions.first().map_or("nowhere", |position| position.name());
            format!(
                "{family}/{DELETE}/line/{} {}/{}/{what} {nearest}",
                difference.kind.name(),
                difference.movement(),
                site_name(program, &site),
            )
        }
    }
}

/// The signature of a difference that needs no edit: only the syntax at the place matters.
pub fn uncaused(program: &Program, family: Family, difference: &Difference) -> String {
    let site = match difference.place {
        Place::Line(line) => bare_site_name(&program.site(line)),
        Place::Output | Place::File => "output".into(),
    };
    format!("{}/{DELETE}/line/{}/{site}/no edit", family.name(), difference.kind.name())
}

fn kinds(program: &Program, culprit: &[StatementId]) -> String {
    let kinds: BTreeSet<&str> = culprit.iter().map(|id| kind_name(program.statement(*id).kind)).collect();
    // Several statements are needed together, because the path through them has to be empty.
    if kinds.len() == 1 { kinds.into_iter().collect() } else { "path".into() }
}

/// The name of a kind of statement in signatures. Statements that differ only in what they compute have the same name,
/// because wrong counts depend on control flow.
fn kind_name(kind: StatementKind) -> &'static str {
    use StatementKind::{Asm, Declaration, Expression};
    match kind {
        Expression | Asm | Declaration => "statement",
        jump if jump.is_jump() => "jump",
        other => other.name(),
    }
}

/// The syntax on the line, and the loop, block or branch that ends directly before it: the count that a
/// profiler reports for a line often depends on the code that control comes from.
fn site_name(program: &Program, site: &Site) -> String {
    let name = bare_site_name(site);
    match site.statement.and_then(|id| program.before(id)) {
        Some(previous) if previous.is_compound() && !matches!(site.kind, SiteKind::Continuation(_)) => {
            format!("{name} after {}", previous.name())
        }
        _ => name,
    }
}

fn bare_site_name(site: &Site) -> String {
    match site.kind {
        SiteKind::Statement(StatementKind::Call | StatementKind::Return) => "statement".into(),
        SiteKind::Statement(kind) => kind_name(kind).into(),
        SiteKind::Continuation(kind) => format!("{}-continued", kind_name(kind)),
        kind => kind.name(),
    }
}

/// The signature of a claim about one report: how the count is wrong, and the syntax at the place.
pub fn claim_signature(
    program: &Program,
    family: Family,
    relation: RelationName,
    kind: &str,
    line: Option<Line>,
) -> String {
    let site = line.map_or("output".into(), |line| site_name(program, &program.site(line)));
    format!("{}/{}/{kind}/{site}", family.name(), relation.name())
}

/// `signature`, which is about a line count, changed to one about `metric`.
pub fn of_metric(signature: String, relation: RelationName, metric: Metric) -> String {
    let relation = relation.name();
    match metric {
        Metric::Line => signature,
        other => signature.replacen(relation, &format!("{relation}/{}", other.name()), 1),
    }
}

/// The part of a signature that does not depend on the rest of the program: without the code before and around the
/// place, and without the position of a culprit elsewhere.
pub fn core(signature: &str) -> String {
    let bare = |part: &str| {
        let end = [" after ", " in "].iter().filter_map(|word| part.find(word)).min();
        part[..end.unwrap_or(part.len())].to_string()
    };
    let mut parts: Vec<String> = signature.split('/').map(bare).collect();
    if let [_, _, place, _, _, culprit] = parts.as_mut_slice()
        && place == "line"
        && !culprit.ends_with(" inside")
    {
        *culprit = "outside".into();
    }
    parts.join("/")
}

/// The signature of a finding that `rule` explains.
pub fn ruled(relation: RelationName, rule: Rule) -> String {
    format!("{}/{}/{}", relation.name(), Verdict::by(Some(rule)).name(), rule.name())
}

/// The signature of code that ran although its count is 0: its syntax and the syntax around it. It does not depend on
/// the places where other counts changed.
pub fn missing(program: &Program, family: Family, culprit: &[StatementId]) -> String {
    let within = culprit.first().and_then(|id| {
        let mut parents =
            std::iter::successors(program.statement(*id).parent, |id| program.statement(*id).parent);
        parents.find(|id| program.statement(*id).kind != StatementKind::Block)
    });
    let within = within.map_or("function", |id| kind_name(program.statement(id).kind));
    format!("{}/{DELETE}/missing/{} in {within}", family.name(), kinds(program, culprit))
}

/// Give `finding` its cause: findings with one mechanism have one signature and are in one cluster, whatever the metric, the
/// relation, the program and the version are.
pub fn set_cause(finding: &mut Finding, cause: Cause) {
    finding.signature = format!("{}/{}", finding.profiler.name(), cause.mechanism);
    finding.cluster = cluster_id(&finding.signature);
    finding.cause = Some(cause);
}

/// A short name for the cluster of a signature, stable over runs.
pub fn cluster_id(signature: &str) -> String {
    format!("c{}", &blake3::hash(signature.as_bytes()).to_hex()[..8])
}
