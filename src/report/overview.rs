//! The report as text: what became of the programs, and the clusters.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::table::table;
use crate::campaign::Plan;
use crate::journal::{JobRecord, Journal, Tally};
use crate::model::{Cluster, Outcome, ProfilerInfo, Verdict, number_of};
use crate::triage::Known;

/// Everything that a user wants to see at the end of a run. Clusters that are known are only
/// counted, unless `listed` says what is known of them.
pub fn overview(journals: &[Journal], clusters: &[Cluster], listed: Option<&Known>) -> String {
    let records: Vec<&JobRecord> = journals.iter().flat_map(Journal::sorted).collect();
    let mut out = String::new();
    out.push_str(&profilers(&records));
    out.push('\n');
    out.push_str(&unfinished(journals));
    out.push_str(&parse_errors(&records));
    out.push_str(&left_out(&records));
    out.push_str(&no_truth(&records));
    if records.iter().any(|record| record.is_profiled()) {
        out.push_str(&clusters_table(clusters, listed));
    } else {
        out.push_str("Nothing was checked: no program was profiled.\n");
    }
    out
}

/// What there is to say of runs that have not done all that they were to do.
fn unfinished(journals: &[Journal]) -> String {
    let mut out = String::new();
    let planned: usize = journals.iter().map(|journal| journal.header.jobs).sum();
    let done: usize = journals.iter().map(|journal| journal.records.len()).sum();
    if done < planned {
        let _ = writeln!(out, "{done} of {planned} jobs are done.");
    }
    let shards = journals.iter().filter_map(|journal| journal.header.shard);
    let shards: Vec<String> = shards.map(|(index, of)| format!("{index}/{of}")).collect();
    if !shards.is_empty() {
        let _ = writeln!(out, "Of a campaign in shards: {}.", shards.join(", "));
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// One row a compiler.
fn profilers(records: &[&JobRecord]) -> String {
    let mut by_compiler: BTreeMap<(usize, &str), Vec<&JobRecord>> = BTreeMap::new();
    for record in records {
        by_compiler.entry((record.compiler.len(), &record.compiler)).or_default().push(record);
    }
    let rows = by_compiler.into_iter().map(|((_, compiler), records)| {
        let mut tally = Tally::default();
        for record in &records {
            tally += record.tally;
        }
        let profiled = records.iter().filter(|record| record.is_profiled()).count();
        let findings = records.iter().map(|record| record.findings.len()).sum::<usize>();
        let signatures: BTreeSet<&str> = records
            .iter()
            .flat_map(|record| &record.findings)
            .map(|finding| finding.signature.as_str())
            .collect();
        vec![
            compiler.to_string(),
            records.len().to_string(),
            format!("{profiled} ({})", percent(profiled, records.len())),
            tally.variants.to_string(),
            percent(tally.compiled, tally.variants),
            percent(tally.deleted, tally.unexecuted),
            tally.differing.to_string(),
            findings.to_string(),
            signatures.len().to_string(),
        ]
    });
    let head = [
        "profiler",
        "jobs",
        "profiled",
        "variants",
        "compile",
        "deleted",
        "differ",
        "findings",
        "signatures",
    ];
    table(&head, &[1, 2, 3, 4, 5, 6, 7, 8], &rows.collect::<Vec<_>>())
}

/// What the parser did not understand. It is the same under every profiler.
fn parse_errors(records: &[&JobRecord]) -> String {
    let by_program: BTreeMap<&str, usize> =
        records.iter().map(|record| (record.program.as_str(), record.tally.error_nodes)).collect();
    let nodes: usize = by_program.values().sum();
    if nodes == 0 {
        return String::new();
    }
    let programs = by_program.values().filter(|nodes| **nodes > 0).count();
    format!(
        "{} in {} did not parse; statements that hold one are left alone.\n\n",
        number_of(nodes, "node"),
        number_of(programs, "program")
    )
}

fn percent(part: usize, whole: usize) -> String {
    if whole == 0 { "-".into() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}

/// Why programs were not profiled and variants not compared, by reason.
fn left_out(records: &[&JobRecord]) -> String {
    let mut reasons: BTreeMap<(&str, String), BTreeSet<&str>> = BTreeMap::new();
    let mut add = |compiler, reason: String, program| {
        reasons.entry((compiler, reason)).or_default().insert(program);
    };
    for record in records {
        let program = record.program.as_str();
        if let Some(failure) = &record.failed {
            add(&record.compiler, format!("FAILED: {failure}"), program);
        } else if record.outcome != Outcome::Profiled {
            let mut reason = format!("program {}", record.outcome.name());
            if let Outcome::Died { signal } = record.outcome {
                reason = format!("program died by signal {signal}");
            }
            add(&record.compiler, reason, program);
        }
        if !record.refused.is_empty() {
            add(&record.compiler, "variant does not compile, repaired".into(), program);
        }
        for name in record.incomparable.keys() {
            add(&record.compiler, format!("variant {name}"), program);
        }
    }
    by_reason("left out", reasons)
}

/// Where a cluster stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Open,
    VariantOnly,
    Explained,
}

impl Section {
    fn of(cluster: &Cluster) -> Section {
        if cluster.verdict.is_open() {
            Section::Open
        } else if cluster.is_variant_only() {
            Section::VariantOnly
        } else {
            Section::Explained
        }
    }

    fn title(self) -> &'static str {
        match self {
            Section::Open => "Clusters to look at\n\n",
            Section::VariantOnly => {
                "Wrong in a variant only: P's report is right, that of P' is not, by our counters\n\n"
            }
            Section::Explained => "Explained, nothing to do\n\n",
        }
    }
}

/// Programs by compiler and reason; nothing where there is none.
fn by_reason(what: &str, reasons: BTreeMap<(&str, String), BTreeSet<&str>>) -> String {
    if reasons.is_empty() {
        return String::new();
    }
    let rows = reasons.into_iter().map(|((compiler, reason), programs)| {
        let examples: Vec<&str> = programs.iter().take(3).copied().collect();
        vec![compiler.to_string(), reason, programs.len().to_string(), examples.join(" ")]
    });
    table(&["profiler", what, "programs", "for example"], &[2], &rows.collect::<Vec<_>>()) + "\n"
}

/// Programs that nobody could count for, and why.
fn no_truth(records: &[&JobRecord]) -> String {
    let mut reasons: BTreeMap<(&str, String), BTreeSet<&str>> = BTreeMap::new();
    for record in records.iter().filter(|record| record.is_profiled()) {
        if let Some(reason) = &record.no_truth {
            reasons.entry((&record.compiler, reason.clone())).or_default().insert(&record.program);
        }
    }
    by_reason("no truth", reasons)
}

/// The clusters, what wants attention first.
pub(super) fn clusters_table(clusters: &[Cluster], listed: Option<&Known>) -> String {
    if clusters.is_empty() {
        return "No differences: every report agrees with itself.\n".into();
    }
    let mut out = String::new();
    for section in [Section::Open, Section::VariantOnly, Section::Explained] {
        let is_of_table = |cluster: &&Cluster| cluster.known.is_none() && Section::of(cluster) == section;
        let rows: Vec<Vec<String>> = clusters.iter().filter(is_of_table).map(row).collect();
        if rows.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(section.title());
        let head = ["cluster", "verdict", "findings", "programs", "profilers", "cause"];
        out.push_str(&table(&head, &[2, 3], &rows));
    }
    let known = known_clusters(clusters, listed);
    if !known.is_empty() && !out.is_empty() {
        out.push('\n');
    }
    out.push_str(&known);
    let open = clusters.iter().filter(|cluster| cluster.verdict.is_open()).count();
    let merged: usize = clusters.iter().map(|cluster| cluster.duplicates.len()).sum();
    let merged =
        if merged == 0 { String::new() } else { format!(" {merged} more reduce to the same programs.") };
    let _ = writeln!(
        out,
        "\n{}: {}, {}, {} explained.{merged}",
        number_of(clusters.len(), "cluster"),
        of_verdict(clusters, Verdict::Wrong),
        of_verdict(clusters, Verdict::Unexplained),
        clusters.len() - open
    );
    out
}

/// How many clusters have this verdict, and how many of these are news.
fn of_verdict(clusters: &[Cluster], verdict: Verdict) -> String {
    let of = || clusters.iter().filter(|cluster| cluster.verdict == verdict);
    let (all, new) = (of().count(), of().filter(|cluster| cluster.known.is_none()).count());
    let news = if all == new { String::new() } else { format!(" ({new} not known)") };
    format!("{all} {}{news}", verdict.name())
}

fn row(cluster: &Cluster) -> Vec<String> {
    vec![
        crate::triage::cluster_id(&cluster.signature),
        cluster.verdict.name().into(),
        cluster.count.to_string(),
        cluster.programs.to_string(),
        cluster.profilers.join(" "),
        with_duplicates(cluster),
    ]
}

/// The cause, and the clusters that have the same one.
fn with_duplicates(cluster: &Cluster) -> String {
    let others: Vec<String> =
        cluster.duplicates.iter().map(|signature| crate::triage::cluster_id(signature)).collect();
    let others = if others.is_empty() { String::new() } else { format!(" (and {})", others.join(" ")) };
    format!("{}{others}", cluster.sentence)
}

/// The clusters that are understood already: listed with what is known of them, or counted.
fn known_clusters(clusters: &[Cluster], listed: Option<&Known>) -> String {
    let known: Vec<&Cluster> = clusters.iter().filter(|cluster| cluster.known.is_some()).collect();
    if known.is_empty() {
        return String::new();
    }
    let Some(listed) = listed else {
        let findings: usize = known.iter().map(|cluster| cluster.count).sum();
        let (known, findings) = (number_of(known.len(), "known cluster"), number_of(findings, "finding"));
        return format!("{known} with {findings}; --show-known lists them.\n");
    };
    let rows = known.into_iter().map(|cluster| {
        let name = cluster.known.clone().unwrap_or_default();
        let note = listed.named(&name).map(|entry| entry.note.clone());
        let mut row = row(cluster);
        row.pop();
        row.extend([name, note.unwrap_or_default()]);
        row
    });
    let head = ["cluster", "verdict", "findings", "programs", "profilers", "known as", "cause"];
    format!("Known already\n\n{}", table(&head, &[2, 3], &rows.collect::<Vec<_>>()))
}

/// What is known, before any run.
pub fn known_table(known: &Known) -> String {
    let rows = known.entries.iter().map(|entry| {
        vec![
            entry.name.clone(),
            entry.verdict.name().into(),
            entry.signature.clone(),
            entry.profilers.join(" "),
            entry.first_seen.clone(),
            entry.upstream.clone(),
            entry.note.clone(),
        ]
    });
    let head = ["known as", "verdict", "signature", "profilers", "first seen", "upstream", "cause"];
    table(&head, &[], &rows.collect::<Vec<_>>())
}

/// The profilers of a run or of a machine.
pub fn profiler_table(infos: &[ProfilerInfo]) -> String {
    let rows = infos.iter().map(|info| {
        vec![
            info.profiler.name().to_string(),
            info.compiler.clone(),
            info.version.clone(),
            info.tools.join("; "),
        ]
    });
    table(&["family", "compiler", "version", "tools"], &[], &rows.collect::<Vec<_>>())
}

/// The ids of a plan's jobs, one a line.
pub fn plan_table(plan: &Plan) -> String {
    plan.jobs.iter().map(|job| format!("{}\n", job.id)).collect()
}
