//! The page of the campaign: what was run, how the clusters spread over relations, compilers and
//! time, and every cluster by rank. The script only sorts and hides rows that are there already.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use camino::Utf8PathBuf;

use super::cluster::{badge, in_words};
use super::page::{Page, escaped, grouped, hidden, table};
use super::{Campaign, Item};
use crate::journal::{JobRecord, Journal};
use crate::model::{Cluster, Finding, ProfilerInfo, RelationName, Verdict};
use crate::triage::{cluster_id, clusters};

/// What wants attention first.
const VERDICTS: [Verdict; 5] =
    [Verdict::Unexplained, Verdict::Wrong, Verdict::Convention, Verdict::Artefact, Verdict::Unstable];

/// The index.
pub fn page(campaign: &Campaign<'_>, items: &[Item<'_>]) -> Page {
    let names: Vec<&str> = campaign.folders.iter().map(name).collect();
    let many = campaign.journals.len() > 1;
    let nav = [
        ("clusters", "Clusters", true),
        ("spread", "Relations and compilers", true),
        ("time", "Over time", many),
        ("profilers", "Profilers", true),
    ];
    let ways = nav.iter().filter(|(.., is_there)| *is_there);
    let mut main = figures(campaign, items);
    main.push_str("<div class=\"pair\">\n");
    main.push_str(&spread(items));
    if many {
        main.push_str(&time(campaign));
    }
    main.push_str(&profilers(campaign));
    main.push_str("</div>\n");
    main.push_str(&list(items));
    Page {
        title: format!("{}: recount", names.join(", ")),
        nav: ways.map(|(id, words, _)| format!("<a href=\"#{id}\">{words}</a>")).collect(),
        header: header(campaign, &names),
        main,
        scripted: true,
    }
}

/// The last part of a run's path; the path where it has none.
fn name(folder: &Utf8PathBuf) -> &str {
    folder.file_name().unwrap_or(folder.as_str())
}

fn header(campaign: &Campaign<'_>, names: &[&str]) -> String {
    let distinct = |of: &dyn Fn(&Journal) -> String| -> String {
        let all: BTreeSet<String> = campaign.journals.iter().map(of).collect();
        escaped(&all.into_iter().collect::<Vec<_>>().join(", "))
    };
    let seeds = distinct(&|journal| journal.header.settings.seed.to_string());
    let relations = distinct(&|journal| {
        journal.header.settings.relations.iter().map(|name| name.name()).collect::<Vec<_>>().join(" ")
    });
    let programs: BTreeSet<&str> =
        campaign.journals.iter().flat_map(|run| &run.records).map(|record| record.program.as_str()).collect();
    format!(
        "<p class=\"over\">recount</p>\n<h1>{}</h1>\n<p class=\"lead\">{} programs · relations {relations} · seed {seeds}</p>\n",
        escaped(&names.join(", ")),
        grouped(programs.len()),
    )
}

/// The few numbers that one looks for first.
fn figures(campaign: &Campaign<'_>, items: &[Item<'_>]) -> String {
    let records = || campaign.journals.iter().flat_map(|journal| &journal.records);
    let is_news = |item: &&Item<'_>| item.cluster.verdict.is_open() && item.cluster.known.is_none();
    let figure = |class: &str, number: usize, word: &str| {
        format!("<div class=\"{class}\"><dt>{word}</dt><dd>{}</dd></div>\n", grouped(number))
    };
    let mut out = String::from("<dl class=\"figures\">\n");
    out.push_str(&figure("news", items.iter().filter(is_news).count(), "new, to look at"));
    for verdict in VERDICTS {
        let number = items.iter().filter(|item| item.cluster.verdict == verdict).count();
        out.push_str(&figure(verdict.name(), number, verdict.name()));
    }
    out.push_str(&figure("", items.len(), "clusters"));
    out.push_str(&figure("", items.iter().map(|item| item.members.len()).sum(), "findings"));
    out.push_str(&figure("", records().count(), "jobs"));
    out.push_str("</dl>\n");
    out
}

/// Compilers by family and version, as people count: gcc-9 before gcc-12.
fn compilers(items: &[Item<'_>]) -> Vec<String> {
    let all = items.iter().flat_map(|item| &item.cluster.profilers);
    let all: BTreeSet<(&str, usize, &str)> =
        all.map(|name| (family(name), name.len(), name.as_str())).collect();
    all.into_iter().map(|(.., name)| name.to_string()).collect()
}

/// A compiler's name without its version.
fn family(compiler: &str) -> &str {
    compiler.rsplit_once('-').map_or(compiler, |(family, _)| family)
}

/// Clusters by relation and compiler: how many, and how many of them are open.
fn spread(items: &[Item<'_>]) -> String {
    let compilers = compilers(items);
    let mut cells: BTreeMap<(RelationName, &str), (usize, usize)> = BTreeMap::new();
    for item in items {
        let pairs: BTreeSet<(RelationName, &str)> =
            item.members.iter().map(|of| (of.finding.relation, of.finding.compiler.as_str())).collect();
        for pair in pairs {
            let (all, open) = cells.entry(pair).or_default();
            *all += 1;
            *open += usize::from(item.cluster.verdict.is_open());
        }
    }
    if cells.is_empty() {
        return String::new();
    }
    let most = cells.values().map(|(all, _)| *all).max().unwrap_or(1);
    let mut out = String::from(
        "<section aria-labelledby=\"spread\">\n<h2 id=\"spread\">Relations and compilers</h2>\n\
         <div class=\"scroll\" role=\"region\" aria-label=\"Clusters by relation and compiler\" tabindex=\"0\"><table class=\"heat\">\n\
         <caption>Clusters that a relation shows under a compiler, and how many are open</caption>\n\
         <thead><tr><th scope=\"col\">relation</th>",
    );
    for compiler in &compilers {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escaped(compiler));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for relation in RelationName::ALL {
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", relation.name());
        for compiler in &compilers {
            out.push_str(&heat(relation, compiler, cells.get(&(relation, compiler)).copied(), most));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n</section>\n");
    out
}

/// One cell: colour and number, and a way to its clusters.
fn heat(relation: RelationName, compiler: &str, found: Option<(usize, usize)>, most: usize) -> String {
    let Some((all, open)) = found else { return "<td class=\"h0\">0</td>".into() };
    // The root spreads the small numbers, which are the most.
    let level = (5.0 * (all as f64 / most as f64).sqrt()).ceil().clamp(1.0, 5.0);
    let open = if open == 0 { String::new() } else { format!("<small>{open} open</small>") };
    format!(
        "<td class=\"h{level}\"><a href=\"#relation={}&amp;compiler={}\">{all}{}{open}</a></td>",
        relation.name(),
        escaped(compiler),
        hidden("clusters"),
    )
}

/// One column a run, one row a verdict.
fn time(campaign: &Campaign<'_>) -> String {
    let runs: Vec<(Vec<Finding>, Vec<Cluster>)> = campaign
        .journals
        .iter()
        .map(|journal| {
            let findings = journal.findings();
            let clusters = clusters(&findings);
            (findings, clusters)
        })
        .collect();
    let mut head = vec!["verdict"];
    head.extend(campaign.folders.iter().map(name));
    head.push("course");
    let rows: Vec<Vec<String>> = VERDICTS
        .iter()
        .map(|verdict| {
            let of = |(findings, clusters): &(Vec<Finding>, Vec<Cluster>)| {
                let clusters = clusters.iter().filter(|cluster| cluster.verdict == *verdict).count();
                (clusters, findings.iter().filter(|finding| finding.verdict == *verdict).count())
            };
            let course: Vec<(usize, usize)> = runs.iter().map(of).collect();
            let mut row = vec![badge(*verdict)];
            row.extend(course.iter().map(|(clusters, findings)| {
                format!("{}<small>{} findings</small>", grouped(*clusters), grouped(*findings))
            }));
            row.push(sparkline(&course.iter().map(|(clusters, _)| *clusters).collect::<Vec<_>>()));
            row
        })
        .collect();
    let numbers: Vec<usize> = (1..=runs.len()).collect();
    format!(
        "<section aria-labelledby=\"time\">\n<h2 id=\"time\">Over time</h2>\n{}</section>\n",
        table("Clusters and findings of each run, in the order given", &head, &numbers, &rows)
    )
}

/// The numbers stand beside it, so that it is a picture only.
fn sparkline(values: &[usize]) -> String {
    let most = values.iter().copied().max().unwrap_or(0).max(1) as f64;
    let step = 96.0 / (values.len().max(2) - 1) as f64;
    let points: Vec<String> = values
        .iter()
        .enumerate()
        .map(|(index, value)| {
            format!("{:.1},{:.1}", 2.0 + step * index as f64, 22.0 - 20.0 * *value as f64 / most)
        })
        .collect();
    let last = points.last().cloned().unwrap_or_default();
    let (x, y) = last.split_once(',').unwrap_or(("0", "0"));
    format!(
        "<svg class=\"spark\" viewBox=\"0 0 100 24\" width=\"100\" height=\"24\" aria-hidden=\"true\" focusable=\"false\">\
         <polyline points=\"{}\"/><circle cx=\"{x}\" cy=\"{y}\" r=\"2\"/></svg>",
        points.join(" ")
    )
}

/// What became of the programs under each compiler.
fn profilers(campaign: &Campaign<'_>) -> String {
    let mut infos: BTreeMap<&str, &ProfilerInfo> = BTreeMap::new();
    for info in campaign.journals.iter().flat_map(|journal| &journal.header.profilers) {
        infos.insert(&info.compiler, info);
    }
    let mut by_compiler: BTreeMap<(&str, usize, &str), Vec<&JobRecord>> = BTreeMap::new();
    for record in campaign.journals.iter().flat_map(|journal| &journal.records) {
        let name = record.compiler.as_str();
        by_compiler.entry((family(name), name.len(), name)).or_default().push(record);
    }
    let rows: Vec<Vec<String>> = by_compiler
        .into_iter()
        .map(|((.., compiler), records)| {
            let profiled = records.iter().filter(|record| record.is_profiled()).count();
            let findings = records.iter().map(|record| record.findings.len()).sum();
            let version = infos.get(compiler).map(|info| info.version.as_str()).unwrap_or_default();
            let name = format!("{}<small>{}</small>", escaped(compiler), escaped(version));
            let jobs = grouped(records.len());
            vec![name, jobs, grouped(profiled), grouped(findings), left_out(&records)]
        })
        .collect();
    let head = ["compiler", "jobs", "profiled", "findings", "not profiled"];
    format!(
        "<section aria-labelledby=\"profilers\">\n<h2 id=\"profilers\">Profilers</h2>\n{}</section>\n",
        table("What became of the programs under each compiler", &head, &[1, 2, 3], &rows)
    )
}

/// `12 do not compile, 3 died by a signal`.
fn left_out(records: &[&JobRecord]) -> String {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for record in records.iter().filter(|record| !record.is_profiled()) {
        let reason = if record.failed.is_some() { "failure of recount" } else { record.outcome.name() };
        *reasons.entry(reason).or_default() += 1;
    }
    let reasons: Vec<String> = reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    if reasons.is_empty() { "–".into() } else { reasons.join(", ") }
}

/// Every cluster, by rank, and what chooses among them.
fn list(items: &[Item<'_>]) -> String {
    let mut out = String::from("<section aria-labelledby=\"clusters\">\n<h2 id=\"clusters\">Clusters</h2>\n");
    if items.is_empty() {
        out.push_str("<p>No differences: every report agrees with itself.</p>\n</section>\n");
        return out;
    }
    out.push_str(&filters(items));
    out.push_str(
        "<table class=\"list\" id=\"list\" role=\"table\">\n<caption>Clusters by rank: open verdicts first, then by the \
         number of programs</caption>\n<thead role=\"rowgroup\"><tr role=\"row\">",
    );
    for name in ["verdict", "cause", "findings", "programs", "compilers", "known as"] {
        let by = name.split(' ').next().unwrap_or(name);
        let class = if by == "findings" || by == "programs" { " class=\"n\"" } else { "" };
        let _ = write!(out, "<th role=\"columnheader\" scope=\"col\" data-by=\"{by}\"{class}>{name}</th>");
    }
    out.push_str("</tr></thead>\n<tbody role=\"rowgroup\">\n");
    for item in items {
        row(&mut out, item);
    }
    out.push_str("</tbody></table>\n<p id=\"none\" hidden>No cluster is like that.</p>\n</section>\n");
    out
}

/// They work by the script alone, which shows them.
fn filters(items: &[Item<'_>]) -> String {
    let mut out = String::from(
        "<form id=\"filters\" role=\"search\" aria-label=\"Choose clusters\" hidden>\n\
         <label class=\"grow\">Text <input type=\"search\" name=\"q\" autocomplete=\"off\" spellcheck=\"false\"></label>\n",
    );
    let relations: BTreeSet<RelationName> = items.iter().flat_map(relations_of).collect();
    let relations = relations.into_iter().map(|name| (name.name().to_string(), name.name().to_string()));
    out.push_str(&select("Relation", "relation", relations));
    let compilers = compilers(items);
    let families: BTreeSet<&str> = compilers.iter().map(|name| family(name)).collect();
    let families = families.into_iter().map(|name| (name.to_string(), format!("any {name}")));
    let compilers = compilers.iter().map(|name| (name.clone(), name.clone()));
    out.push_str(&select("Compiler", "compiler", families.chain(compilers)));
    let known = [("no", "new"), ("yes", "known")].map(|(value, word)| (value.to_string(), word.to_string()));
    out.push_str(&select("State", "known", known.into_iter()));
    out.push_str("<fieldset><legend>Verdict</legend>\n");
    for verdict in VERDICTS {
        if items.iter().any(|item| item.cluster.verdict == verdict) {
            let name = verdict.name();
            let _ = writeln!(
                out,
                "<label class=\"v {name}\"><input type=\"checkbox\" name=\"verdict\" value=\"{name}\" checked> {name}</label>"
            );
        }
    }
    let count = grouped(items.len());
    let _ = write!(
        out,
        "</fieldset>\n<button type=\"reset\">Show all</button>\n<p role=\"status\" id=\"shown\">{count} clusters</p>\n</form>\n"
    );
    out
}

fn select(label: &str, name: &str, options: impl Iterator<Item = (String, String)>) -> String {
    let options: String = options
        .map(|(value, word)| format!("<option value=\"{}\">{}</option>", escaped(&value), escaped(&word)))
        .collect();
    format!(
        "<label>{label} <select name=\"{name}\"><option value=\"\">all</option>{options}</select></label>\n"
    )
}

fn relations_of(item: &Item<'_>) -> BTreeSet<RelationName> {
    item.members.iter().map(|member| member.finding.relation).collect()
}

/// One row. There may be thousands, so that it has as few elements as it can.
fn row(out: &mut String, item: &Item<'_>) {
    let cluster = item.cluster;
    let relations: Vec<&str> = relations_of(item).into_iter().map(RelationName::name).collect();
    let compilers: Vec<String> =
        cluster.profilers.iter().map(|name| format!("<span>{}</span>", escaped(name))).collect();
    let verdict = cluster.verdict.name();
    let reduced =
        item.reduced.map(|(before, after)| format!(" · {before} → {after} lines")).unwrap_or_default();
    let _ = writeln!(
        out,
        "<tr role=\"row\" data-verdict=\"{verdict}\" data-relation=\"{}\"><td role=\"cell\" class=\"v {verdict}\">{verdict}</td>\
         <th role=\"rowheader\" scope=\"row\"><a href=\"clusters/{}\">{}</a><small>{} · {}{reduced}</small></th>\
         <td role=\"cell\" class=\"n\">{}</td><td role=\"cell\" class=\"n\">{}</td>\
         <td role=\"cell\">{}</td><td role=\"cell\">{}</td></tr>",
        relations.join(" "),
        item.page,
        in_words(&cluster.sentence),
        cluster_id(&cluster.signature),
        escaped(&cluster.signature),
        cluster.count,
        cluster.programs,
        compilers.join(" "),
        escaped(cluster.known.as_deref().unwrap_or_default()),
    );
}
