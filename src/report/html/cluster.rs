//! The page of one cluster: its properties, the example with its counts, the programs that show it, and how to
//! reproduce it.

use maud::{Markup, html};

use super::details;
use super::items::{Campaign, Item};
use super::page::{Page, badge, prose, section, table};
use super::sheet::Sheet;
use crate::journal::{FindingBundle, FindingFolder, VersionResult};
use crate::model::{Finding, number_of};
use crate::report::claim::claim;
use crate::report::counts::{capital, shown};
use crate::report::details::unknown_text;
use crate::report::explain::{PLACES, compilers, echoes, meaning, places, rule};
use crate::report::reproduce::script;
use crate::report::visible::visible;
use crate::triage::cluster_id;

/// Rows of the list of programs.
const ROWS: usize = 200;

/// The example of a cluster, and its folder if it was written.
pub type Found = (Option<FindingFolder>, FindingBundle);

/// The page of the item at `index`.
pub fn page(campaign: &Campaign<'_>, items: &[Item<'_>], index: usize, found: Option<&Found>) -> Page {
    let item = &items[index];
    let cluster = item.cluster;
    let id = cluster_id(&cluster.signature);
    Page {
        title: format!("{id} {}: {}", cluster.verdict.name(), cluster.sentence),
        nav: links(items, index),
        header: html! {
            p.over { (badge(cluster.verdict)) " " code { (id) } }
            h1 { (prose(&cluster.sentence)) }
            p.lead { (capital(meaning(cluster))) "." }
        },
        main: html! {
            (facts(campaign, item, found))
            @if let Some((_, bundle)) = found {
                (example(item, bundle))
                (details::numbers(&bundle.counts, bundle.finding.profiler))
                (details::deciding(&bundle.counts, &bundle.finding))
                (versions(&bundle.versions))
            }
            (section("programs", "Programs that show it", &programs(item)))
            @if let Some(found) = found { (reproduction(found)) }
        },
        scripted: false,
    }
}

/// Links to the index and to the neighbours in rank.
fn links(items: &[Item<'_>], index: usize) -> Markup {
    html! {
        a href="../index.html" { "All clusters" }
        @if index > 0 { a href=(items[index - 1].page) rel="prev" { "← Previous" } }
        @if let Some(next) = items.get(index + 1) { a href=(next.page) rel="next" { "Next →" } }
        span { (index + 1) " of " (items.len()) }
    }
}

/// The properties that all findings share, and those of the example.
fn facts(campaign: &Campaign<'_>, item: &Item<'_>, found: Option<&Found>) -> Markup {
    let cluster = item.cluster;
    let mut facts = vec![("Signature", html! { code { (visible(&cluster.signature)) } })];
    facts.extend(rule(cluster).map(|rule| ("Rule", html! { (visible(&rule)) })));
    if let Some(name) = &cluster.known {
        let note = campaign.known.entry_of(cluster).map(|entry| &entry.note);
        facts.push(("Known as", html! { (visible(name)) @if let Some(note) = note { ": " (prose(note)) } }));
    }
    if !cluster.duplicates.is_empty() {
        let others = html! { @for other in &cluster.duplicates { code { (visible(other)) } " " } };
        facts.push(("Merged with", html! { (others) "(they reduce to the same program)" }));
    }
    facts.push(("Findings", html! { (cluster.count) " in " (number_of(cluster.programs, "program")) }));
    facts.push(("Compilers", html! { (visible(&compilers(&item.findings))) }));
    if let Some((_, bundle)) = found {
        let finding = &bundle.finding;
        let Finding { file, input, compiler, version, .. } = finding;
        facts.push(("Example", html! { code { (visible(file)) } ", input " (visible(input)) }));
        // gcc's version string begins with its name.
        let is_named = version.starts_with(compiler.as_str());
        facts.push(("Profiled by", html! { @if !is_named { (visible(compiler)) ": " } (visible(version)) }));
        facts.extend(finding.edit().map(|edit| ("Edit", prose(&edit))));
        if let Some(reduction) = &bundle.reduction {
            let (before, after) = (reduction.lines_before, reduction.lines_after);
            facts.push((
                "Reduced",
                html! { "from " (before) " to " (after) " lines, by " (visible(&reduction.engine)) },
            ));
            let (Ok(words) | Err(words)) = &reduction.contrast;
            facts.push(("Contrast", prose(words)));
        }
    }
    html! { dl.facts { @for (name, value) in facts { div { dt { (name) } dd { (value) } } } } }
}

/// The program next to its ground truth, the variant and the contrast.
fn example(item: &Item<'_>, bundle: &FindingBundle) -> Markup {
    // A reduced program has only the one finding.
    let others = if bundle.reduction.is_none() { item.findings.clone() } else { Vec::new() };
    let findings = echoes(&bundle.finding, others);
    let sheet = Sheet::new(bundle, &findings);
    let content = html! {
        ul.claims {
            @for symptom in findings.iter().flat_map(|finding| finding.each_symptom()) {
                li { (visible(&claim(&symptom, ""))) }
            }
        }
        (sheet.html(false))
        p.note {
            b { "!" } " a line of the finding · " b { "~" } " a line that an edit changes · "
            b { "≠" } " a count that contradicts ground truth · "
            b { "→" } " a count that changed although its line did not · " del { "struck out" } " deleted by the edit"
        }
        @if !bundle.counts.details.deciding.is_empty() {
            p.note { "The number of a line leads to " a href="#deciding" { "what decides its count" } "." }
        }
        @for sentence in unknown_text(&bundle.counts.details) { p.note { (sentence) } }
        @if !sheet.is_short() {
            details { summary { "The whole program, " (sheet.lines.len()) " lines" } (sheet.html(true)) }
        }
        @if let Some(original) = &bundle.original {
            details {
                summary { "Before reduction, " (original.lines().count()) " lines" }
                (listing("The program before reduction", original))
            }
        }
    };
    section("sheet", "Side by side", &content)
}

fn listing(name: &str, text: &str) -> Markup {
    html! { pre tabindex="0" role="region" aria-label=(name) { (visible(text)) } }
}

/// The counts of other compilers on the example.
fn versions(tried: &[VersionResult]) -> Markup {
    if tried.is_empty() {
        return Markup::default();
    }
    let row = |tried: &VersionResult| {
        let (count, verdict) = match (&tried.count, tried.verdict) {
            (Err(reason), _) => ("–".into(), html! { (visible(reason)) }),
            (Ok(count), Some(verdict)) => (shown(*count), badge(verdict)),
            (Ok(count), None) => (shown(*count), html! { "right" }),
        };
        let affected = html! { @if tried.affected { b { "yes" } } @else { "no" } };
        vec![
            html! { (visible(&tried.name())) },
            html! { (visible(&tried.version)) },
            html! { (count) },
            verdict,
            affected,
        ]
    };
    let head = ["compiler", "version", "count", "verdict", "affected"];
    let rows: Vec<Vec<Markup>> = tried.iter().map(row).collect();
    section("versions", "Versions", &table("The count of the line in other versions", &head, &[2], &rows))
}

/// The places of the findings.
fn programs(item: &Item<'_>) -> Markup {
    let places = places(&item.findings);
    let more = places.len().saturating_sub(ROWS);
    let cell = |cell: &String| html! { (visible(&cell.replace("->", "→"))) };
    let rows: Vec<Vec<Markup>> = places.iter().take(ROWS).map(|row| row.iter().map(cell).collect()).collect();
    html! {
        (table("The places, with the reported and the true counts", &PLACES, &[1], &rows))
        @if more > 0 { p.note { "And " (more) " more; the journal lists all of them." } }
    }
}

/// The commands and the script that show the example again.
fn reproduction((folder, bundle): &Found) -> Markup {
    let commands = bundle.replay.iter().flat_map(|replay| &replay.commands);
    let commands: Vec<String> = commands.map(|command| command.replace("$1", "program")).collect();
    let script = script(bundle);
    if commands.is_empty() && script.is_none() && folder.is_none() {
        return Markup::default();
    }
    let content = html! {
        @if !commands.is_empty() { (listing("The commands", &commands.join("\n"))) }
        @if let Some(script) = script {
            details {
                summary { "reproduce.sh: exits 0 if the finding reproduces, 1 if it no longer does" }
                (listing("reproduce.sh", &script))
            }
        }
        @if let Some(folder) = folder { p.note { "The files are in " code { (visible(folder.0.as_str())) } "." } }
    };
    section("reproduce", "Reproduce it", &content)
}
