//! The report as text: what was checked, and the clusters.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::counts::percent;
use super::table::table;
use super::tally::by_compiler;
use crate::journal::{JobRecord, Journal, Tally};
use crate::model::{Cluster, Outcome, ProfilerInfo, Verdict, number_of};
use crate::triage::{Known, cluster_id};

/// The summary at the end of a run. Known clusters are only counted, unless `listed` says what is known of them.
pub fn overview(journals: &[Journal], clusters: &[Cluster], listed: Option<&Known>) -> String {
    let records: Vec<&JobRecord> = journals.iter().flat_map(Journal::sorted).collect();
    let is_checked = records.iter().any(|record| record.is_profiled());
    let nothing = || "Nothing was checked: no program was profiled.\n".to_string();
    [
        profilers(&records) + "\n",
        unfinished(journals),
        parse_errors(&records),
        left_out(&records),
        without_truth(&records),
        if is_checked { clusters_table(clusters, listed) } else { nothing() },
    ]
    .concat()
}

/// Whether the runs are complete.
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
        let _ = writeln!(out, "Shards of a campaign: {}.", shards.join(", "));
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// One row for each compiler.
fn profilers(records: &[&JobRecord]) -> String {
    let rows = by_compiler(records.iter().copied()).into_iter().map(|(compiler, records)| {
        let mut tally = Tally::default();
        for record in &records {
            tally += record.tally;
        }
        let profiled = records.iter().filter(|record| record.is_profiled()).count();
        let findings = || records.iter().flat_map(|record| &record.findings);
        let signatures: BTreeSet<&str> = findings().map(|finding| finding.signature.as_str()).collect();
        vec![
            compiler.to_string(),
            records.len().to_string(),
            format!("{profiled} ({})", percent(profiled, records.len())),
            tally.variants.to_string(),
            percent(tally.compiled, tally.variants),
            percent(tally.deleted, tally.unexecuted),
            tally.differing.to_string(),
            findings().count().to_string(),
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
    table(&head, &[1, 2, 3, 4, 5, 6, 7, 8], rows)
}

/// The constructs that the parser did not understand. They are the same under every profiler.
fn parse_errors(records: &[&JobRecord]) -> String {
    let by_program: BTreeMap<&str, usize> =
        records.iter().map(|record| (record.program.as_str(), record.tally.error_nodes)).collect();
    let nodes: usize = by_program.values().sum();
    if nodes == 0 {
        return String::new();
    }
    let programs = by_program.values().filter(|nodes| **nodes > 0).count();
    format!(
        "recount could not parse {} in {} and did not modify the statements that contain them.\n\n",
        number_of(nodes, "construct"),
        number_of(programs, "program")
    )
}

/// Why programs were not profiled and variants not compared.
fn left_out(records: &[&JobRecord]) -> String {
    let mut reasons = Vec::new();
    for record in records {
        let mut add = |reason: String| reasons.push((*record, reason));
        if let Some(failure) = &record.failed {
            add(format!("FAILED: {failure}"));
        } else if let Outcome::Died { signal } = record.outcome {
            add(format!("program died by signal {signal}"));
        } else if let Outcome::Unsupported { reason } | Outcome::ToolCrashed { reason } = &record.outcome {
            add(format!("program {}: {reason}", record.outcome.name()));
        } else if record.outcome != Outcome::Profiled {
            add(format!("program {}", record.outcome.name()));
        }
        if let Some(crash) = &record.crash {
            add(format!("conditions: {crash}"));
        }
        if !record.refused.is_empty() {
            add("variant does not compile, repaired".into());
        }
        for name in record.incomparable.keys() {
            add(format!("variant {name}"));
        }
    }
    by_reason("not checked", reasons)
}

/// Why programs have no ground truth.
fn without_truth(records: &[&JobRecord]) -> String {
    let profiled = records.iter().filter(|record| record.is_profiled());
    let reasons = profiled.filter_map(|record| Some((*record, record.no_truth.clone()?)));
    by_reason("no ground truth", reasons.collect())
}

/// A table of the reasons, each for one job; empty if there are none.
fn by_reason(title: &str, reasons: Vec<(&JobRecord, String)>) -> String {
    if reasons.is_empty() {
        return String::new();
    }
    let mut programs: BTreeMap<(&str, String), BTreeSet<&str>> = BTreeMap::new();
    for (record, reason) in reasons {
        programs.entry((&record.compiler, reason)).or_default().insert(&record.program);
    }
    let rows = programs.into_iter().map(|((compiler, reason), programs)| {
        let examples: Vec<&str> = programs.iter().take(3).copied().collect();
        vec![compiler.to_string(), reason, programs.len().to_string(), examples.join(" ")]
    });
    table(&["profiler", title, "programs", "for example"], &[2], rows) + "\n"
}

/// The title of a section, and the clusters that are in it.
type Section = (&'static str, fn(&Cluster) -> bool);

/// The sections of the report, and which clusters each of them lists.
const SECTIONS: [Section; 2] = [
    ("Clusters to look at", |cluster| cluster.verdict.is_open()),
    ("Not bugs: intended behaviour, side effects of recount's edits, and unstable results", |cluster| {
        !cluster.verdict.is_open()
    }),
];

/// The clusters, open ones first.
pub(super) fn clusters_table(clusters: &[Cluster], listed: Option<&Known>) -> String {
    if clusters.is_empty() {
        return "No wrong counts found.\n".into();
    }
    let mut parts = Vec::new();
    for (title, is_of_section) in SECTIONS {
        let is_listed = |cluster: &&Cluster| cluster.known.is_none() && is_of_section(cluster);
        let rows: Vec<Vec<String>> = clusters.iter().filter(is_listed).map(row).collect();
        if !rows.is_empty() {
            let head = ["cluster", "verdict", "findings", "programs", "profilers", "cause"];
            parts.push(format!("{title}\n\n{}", table(&head, &[2, 3], rows)));
        }
    }
    parts.extend(known_clusters(clusters, listed));
    let open = clusters.iter().filter(|cluster| cluster.verdict.is_open()).count();
    let merged: usize = clusters.iter().map(|cluster| cluster.duplicates.len()).sum();
    let merged =
        if merged == 0 { String::new() } else { format!(" {merged} more reduce to the same programs.") };
    parts.push(format!(
        "{}: {}, {}, {} explained.{merged}\n",
        number_of(clusters.len(), "cluster"),
        of_verdict(clusters, Verdict::Wrong),
        of_verdict(clusters, Verdict::Unexplained),
        clusters.len() - open
    ));
    parts.join("\n")
}

/// The number of clusters with this verdict, and how many of them are not known.
fn of_verdict(clusters: &[Cluster], verdict: Verdict) -> String {
    let of = || clusters.iter().filter(|cluster| cluster.verdict == verdict);
    let (all, new) = (of().count(), of().filter(|cluster| cluster.known.is_none()).count());
    let unknown = if all == new { String::new() } else { format!(" ({new} not known)") };
    format!("{all} {}{unknown}", verdict.name())
}

fn row(cluster: &Cluster) -> Vec<String> {
    let others: Vec<String> = cluster.duplicates.iter().map(|signature| cluster_id(signature)).collect();
    let others = if others.is_empty() { String::new() } else { format!(" (and {})", others.join(" ")) };
    vec![
        cluster_id(&cluster.signature),
        cluster.verdict.name().into(),
        cluster.count.to_string(),
        cluster.programs.to_string(),
        cluster.profilers.join(" "),
        format!("{}{others}", cluster.sentence),
    ]
}

/// The known clusters: counted, or listed with what is known of them.
fn known_clusters(clusters: &[Cluster], listed: Option<&Known>) -> Option<String> {
    let known: Vec<&Cluster> = clusters.iter().filter(|cluster| cluster.known.is_some()).collect();
    if known.is_empty() {
        return None;
    }
    let Some(listed) = listed else {
        let findings: usize = known.iter().map(|cluster| cluster.count).sum();
        let (known, findings) = (number_of(known.len(), "known cluster"), number_of(findings, "finding"));
        return Some(format!("{known} with {findings}; --show-known lists them.\n"));
    };
    let rows = known.into_iter().map(|cluster| {
        let name = cluster.known.clone().unwrap_or_default();
        let note = listed.entry_of(cluster).map(|entry| entry.note.clone());
        let mut row = row(cluster);
        row.pop();
        row.extend([name, note.unwrap_or_default()]);
        row
    });
    let head = ["cluster", "verdict", "findings", "programs", "profilers", "known as", "cause"];
    Some(format!("Already known\n\n{}", table(&head, &[2, 3], rows)))
}

/// The entries of known.toml.
pub fn known_table(known: &Known) -> String {
    let rows = known.entries.iter().map(|entry| {
        vec![
            entry.name.clone(),
            entry.signature().split('/').next().unwrap_or_default().into(),
            entry.status.name().into(),
            entry.programs.len().to_string(),
            entry.first_seen.clone(),
            short(&entry.upstream),
            entry.note.clone(),
        ]
    });
    let head = ["known as", "profiler", "status", "programs", "first seen", "upstream", "cause"];
    table(&head, &[3], rows)
}

/// `reports` as the trackers' users write them: `GCC 90023, 120332, LLVM 131505`; of another tracker, the host.
fn short(reports: &[String]) -> String {
    let trackers = [
        ("GCC", "https://gcc.gnu.org/bugzilla/show_bug.cgi?id="),
        ("LLVM", "https://github.com/llvm/llvm-project/issues/"),
        ("LLVM", "https://github.com/llvm/llvm-project/pull/"),
    ];
    let (mut words, mut last) = (Vec::new(), "");
    for address in reports {
        let found = trackers.iter().find_map(|(name, start)| Some((*name, address.strip_prefix(start)?)));
        let host = || ("", address.split('/').nth(2).unwrap_or(address));
        let (name, number) = found.unwrap_or_else(host);
        words.push(if name == last || name.is_empty() {
            number.to_string()
        } else {
            format!("{name} {number}")
        });
        last = name;
    }
    words.join(", ")
}

/// The profilers of a run or of a machine.
pub fn profiler_table(infos: &[ProfilerInfo]) -> String {
    let rows = infos.iter().map(|info| {
        let family = info.profiler.name().to_string();
        vec![family, info.compiler.clone(), info.version.clone(), info.tools.join("; ")]
    });
    table(&["family", "compiler", "version", "tools"], &[], rows)
}

#[cfg(test)]
mod tests {
    #[test]
    fn reports_are_named_as_their_trackers_do() {
        let reports = [
            "https://gcc.gnu.org/bugzilla/show_bug.cgi?id=1",
            "https://gcc.gnu.org/bugzilla/show_bug.cgi?id=2",
            "https://github.com/llvm/llvm-project/issues/3",
            "https://example.org/some/4",
        ];
        assert_eq!(super::short(&reports.map(String::from)), "GCC 1, 2, LLVM 3, example.org");
    }
}
