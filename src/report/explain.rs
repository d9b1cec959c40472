//! A cluster in full, from journals alone: what it is, who shows it, and its example.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::counts::{admissible, several, shown};
use super::example::Example;
use super::table::table;
use crate::journal::{Counts, FindingBundle};
use crate::model::{Cluster, Count, Finding, Line, Metric, Rule, Verdict, WrongKind, number_of};
use crate::triage::cluster_id;

/// Rows of the list of programs.
const ROWS: usize = 20;

/// Lines shown around a line of the finding.
const AROUND: u32 = 3;

/// What is known of one cluster.
#[derive(Clone, Debug)]
pub struct Known<'a> {
    /// The cluster.
    pub cluster: &'a Cluster,
    /// Its findings, sorted by job.
    pub findings: Vec<&'a Finding>,
    /// The example.
    pub example: Option<Example<'a>>,
    /// The folder of the example, where it was written.
    pub folder: Option<String>,
}

/// Everything that is known, as text.
pub fn explanation(known: &Known<'_>) -> String {
    let mut out = facts(known);
    out.push('\n');
    out.push_str(&programs(&known.findings));
    if let Some(found) = &known.example {
        out.push('\n');
        out.push_str(&example(found, known.cluster));
    }
    out
}

/// One line for each thing that all findings share.
fn facts(known: &Known<'_>) -> String {
    let cluster = known.cluster;
    let versions: BTreeSet<u32> = known.findings.iter().map(|finding| finding.signature_version).collect();
    let mut out = String::new();
    let mut fact = |name: &str, text: String| {
        let _ = writeln!(out, "{name:<10} {text}");
    };
    fact("cluster", cluster_id(&cluster.signature));
    fact("signature", format!("{} (version {})", cluster.signature, joined(versions, ", ")));
    fact("cause", cluster.sentence.clone());
    fact("verdict", format!("{}: {}", cluster.verdict.name(), meaning(cluster)));
    if let Some(rule) = cluster.rule {
        // What a rule of triage says is the cause; the kinds of wrong counts have words of their own.
        let words = wrong_kind(rule).map(|words| format!(": {words}"));
        fact("rule", format!("{}{}", rule.name(), words.unwrap_or_default()));
    }
    if let Some(entry) = &cluster.known {
        fact("known as", entry.clone());
    }
    fact("findings", format!("{} in {}", cluster.count, number_of(cluster.programs, "program")));
    fact("compilers", compilers(&known.findings));
    let folder = known.folder.clone();
    fact("example", folder.unwrap_or_else(|| "not written; `recount triage` writes it".into()));
    out
}

/// What the verdict means for who reads it.
pub(super) fn meaning(cluster: &Cluster) -> &'static str {
    match cluster.verdict {
        Verdict::Unstable => {
            "it does not repeat, or the program depends on what it must not; nobody need look"
        }
        Verdict::Artefact if cluster.is_variant_only() => {
            "P's report is right, that of P' is wrong; its variant.c is a program that shows it without us"
        }
        Verdict::Artefact => "our own edit made it; P's report is not wrong",
        Verdict::Convention => "the profiler means it so; nobody need look",
        Verdict::Wrong => "the report is wrong",
        Verdict::Unexplained => "nobody knows yet: a report is wrong, or a rule is missing; look at it",
    }
}

pub(super) fn wrong_kind(rule: Rule) -> Option<&'static str> {
    let Rule::Wrong(kind) = rule else { return None };
    Some(match kind {
        WrongKind::Missing => "code that ran has the count 0",
        WrongKind::Spurious => "code that never ran has a count",
        WrongKind::Frequency => "the count is none of those that really occurred",
    })
}

/// `gcc-9 3, gcc-12 41`.
pub(super) fn compilers(findings: &[&Finding]) -> String {
    let mut counts: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    for finding in findings {
        *counts.entry((finding.compiler.len(), &finding.compiler)).or_default() += 1;
    }
    joined(counts.into_iter().map(|((_, compiler), count)| format!("{compiler} {count}")), ", ")
}

/// The columns of [`places`].
pub(super) const PLACES: [&str; 6] = ["program", "line", "input", "before -> after", "truth", "compilers"];

/// One row a place; compilers that say the same of it share the row.
pub(super) fn places(findings: &[&Finding]) -> Vec<Vec<String>> {
    let mut places: BTreeMap<_, BTreeSet<(usize, &str)>> = BTreeMap::new();
    for finding in findings {
        let counts = (moved(finding), finding.truth.clone());
        let place = (&finding.program, &finding.input, finding.line, finding.metric, counts);
        places.entry(place).or_default().insert((finding.compiler.len(), &finding.compiler));
    }
    let rows = places.iter().map(|((program, input, line, metric, (moved, truth)), compilers)| {
        vec![
            (*program).clone(),
            match (line, metric) {
                (None, _) => "-".into(),
                (Some(line), Metric::Line) => line.to_string(),
                (Some(line), other) => format!("{} {line}", other.name()),
            },
            (*input).clone(),
            moved.clone(),
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
    let mut out = table(&PLACES, &[1], &rows);
    if more > 0 {
        let _ = writeln!(out, "and {more} more");
    }
    out
}

/// How the count moved; where only one report has a say, what that says.
fn moved(finding: &Finding) -> String {
    match (finding.before, finding.after) {
        (None, None) => "the output differs".into(),
        (before, _) if is_one_sided(finding) => shown(before),
        (before, after) => format!("{} -> {}", shown(before), shown(after)),
    }
}

/// Whether the finding says nothing of a count of P'.
fn is_one_sided(finding: &Finding) -> bool {
    finding.after.is_none() && (finding.culprit.is_none() || finding.is_unseen())
}

/// The source around the lines of the finding, with what is known of their counts.
fn example(found: &Example<'_>, cluster: &Cluster) -> String {
    let Example { record, finding, .. } = found;
    // Of a rewritten program, the finding is in that.
    let FindingBundle { program, counts, .. } = found.bundle();
    let mut out = format!(
        "The smallest example under the newest version: {}, input {}, {} ({})\n",
        record.file, record.input, finding.compiler, finding.version
    );
    if let Some(edit) = finding.edit() {
        let _ = writeln!(out, "  {edit}");
    }
    // One edit may move several counts; they are seen best together.
    let is_echo = |other: &&Finding| {
        cluster.has(other) && other.culprit == finding.culprit && other.rewriting == finding.rewriting
    };
    let echoes = record.findings.iter().filter(is_echo);
    let mut moved: BTreeMap<Line, &Finding> = BTreeMap::new();
    for echo in echoes {
        if let Some(line) = echo.line {
            moved.entry(line).or_insert(echo);
        }
    }
    let edited: BTreeSet<Line> = finding
        .culprit
        .iter()
        .filter(|_| finding.rewriting.is_none())
        .flat_map(|culprit| culprit.lines.iter().flat_map(|(first, last)| *first..=*last))
        .collect();
    out.push('\n');
    out.push_str(&listing(&program, &counts, &moved, &edited, finding.culprit.is_some()));
    let _ = writeln!(
        out,
        "\n`!` marks a line of the finding{}.",
        if edited.is_empty() { "" } else { ", `~` one that the edit touches" }
    );
    out
}

/// The lines near the finding's and the edited ones; the counts of those of the finding, and of the others what the
/// job has of them.
fn listing(
    source: &str,
    known: &Counts,
    moved: &BTreeMap<Line, &Finding>,
    edited: &BTreeSet<Line>,
    is_edited: bool,
) -> String {
    let names = if is_edited { ["P", "P'", "truth"] } else { ["shown", "other", "truth"] };
    let cells = |line: Line| match moved.get(&line) {
        Some(finding) => [
            shown(finding.before),
            shown(finding.after),
            finding.truth.as_deref().map_or_else(|| "-".into(), admissible),
        ],
        None if known.program.is_empty() => [const { String::new() }; 3],
        None => {
            let at = line as usize - 1;
            let of = |counts: &[Count]| {
                counts.get(at).copied().flatten().map_or_else(|| "-".into(), |count| count.to_string())
            };
            let after = if known.variant.is_empty() { String::new() } else { of(&known.variant) };
            [of(&known.program), after, known.truth.get(at).map_or_else(String::new, several)]
        }
    };
    let is_near = |line: Line| {
        let near = line.saturating_sub(AROUND)..=line.saturating_add(AROUND);
        moved.range(near.clone()).next().is_some() || edited.range(near).next().is_some()
    };
    let lines = (1..).zip(source.lines()).filter(|(line, _)| is_near(*line));
    let rows: Vec<(Line, &str, [String; 3])> = lines.map(|(line, text)| (line, text, cells(line))).collect();
    // A column in which nothing stands is left out.
    let has_truth = moved.values().any(|finding| finding.truth.is_some());
    let has_after = moved.values().any(|finding| !is_one_sided(finding));
    let columns: Vec<usize> =
        [Some(0), has_after.then_some(1), has_truth.then_some(2)].into_iter().flatten().collect();
    let width = |column: usize| {
        let widths = rows.iter().map(|(.., cells)| cells[column].chars().count());
        widths.chain([names[column].len(), 5]).max().unwrap_or(5)
    };
    let row = |values: [&str; 3]| -> String {
        columns.iter().map(|column| format!(" {:>width$}", values[*column], width = width(*column))).collect()
    };
    let mut out = format!("   line{}\n", row(names));
    let mut last = 0;
    for (line, text, cells) in &rows {
        if *line != last + 1 {
            out.push_str("      ⋮\n");
        }
        last = *line;
        let mark = if moved.contains_key(line) {
            '!'
        } else if edited.contains(line) {
            '~'
        } else {
            ' '
        };
        let counts = row(cells.each_ref().map(String::as_str));
        let _ = writeln!(out, "{}", format!("{mark}{line:>6}{counts}  {text}").trim_end());
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

    fn told(findings: &[Finding]) -> String {
        told_beside(findings, Counts::default())
    }

    fn told_beside(findings: &[Finding], counts: Counts) -> String {
        let all = clusters(findings);
        let record = JobRecord { counts, ..record(&findings[0]) };
        let found = Example { source: SOURCE.into(), record: &record, finding: &findings[0] };
        explanation(&Known {
            cluster: &all[0],
            findings: findings.iter().collect(),
            example: Some(found),
            folder: None,
        })
    }

    #[test]
    fn a_claim_is_told_with_what_is_right() {
        let of = |compiler: &str| finding("truth", &json!({"compiler": compiler}));
        let out = told(&[of("gcc-12"), of("gcc-9")]);
        for expected in [
            "signature  gcov/truth/missing/statement (version 2)\n",
            "verdict    wrong: the report is wrong\nrule       missing: code that ran has the count 0\n",
            "findings   2 in 1 program\ncompilers  gcc-9 1, gcc-12 1\n",
            "example    not written; `recount triage` writes it\n",
            "p           4  default  0                1 or 3  gcc-9 gcc-12\n",
            "   line shown  truth\n      1               int main(void)\n",
            "!     4     0 1 or 3      x++;\n",
            "\n`!` marks a line of the finding.\n",
        ] {
            assert!(out.contains(expected), "{expected}\n{out}");
        }
    }

    #[test]
    fn the_lines_around_have_their_counts() {
        let counts = Counts {
            program: vec![Some(7), None, Some(7), Some(0), Some(7)],
            truth: vec![vec![7], vec![], vec![7], vec![1, 3], vec![7]],
            ..Counts::default()
        };
        let out = told_beside(&[finding("truth", &json!({}))], counts.clone());
        for expected in [
            "      1     7      7  int main(void)\n      2     -         {\n",
            "!     4     0 1 or 3      x++;\n      5     7      7      return x;\n      6     -         }\n",
        ] {
            assert!(out.contains(expected), "{expected}\n{out}");
        }
        let more = json!({"line": 5, "after": 2, "truth": null, "culprit": culprit([4, 4])});
        let out = told_beside(&[finding("delete", &more)], counts);
        let expected = "      3     7     7      int x = 0;\n~     4     0     -      x++;\n!     5     0     2      return x;\n";
        assert!(out.contains(expected), "{expected}\n{out}");
    }

    #[test]
    fn an_edit_is_told_with_both_counts() {
        let more = json!({"line": 5, "after": 2, "truth": null, "culprit": culprit([4, 4])});
        let out = told(&[finding("delete", &more)]);
        for expected in [
            "  delete the expression on line 4\n",
            "0 -> 2",
            "   line     P    P'\n",
            "~     4                  x++;\n",
            "!     5     0     2      return x;\n",
        ] {
            assert!(out.contains(expected), "{expected}\n{out}");
        }
    }

    #[test]
    fn a_long_list_ends_by_its_length() {
        let of = |n: usize| finding("truth", &json!({"program": format!("p{n:02}")}));
        let out = told(&(0..23).map(of).collect::<Vec<_>>());
        assert!(out.contains("\np19 ") && !out.contains("\np20 ") && out.contains("\nand 3 more\n"), "{out}");
    }
}
