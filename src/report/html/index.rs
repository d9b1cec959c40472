//! The index: the clusters by rank, and tables of clusters by relation, compiler and run. The script only sorts and
//! hides rows that are already in the page.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use super::items::{Campaign, Item};
use super::page::{Page, badge, grouped, hidden, prose, section, table};
use crate::journal::{JobRecord, Journal};
use crate::model::{ProfilerInfo, RelationName, Verdict, number_of};
use crate::report::tally::{by_compiler, in_order};
use crate::report::unchecked::Unchecked;
use crate::report::visible::visible;
use crate::triage::{cluster_id, clusters};

/// In the order of rank.
const VERDICTS: [Verdict; 5] =
    [Verdict::Unexplained, Verdict::Wrong, Verdict::Convention, Verdict::Artefact, Verdict::Unstable];

pub fn page(campaign: &Campaign<'_>, items: &[Item<'_>]) -> Page {
    let names = campaign.journals.iter().map(name).collect::<Vec<_>>().join(", ");
    let many = campaign.journals.len() > 1;
    Page {
        title: format!("{names}: recount"),
        nav: html! {
            a href="#clusters" { "Clusters" }
            a href="#unchecked" { "Not checked" }
            a href="#spread" { "Relations and compilers" }
            @if many { a href="#time" { "Over time" } }
            a href="#profilers" { "Profilers" }
        },
        header: header(campaign, &names),
        main: html! {
            (figures(campaign, items))
            (section("clusters", "Clusters", &list(items)))
            (section("unchecked", "Not checked", &unchecked(campaign)))
            (section("spread", "Relations and compilers", &spread(campaign, items)))
            .pair {
                @if many { (section("time", "Over time", &time(campaign))) }
                (section("profilers", "Profilers", &profilers(campaign)))
            }
        },
        scripted: true,
    }
}

/// The last part of a run's path, or the path if it has none.
fn name(journal: &Journal) -> &str {
    journal.folder.0.file_name().unwrap_or(journal.folder.0.as_str())
}

fn header(campaign: &Campaign<'_>, names: &str) -> Markup {
    let distinct = |of: &dyn Fn(&Journal) -> String| {
        let all: BTreeSet<String> = campaign.journals.iter().map(of).collect();
        all.into_iter().collect::<Vec<_>>().join(", ")
    };
    let seeds = distinct(&|journal| journal.header.settings.seed.to_string());
    let relations = distinct(&|journal| {
        journal.header.settings.relations.iter().map(|name| name.name()).collect::<Vec<_>>().join(" ")
    });
    let programs: BTreeSet<&str> = campaign.records().map(|record| record.program.as_str()).collect();
    html! {
        p.over { "recount" }
        h1 { (visible(names)) }
        p.lead { (grouped(programs.len())) " programs · relations " (relations) " · seed " (seeds) }
    }
}

/// The numbers at the top of the page.
fn figures(campaign: &Campaign<'_>, items: &[Item<'_>]) -> Markup {
    let clusters =
        |is_counted: &dyn Fn(&Item<'_>) -> bool| items.iter().filter(|item| is_counted(item)).count();
    let mut all = vec![("news", "new, to look at", clusters(&|item| item.cluster.is_news()))];
    all.extend(
        VERDICTS.map(|verdict| {
            (verdict.name(), verdict.name(), clusters(&|item| item.cluster.verdict == verdict))
        }),
    );
    all.push(("", "clusters", items.len()));
    all.push(("", "findings", items.iter().map(|item| item.findings.len()).sum()));
    all.push(("", "jobs", campaign.records().count()));
    html! {
        dl.figures { @for (class, word, number) in all { div class=(class) { dt { (word) } dd { (grouped(number)) } } } }
    }
}

/// A compiler's name without its version.
fn family(compiler: &str) -> &str {
    compiler.rsplit_once('-').map_or(compiler, |(family, _)| family)
}

/// The number of clusters by relation and compiler, and how many of them are new. Relations that did not run are left
/// out.
fn spread(campaign: &Campaign<'_>, items: &[Item<'_>]) -> Markup {
    let mut cells: BTreeMap<(RelationName, &str), (usize, usize)> = BTreeMap::new();
    for journal in campaign.journals {
        for record in &journal.records {
            let relations = journal.header.settings.relations.iter();
            cells.extend(relations.map(|relation| ((*relation, record.compiler.as_str()), (0, 0))));
        }
    }
    for item in items {
        let mut pairs: BTreeSet<(RelationName, &str)> = BTreeSet::new();
        for finding in &item.findings {
            pairs.extend(finding.relations().map(|relation| (relation, finding.compiler.as_str())));
        }
        for pair in pairs {
            let (all, new) = cells.entry(pair).or_default();
            *all += 1;
            *new += usize::from(item.cluster.is_news());
        }
    }
    let most = cells.values().map(|(all, _)| *all).max().unwrap_or(0).max(1);
    let compilers = in_order(cells.keys().map(|(_, name)| *name));
    let head = [&["relation"], &compilers[..]].concat();
    let has_run = |relation: &RelationName| cells.keys().any(|(other, _)| other == relation);
    let rows = RelationName::ALL.into_iter().filter(has_run).map(|relation| {
        let mut row = vec![html! { (relation.name()) }];
        let cell = |compiler: &&str| heat(relation, compiler, cells.get(&(relation, *compiler)), most);
        row.extend(compilers.iter().map(cell));
        row
    });
    let caption = "Clusters that each relation found with each compiler, and how many of them are new";
    html! { .heat { (table(caption, &head, &[], &rows.collect::<Vec<_>>())) } }
}

/// One cell: a number on a colour, and a link to its clusters.
fn heat(relation: RelationName, compiler: &str, found: Option<&(usize, usize)>, most: usize) -> Markup {
    let Some((all, new)) = found else { return html! { span.none { "not run" } } };
    if *all == 0 {
        return html! { span.none { "0" } };
    }
    // The square root spreads the small numbers, which are the most frequent.
    let level = (5.0 * (*all as f64 / most as f64).sqrt()).ceil().clamp(1.0, 5.0);
    html! {
        a class={ "h" (level) } href={ "#relation=" (relation.name()) "&compiler=" (visible(compiler)) } {
            (all) (hidden("clusters"))
            @if *new > 0 { small { (new) " new" } }
        }
    }
}

/// One column for each run, one row for each verdict.
fn time(campaign: &Campaign<'_>) -> Markup {
    let runs: Vec<_> = campaign
        .journals
        .iter()
        .map(|journal| {
            let findings = journal.findings();
            (clusters(&findings), findings)
        })
        .collect();
    let mut head = vec!["verdict"];
    head.extend(campaign.journals.iter().map(name));
    head.push("trend");
    let rows = VERDICTS.map(|verdict| {
        let counts = runs.iter().map(|(clusters, findings)| {
            let clusters = clusters.iter().filter(|cluster| cluster.verdict == verdict).count();
            (clusters, findings.iter().filter(|finding| finding.verdict == verdict).count())
        });
        let counts: Vec<(usize, usize)> = counts.collect();
        let mut row = vec![badge(verdict)];
        row.extend(counts.iter().map(|(clusters, findings)| {
            html! { (grouped(*clusters)) small { (grouped(*findings)) " findings" } }
        }));
        row.push(sparkline(&counts));
        row
    });
    let numbers: Vec<usize> = (1..=runs.len()).collect();
    table("Clusters and findings of each run, in the order given", &head, &numbers, &rows)
}

/// A drawing of the numbers of clusters, which the row also gives as text.
fn sparkline(counts: &[(usize, usize)]) -> Markup {
    let most = counts.iter().map(|(clusters, _)| *clusters).max().unwrap_or(0).max(1) as f64;
    let step = 96.0 / (counts.len().max(2) - 1) as f64;
    let at = |(index, (clusters, _)): (usize, &(usize, usize))| {
        format!("{:.1},{:.1}", 2.0 + step * index as f64, 22.0 - 20.0 * *clusters as f64 / most)
    };
    let points: Vec<String> = counts.iter().enumerate().map(at).collect();
    html! {
        svg.spark viewBox="0 0 100 24" width="100" height="24" aria-hidden="true" focusable="false" {
            polyline points=(points.join(" ")) {}
        }
    }
}

/// What was not checked, and why.
fn unchecked(campaign: &Campaign<'_>) -> Markup {
    let unchecked = Unchecked::of_journals(campaign.journals);
    let items = unchecked.items();
    if items.is_empty() {
        return html! { p { (unchecked.text().trim_end()) } };
    }
    let rows = items.iter().map(|item| vec![html! { (visible(&item.what)) }, html! { (visible(&item.why)) }]);
    table("What was not checked, and why", &["not checked", "reason"], &[], &rows.collect::<Vec<_>>())
}

/// The outcome of the programs under each compiler.
fn profilers(campaign: &Campaign<'_>) -> Markup {
    let infos = campaign.journals.iter().flat_map(|journal| &journal.header.profilers);
    let infos: BTreeMap<&str, &ProfilerInfo> = infos.map(|info| (info.compiler.as_str(), info)).collect();
    let rows = by_compiler(campaign.records()).into_iter().map(|(compiler, records)| {
        let version = infos.get(compiler).map(|info| info.version.as_str()).unwrap_or_default();
        let number = |number: usize| html! { (grouped(number)) };
        vec![
            html! { (visible(compiler)) small { (visible(version)) } },
            number(records.len()),
            number(records.iter().filter(|record| record.is_profiled()).count()),
            number(records.iter().map(|record| record.findings.len()).sum()),
            html! { (left_out(&records)) },
        ]
    });
    let head = ["compiler", "jobs", "profiled", "findings", "not profiled"];
    table("Outcome of the programs under each compiler", &head, &[1, 2, 3], &rows.collect::<Vec<_>>())
}

/// `does not compile 12, died by a signal 3`.
fn left_out(records: &[&JobRecord]) -> String {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for record in records.iter().filter(|record| !record.is_profiled()) {
        let reason = if record.failed.is_some() { "failure of recount" } else { record.outcome.name() };
        *reasons.entry(reason).or_default() += 1;
    }
    let reasons: Vec<String> = reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    if reasons.is_empty() { "–".into() } else { reasons.join(", ") }
}

/// All clusters by rank, and the filters. Known clusters are folded away.
fn list(items: &[Item<'_>]) -> Markup {
    if items.is_empty() {
        return html! { p { "No wrong counts found." } };
    }
    let (known, others): (Vec<&Item<'_>>, Vec<&Item<'_>>) =
        items.iter().partition(|item| item.cluster.known.is_some());
    let findings: usize = known.iter().map(|item| item.findings.len()).sum();
    html! {
        (filters(items))
        @if others.is_empty() {
            p { "Every cluster is already known." }
        } @else {
            (rows("list", "Open verdicts first, then by the number of programs", &others))
        }
        p #none hidden { "No cluster matches the filters." }
        @if !known.is_empty() {
            details #known {
                summary { (number_of(known.len(), "known cluster")) " with " (number_of(findings, "finding")) }
                (rows("known-list", "Clusters that are already known", &known))
            }
        }
    }
}

/// A table with one row for each of `items`. The script knows the columns by their numbers.
fn rows(id: &str, caption: &str, items: &[&Item<'_>]) -> Markup {
    let head = ["verdict", "cause", "findings", "programs", "compilers", "known as"];
    html! {
        table.list id=(id) role="table" {
            caption { (caption) }
            thead role="rowgroup" {
                tr role="row" {
                    @for name in head {
                        @let class = ["findings", "programs"].contains(&name).then_some("n");
                        th role="columnheader" scope="col" data-by=(name.split(' ').next().unwrap_or(name)) class=[class] { (name) }
                    }
                }
            }
            tbody role="rowgroup" { @for item in items { (row(item)) } }
        }
    }
}

/// The filters need the script, which shows them.
fn filters(items: &[Item<'_>]) -> Markup {
    let relations: BTreeSet<RelationName> = items.iter().flat_map(relations_of).collect();
    let compilers = in_order(items.iter().flat_map(|item| &item.cluster.profilers).map(String::as_str));
    let families: BTreeSet<&str> = compilers.iter().map(|name| family(name)).collect();
    let any = families.into_iter().map(|name| (name, format!("any {name}")));
    let compilers: Vec<(&str, String)> =
        any.chain(compilers.iter().map(|name| (*name, (*name).to_string()))).collect();
    let relations: Vec<(&str, String)> =
        relations.iter().map(|name| (name.name(), name.name().to_string())).collect();
    let known = [("no", "new".to_string()), ("yes", "known".to_string())];
    let verdicts =
        VERDICTS.into_iter().filter(|verdict| items.iter().any(|item| item.cluster.verdict == *verdict));
    html! {
        form #filters role="search" aria-label="Filter the clusters" hidden {
            label.grow { "Text " input type="search" name="q" autocomplete="off" spellcheck="false"; }
            (select("Relation", "relation", &relations))
            (select("Compiler", "compiler", &compilers))
            (select("State", "known", &known))
            fieldset {
                legend { "Verdict" }
                @for name in verdicts.map(Verdict::name) {
                    label.v.(name) { input type="checkbox" name="verdict" value=(name) checked; " " (name) }
                }
            }
            button type="reset" { "Show all" }
            p #shown role="status" { (grouped(items.len())) " clusters" }
        }
    }
}

fn select(label: &str, name: &str, options: &[(&str, String)]) -> Markup {
    html! {
        label {
            (label) " "
            select name=(name) {
                option value="" { "all" }
                @for (value, words) in options { option value=(visible(value)) { (visible(words)) } }
            }
        }
    }
}

fn relations_of(item: &Item<'_>) -> BTreeSet<RelationName> {
    item.findings.iter().flat_map(|finding| finding.relations()).collect()
}

/// One row. There may be thousands of rows, so a row has as few elements as possible.
fn row(item: &Item<'_>) -> Markup {
    let cluster = item.cluster;
    let relations: Vec<&str> = relations_of(item).into_iter().map(RelationName::name).collect();
    let verdict = cluster.verdict.name();
    html! {
        tr role="row" data-verdict=(verdict) data-relation=(relations.join(" ")) {
            td.v.(verdict) role="cell" { (verdict) }
            th role="rowheader" scope="row" {
                a href={ "clusters/" (item.page) } { (prose(&cluster.sentence)) }
                small {
                    (cluster_id(&cluster.signature)) " · " (visible(&cluster.signature))
                    @if let Some((before, after)) = item.reduced { " · reduced from " (before) " to " (after) " lines" }
                }
            }
            td.n role="cell" { (cluster.count) }
            td.n role="cell" { (cluster.programs) }
            td role="cell" { @for name in &cluster.profilers { span { (visible(name)) } " " } }
            td role="cell" { (visible(cluster.known.as_deref().unwrap_or_default())) }
        }
    }
}
