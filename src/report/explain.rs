//! `recount explain`: everything about a cluster, from the journals alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::claim::claim;
use super::counts::{admissible, capital, shown};
use super::details::{deciding_text, numbers_text};
use super::example::Example;
use super::side_by_side::{Sheet, sheet};
use super::table::table;
use super::tally::compiler_order;
use crate::diagnose::known_mechanism;
use crate::journal::Counts;
use crate::model::{Cluster, Finding, Line, Metric, Rule, Verdict, WrongKind, number_of};
use crate::triage::cluster_id;

/// Rows of the list of programs.
const ROWS: usize = 20;

/// Lines shown around a line of the finding.
const CONTEXT: usize = 3;

/// Columns of the listing.
const WIDTH: usize = 120;

/// One cluster with its findings, sorted by job.
#[derive(Clone, Debug)]
pub struct Explained<'a> {
    pub cluster: &'a Cluster,
    pub findings: Vec<&'a Finding>,
    pub example: Option<Example<'a>>,
    /// The folder of the example, if it was written.
    pub folder: Option<String>,
}

pub fn explanation(known: &Explained<'_>) -> String {
    let mut out = facts(known);
    out.push('\n');
    out.push_str(&programs(&known.findings));
    if let Some(found) = &known.example {
        out.push('\n');
        out.push_str(&example(found, known.cluster));
    }
    out
}

/// One line for each property that all findings share.
fn facts(known: &Explained<'_>) -> String {
    let cluster = known.cluster;
    let versions: BTreeSet<u32> = known.findings.iter().map(|finding| finding.signature_version).collect();
    let mut facts = vec![
        ("cluster", cluster_id(&cluster.signature)),
        ("signature", format!("{} (version {})", cluster.signature, joined(versions, ", "))),
        ("cause", cluster.sentence.clone()),
        ("verdict", format!("{}: {}", cluster.verdict.name(), meaning(cluster))),
    ];
    facts.extend(rule(cluster).map(|rule| ("rule", rule)));
    facts.extend(mechanism(&known.findings));
    facts.extend(cluster.known.clone().map(|entry| ("known as", entry)));
    let folder = known.folder.clone().unwrap_or_else(|| "not written; `recount triage` writes it".into());
    facts.extend([
        ("findings", format!("{} in {}", cluster.count, number_of(cluster.programs, "program"))),
        ("compilers", compilers(&known.findings)),
        ("example", folder),
    ]);
    facts.iter().map(|(name, text)| format!("{name:<10} {text}\n")).collect()
}

/// The layer that the mechanism is in, and its place in the source of the profiler if that is known.
fn mechanism(findings: &[&Finding]) -> Vec<(&'static str, String)> {
    let caused = findings.iter().find_map(|finding| Some((finding.profiler, finding.cause.as_ref()?)));
    let Some((family, cause)) = caused else { return Vec::new() };
    let source = known_mechanism(family, &cause.mechanism).map(|known| ("source", known.source.to_string()));
    [("layer", cause.layer.name().to_string())].into_iter().chain(source).collect()
}

/// What the verdict means for the reader, and whether there is something to do.
pub(super) fn meaning(cluster: &Cluster) -> &'static str {
    match cluster.verdict {
        Verdict::Unstable => {
            "the result varies between runs, or the program has undefined behaviour; ignore it"
        }
        Verdict::Artefact => {
            "a side effect of recount's own edit; the program's count is right, so ignore it"
        }
        Verdict::Convention => "intended behaviour of the profiler; ignore it",
        Verdict::Wrong => "the profiler reports a wrong count",
        Verdict::Unexplained => "a count is wrong, or recount lacks a rule that explains it; look at it",
    }
}

/// The rule of the cluster. Only the kinds of wrong counts are explained: the sentence of any other rule is the cause.
pub(super) fn rule(cluster: &Cluster) -> Option<String> {
    let rule = cluster.rule?;
    let name = rule.name();
    let Rule::Wrong(kind) = rule else { return Some(name.into()) };
    Some(match kind {
        WrongKind::Missing => format!("{name}: code that ran is reported as not executed"),
        WrongKind::Spurious => format!("{name}: code that never ran is reported as executed"),
        WrongKind::Frequency => format!("{name}: the count differs from the number of executions"),
        WrongKind::Uncounted => format!("{name}: code that must have a count has none"),
        WrongKind::NoCode => format!("{name}: a place without code has a count"),
    })
}

/// `gcc-9 3, gcc-12 41`.
pub(super) fn compilers(findings: &[&Finding]) -> String {
    let mut counts: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    for finding in findings {
        *counts.entry(compiler_order(&finding.compiler)).or_default() += 1;
    }
    joined(counts.into_iter().map(|((_, compiler), count)| format!("{compiler} {count}")), ", ")
}

/// The columns of [`places`].
pub(super) const PLACES: [&str; 6] = ["program", "line", "input", "reported", "truth", "compilers"];

/// One row for each place; compilers with the same counts share the row.
pub(super) fn places(findings: &[&Finding]) -> Vec<Vec<String>> {
    let mut places: BTreeMap<_, BTreeSet<(usize, &str)>> = BTreeMap::new();
    let numbers: Vec<Finding> = findings.iter().flat_map(|finding| finding.each_symptom()).collect();
    for finding in &numbers {
        let counts = (reported(finding), finding.truth.clone());
        let file = finding.is_included.then_some(&finding.file);
        let place = (&finding.program, &finding.input, file, finding.line, finding.metric, counts);
        places.entry(place).or_default().insert(compiler_order(&finding.compiler));
    }
    let rows = places.iter().map(|((program, input, file, line, metric, (reported, truth)), compilers)| {
        vec![
            file.map_or_else(|| (*program).clone(), |file| format!("{program}, {file}")),
            match (line, metric) {
                (None, _) => "-".into(),
                (Some(line), Metric::Line) => line.to_string(),
                (Some(line), other) => format!("{} {line}", other.name()),
            },
            (*input).clone(),
            reported.clone(),
            truth.as_deref().map_or_else(|| "-".into(), admissible),
            joined(compilers.iter().map(|(_, compiler)| *compiler), " "),
        ]
    });
    rows.collect()
}

fn programs(findings: &[&Finding]) -> String {
    let mut rows = places(findings);
    let more = rows.len().saturating_sub(ROWS);
    rows.truncate(ROWS);
    let mut out = table(&PLACES, &[1], rows);
    if more > 0 {
        let _ = writeln!(out, "and {more} more");
    }
    out
}

/// The count, or how it changed from the program to the variant.
fn reported(finding: &Finding) -> String {
    let has_other = finding.after.is_some() || finding.culprit.is_some() && !finding.is_unseen();
    match (finding.before, finding.after) {
        (None, None) => "the output differs".into(),
        (before, after) if has_other => format!("{} -> {}", shown(before), shown(after)),
        (before, _) => shown(before),
    }
}

/// `own`, and those of `others` that the same edit of the same program causes on other lines.
pub(super) fn echoes<'a>(
    own: &'a Finding,
    others: impl IntoIterator<Item = &'a Finding>,
) -> Vec<&'a Finding> {
    let is_same = |other: &Finding| {
        (&other.program, &other.file, &other.input, &other.compiler)
            == (&own.program, &own.file, &own.input, &own.compiler)
            && (&other.culprit, &other.rewriting) == (&own.culprit, &own.rewriting)
    };
    let mut found = vec![own];
    for other in others {
        if is_same(other) && found.iter().all(|known| known.line != other.line) {
            found.push(other);
        }
    }
    found
}

/// The example: what is wrong with it, and the lines around.
fn example(found: &Example<'_>, cluster: &Cluster) -> String {
    let Example { record, finding, .. } = found;
    let within = record.included_file(finding).map(|included| format!(", which includes {}", included.file));
    let bundle = found.bundle();
    let (variant, counts) = (bundle.variant.as_deref(), &bundle.counts);
    let mut out = format!(
        "The smallest example with the newest version: {}{}, input {}, {} ({})\n",
        record.file,
        within.unwrap_or_default(),
        record.input,
        finding.compiler,
        finding.version
    );
    if let Some(edit) = finding.edit() {
        let _ = writeln!(out, "  {edit}");
    }
    let echoes = echoes(finding, record.findings.iter().filter(|other| cluster.has(other)));
    for symptom in echoes.iter().flat_map(|echo| echo.each_symptom()) {
        let _ = writeln!(out, "  {}", claim(&symptom, ""));
    }
    if let Some(evidence) = finding.evidence() {
        let _ = writeln!(out, "  {}", capital(&evidence));
    }
    let marked: BTreeSet<Line> = echoes.iter().flat_map(|echo| echo.lines()).collect();
    let details = details_text(counts, &marked, finding);
    let shown = Sheet { program: bundle.text(), variant, counts, marked };
    let edited = if variant.is_some() { ", `~` an edited one" } else { "" };
    let _ = writeln!(out, "\n{}\n`!` marks a line of the finding{edited}.", sheet(&shown, CONTEXT, WIDTH));
    out.push_str(&details);
    out
}

/// The functions, branches and regions on the `marked` lines, and what decides the counts of these lines.
fn details_text(counts: &Counts, marked: &BTreeSet<Line>, finding: &Finding) -> String {
    let details = &counts.details;
    let mut out = String::new();
    let numbers = numbers_text(details.numbers.iter().filter(|number| marked.contains(&number.line)));
    if !numbers.is_empty() {
        let _ = write!(out, "\n{numbers}");
    }
    for (line, elements) in details.deciding.iter().filter(|(line, _)| marked.contains(line)) {
        let _ = write!(out, "\nThe count of line {line}:\n\n{}", deciding_text(elements, finding.profiler));
    }
    out
}

fn joined<T: ToString>(items: impl IntoIterator<Item = T>, between: &str) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(between)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::reproduce::tests::{SOURCE, culprit, finding, record};
    use super::*;
    use crate::journal::JobRecord;
    use crate::triage::clusters;

    fn explained(findings: &[Finding], counts: Counts) -> String {
        let all = clusters(findings);
        let record = JobRecord { counts, findings: findings.to_vec(), ..record(&findings[0]) };
        let found = Example { source: SOURCE.into(), included: None, record: &record, finding: &findings[0] };
        explanation(&Explained {
            cluster: &all[0],
            findings: findings.iter().collect(),
            example: Some(found),
            folder: None,
        })
    }

    fn counts() -> Counts {
        Counts {
            program: vec![Some(7), None, Some(7), Some(0), Some(7)],
            truth: vec![vec![7], vec![], vec![7], vec![1, 3], vec![7]],
            ..Counts::default()
        }
    }

    #[track_caller]
    fn contains(out: &str, expected: &[&str]) {
        for expected in expected {
            assert!(out.contains(expected), "{expected}\n{out}");
        }
    }

    #[test]
    fn a_claim_is_explained_with_the_right_count() {
        let of = |compiler: &str| finding("truth", &json!({"compiler": compiler}));
        let out = explained(&[of("gcc-12"), of("gcc-9")], counts());
        contains(
            &out,
            &[
                "signature  gcov/truth/missing/statement (version 2)\n",
                "verdict    wrong: the profiler reports a wrong count\n\
                 rule       missing: code that ran is reported as not executed\n",
                "findings   2 in 1 program\ncompilers  gcc-9 1, gcc-12 1\n",
                "example    not written; `recount triage` writes it\n",
                "p           4  default  0         1 or 3  gcc-9 gcc-12\n",
                "  gcov reports no execution of line 4; it executes 1 or 3 times.\n",
                "     1       7       7  int main(void)\n     2       -          {\n",
                "!    4       0     1|3      x++;\n     5       7       7      return x;\n",
                "\n`!` marks a line of the finding.\n",
            ],
        );
    }

    #[test]
    fn an_edit_is_explained_with_both_counts() {
        let more = json!({"line": 5, "before": 7, "after": 2, "truth": null, "culprit": culprit([4, 4])});
        let mut moved = finding("delete", &more);
        moved.culprit.as_mut().expect("it has one").moved = vec![(5, Some(2))];
        let out = explained(&[moved], counts());
        contains(&out, &["  delete the expression on line 4\n", " 7 -> 2 ", "`~` an edited one.\n"]);
        let line =
            |number: &str| out.lines().find(|line| line.starts_with(number)).unwrap_or_default().to_string();
        assert!(line("~    4").contains("x++;") && line("!    5").ends_with("  2      return x;"), "{out}");
    }

    #[test]
    fn a_long_list_ends_by_its_length() {
        let of = |n: usize| finding("truth", &json!({"program": format!("p{n:02}")}));
        let out = explained(&(0..23).map(of).collect::<Vec<_>>(), counts());
        assert!(out.contains("\np19 ") && !out.contains("\np20 ") && out.contains("\nand 3 more\n"), "{out}");
    }
}
