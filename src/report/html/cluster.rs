//! The page of one cluster: what it is, P beside truth, P' and the contrast, who shows it, and how
//! to see it again.

use std::fmt::Write;

use super::super::counts::shown;
use super::super::explain::{PLACES, compilers, meaning, places, wrong_kind};
use super::super::reproduce::script;
use super::page::{Page, escaped, table};
use super::sheet::{Sheet, counts};
use super::{Campaign, Item, Member};
use crate::journal::{FindingBundle, Tried};
use crate::model::{Finding, Metric, Verdict, number_of};
use crate::triage::cluster_id;

/// Rows of the list of programs.
const ROWS: usize = 200;

/// The example of a cluster.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// What is known of it.
    pub bundle: &'a FindingBundle,
    /// Its folder, where it was written.
    pub place: Option<&'a str>,
}

/// The page of the item at `index`.
pub fn page(campaign: &Campaign<'_>, items: &[Item<'_>], index: usize, found: Option<Found<'_>>) -> Page {
    let item = &items[index];
    let cluster = item.cluster;
    let id = cluster_id(&cluster.signature);
    let mut main = facts(campaign, item, found);
    if let Some(found) = found {
        main.push_str(&example(item, found.bundle));
        main.push_str(&versions(&found.bundle.versions));
    }
    main.push_str(&programs(item));
    if let Some(found) = found {
        main.push_str(&again(found));
    }
    let verdict = cluster.verdict.name();
    Page {
        title: format!("{id} {verdict}: {}", cluster.sentence),
        nav: ways(items, index),
        header: format!(
            "<p class=\"over\"><span class=\"v {verdict}\">{verdict}</span> <code>{id}</code></p>\n<h1>{}</h1>\n\
             <p class=\"lead\">{}</p>\n",
            in_words(&cluster.sentence),
            capital(meaning(cluster)),
        ),
        main,
        scripted: false,
    }
}

/// To the index, and to the neighbours in rank.
fn ways(items: &[Item<'_>], index: usize) -> String {
    let mut out = String::from("<a href=\"../index.html\">All clusters</a>");
    let mut way = |at: Option<usize>, words: &str, rel: &str| {
        if let Some(item) = at.and_then(|at| items.get(at)) {
            let _ = write!(out, "<a href=\"{}\" rel=\"{rel}\">{words}</a>", item.page);
        }
    };
    way(index.checked_sub(1), "← Previous", "prev");
    way(Some(index + 1), "Next →", "next");
    let _ = write!(out, "<span>{} of {}</span>", index + 1, items.len());
    out
}

/// A sentence whose `code` is set as code.
pub fn in_words(sentence: &str) -> String {
    let mut out = String::new();
    for (index, part) in sentence.split('`').enumerate() {
        let part = escaped(part);
        let _ = if index % 2 == 1 { write!(out, "<code>{part}</code>") } else { write!(out, "{part}") };
    }
    out
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    escaped(&format!("{first}{}.", chars.as_str()))
}

/// What all findings share.
fn facts(campaign: &Campaign<'_>, item: &Item<'_>, found: Option<Found<'_>>) -> String {
    let cluster = item.cluster;
    let findings: Vec<&Finding> = item.members.iter().map(|member| member.finding).collect();
    let mut out = String::from("<dl class=\"facts\">\n");
    let mut fact = |name: &str, html: String| {
        let _ = writeln!(out, "<div><dt>{name}</dt><dd>{html}</dd></div>");
    };
    fact("Signature", format!("<code>{}</code>", escaped(&cluster.signature)));
    if let Some(rule) = cluster.rule {
        let words = wrong_kind(rule).map(|words| format!(": {words}")).unwrap_or_default();
        fact("Rule", format!("{}{words}", rule.name()));
    }
    if let Some(name) = &cluster.known {
        let note = cluster
            .known
            .as_deref()
            .and_then(|name| campaign.known.named(name))
            .map(|entry| format!(": {}", in_words(&entry.note)));
        fact("Known as", format!("{}{}", escaped(name), note.unwrap_or_default()));
    }
    if !cluster.duplicates.is_empty() {
        // Their reduced programs are this one's.
        let others: Vec<String> = cluster
            .duplicates
            .iter()
            .map(|signature| format!("<code>{}</code>", escaped(signature)))
            .collect();
        fact("Merged with", others.join(", "));
    }
    fact("Findings", format!("{} in {}", cluster.count, number_of(cluster.programs, "program")));
    fact("Compilers", escaped(&compilers(&findings)));
    if let Some(Found { bundle, .. }) = found {
        let finding = &bundle.finding;
        let Finding { file, input, compiler, version, .. } = finding;
        fact("Example", format!("<code>{}</code>, input {}", escaped(file), escaped(input)));
        // What gcc calls its version begins with its own name.
        let repeated = if version.starts_with(compiler) { String::new() } else { format!("{compiler}: ") };
        fact("Profiled by", escaped(&format!("{repeated}{version}")));
        if let Some(edit) = finding.edit() {
            fact("Edit", in_words(&edit));
        }
        if let Some(reduction) = &bundle.reduction {
            let (before, after) = (reduction.lines_before, reduction.lines_after);
            fact("Reduced", format!("from {before} to {after} lines, by {}", escaped(&reduction.engine)));
            let (Ok(words) | Err(words)) = &reduction.contrast;
            fact("Contrast", in_words(words));
        }
    }
    out.push_str("</dl>\n");
    out
}

/// The findings that stand on the example's own lines: one edit may move several counts, and they
/// are seen best together. After a reduction only one is left.
fn echoes<'a>(item: &Item<'a>, bundle: &'a FindingBundle) -> Vec<&'a Finding> {
    let own = &bundle.finding;
    let key = |finding: &Finding| {
        let Finding { program, input, compiler, culprit, .. } = finding;
        (program.clone(), input.clone(), compiler.clone(), culprit.clone())
    };
    let mut found = vec![own];
    if bundle.reduction.is_none() {
        let members = item.members.iter().map(|Member { finding, .. }| *finding);
        found.extend(members.filter(|other| other.line != own.line && key(other) == key(own)));
    }
    found
}

/// P beside what else is known of it.
fn example(item: &Item<'_>, bundle: &FindingBundle) -> String {
    let echoes = echoes(item, bundle);
    let counts = counts(bundle, &echoes);
    let sheet = Sheet::new(bundle, &echoes, &counts);
    let mut out = String::from(
        "<section aria-labelledby=\"sheet\">\n<h2 id=\"sheet\">Side by side</h2>\n<ul class=\"claims\">\n",
    );
    for finding in &echoes {
        let _ = writeln!(out, "<li>{}</li>", claim(finding));
    }
    out.push_str("</ul>\n");
    out.push_str(&sheet.html(false));
    out.push_str(LEGEND);
    if !sheet.is_counted {
        out.push_str("<p class=\"note\">This run kept only the counts of the finding’s own lines.</p>\n");
    }
    if !sheet.is_short() {
        let _ = write!(
            out,
            "<details><summary>The whole program, {} lines</summary>\n{}</details>\n",
            sheet.length(),
            sheet.html(true)
        );
    }
    if let Some(original) = &bundle.original {
        let _ = write!(
            out,
            "<details><summary>As it was found, {} lines</summary>\n{}</details>\n",
            original.lines().count(),
            listing("The program before reduction", original)
        );
    }
    out.push_str("</section>\n");
    out
}

const LEGEND: &str = "<p class=\"note\"><b>!</b> a line of the finding · <b>~</b> a line that an edit touches · \
    <b>≠</b> a count that truth does not admit · <b>→</b> a count that moved though its line did not · \
    <del>struck out</del> what the edit takes away</p>\n";

/// What the profiler says of the line, and what is right.
fn claim(finding: &Finding) -> String {
    let compiler = escaped(&finding.compiler);
    let right = finding.truth.as_ref().filter(|truth| !truth.is_empty());
    let right =
        right.map(|truth| format!("; truth admits <b>{}</b>", super::super::counts::admissible(truth)));
    let right = right.unwrap_or_default();
    let Some(line) = finding.line else { return format!("{compiler}: the output of P′ is not that of P") };
    let before = shown(finding.before);
    if finding.is_unseen() {
        return format!(
            "Line {line}: {compiler} says <b>0</b>, but a trap in its place ends the program{right}"
        );
    }
    let moved = if finding.culprit.is_some() {
        format!(", and in P′ <b>{}</b>", shown(finding.after))
    } else if let Some(after) = finding.after {
        format!("; by the rest of the report <b>{after}</b>")
    } else {
        String::new()
    };
    let place = match finding.metric {
        Metric::Line => format!("Line {line}"),
        other => format!("A {} on line {line}", other.name()),
    };
    format!("{place}: {compiler} says <b>{before}</b>{moved}{right}")
}

fn listing(name: &str, text: &str) -> String {
    format!("<pre tabindex=\"0\" role=\"region\" aria-label=\"{}\">{}</pre>\n", escaped(name), escaped(text))
}

/// What other compilers say of the example.
fn versions(tried: &[Tried]) -> String {
    if tried.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> = tried
        .iter()
        .map(|tried| {
            let (count, verdict) = match (&tried.count, tried.verdict) {
                (Err(reason), _) => ("–".into(), escaped(reason)),
                (Ok(count), Some(verdict)) => (shown(*count), badge(verdict)),
                (Ok(count), None) => (shown(*count), "counted right".into()),
            };
            let affected = if tried.affected { "<b>yes</b>" } else { "no" };
            vec![escaped(&tried.compiler), escaped(&tried.version), count, verdict, affected.into()]
        })
        .collect();
    let head = ["compiler", "version", "count", "verdict", "shows it"];
    format!(
        "<section aria-labelledby=\"versions\">\n<h2 id=\"versions\">Versions</h2>\n{}</section>\n",
        table("What other versions say of the line", &head, &[2], &rows)
    )
}

/// A verdict as it stands in tables.
pub fn badge(verdict: Verdict) -> String {
    let name = verdict.name();
    format!("<span class=\"v {name}\">{name}</span>")
}

/// Who shows it.
fn programs(item: &Item<'_>) -> String {
    let findings: Vec<&Finding> = item.members.iter().map(|member| member.finding).collect();
    let mut rows = places(&findings);
    let more = rows.len().saturating_sub(ROWS);
    rows.truncate(ROWS);
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| escaped(&cell.replace("->", "→"))).collect()).collect();
    let head = PLACES.map(|name| if name.contains("->") { "P → P′" } else { name });
    let mut out = String::from(
        "<section aria-labelledby=\"programs\">\n<h2 id=\"programs\">Programs that show it</h2>\n",
    );
    out.push_str(&table("Where it shows, and what is said there", &head, &[1], &rows));
    if more > 0 {
        let _ = writeln!(out, "<p class=\"note\">And {more} more; the journal has them all.</p>");
    }
    out.push_str("</section>\n");
    out
}

/// How to see it again.
fn again(found: Found<'_>) -> String {
    let Found { bundle, place } = found;
    let mut out = String::new();
    let commands: Vec<String> = bundle
        .replay
        .iter()
        .flat_map(|replay| &replay.commands)
        .map(|command| command.replace("$1", "program"))
        .collect();
    if !commands.is_empty() {
        out.push_str(&listing("The commands", &commands.join("\n")));
    }
    if let Some(script) = script(bundle) {
        let _ = write!(
            out,
            "<details><summary>reproduce.sh: exits 0 while the finding is there, 1 when it is gone</summary>\n{}</details>\n",
            listing("reproduce.sh", &script)
        );
    }
    if let Some(place) = place {
        let _ = writeln!(out, "<p class=\"note\">The files are in <code>{}</code>.</p>", escaped(place));
    }
    if out.is_empty() {
        return out;
    }
    format!("<section aria-labelledby=\"again\">\n<h2 id=\"again\">See it again</h2>\n{out}</section>\n")
}
