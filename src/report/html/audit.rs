//! The audit of a package as pages: `index.html`, and one page for each file with code.

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};
use maud::{Markup, html};

use super::page::{Page, grouped, hidden, prose, section, table};
use crate::audit::{Audit, FileAudit, LineAudit, State, Tally};
use crate::model::{Cluster, Finding, Line, Verdict};
use crate::report::counts::{capital, number, percent, shown};
use crate::report::visible::visible;

/// Write the pages of `audit` into `out`, and return the path of the index.
pub fn write_audit_pages(audit: &Audit, clusters: &[Cluster], out: &Utf8Path) -> Result<Utf8PathBuf> {
    let folder = out.join("files");
    if folder.exists() {
        fs_err::remove_dir_all(&folder)?;
    }
    fs_err::create_dir_all(&folder)?;
    for (name, file) in &audit.files {
        fs_err::write(folder.join(page_name(name)), file_page(audit, name, file).html())?;
    }
    let path = out.join("index.html");
    fs_err::write(&path, index(audit, clusters).html())?;
    Ok(path)
}

/// The name of the page of a file.
fn page_name(file: &str) -> String {
    format!("{}.html", file.replace('%', "%25").replace('/', "%"))
}

/// A link to the page of a file, in which `%` must be escaped.
fn link(file: &str, line: Option<Line>) -> String {
    let anchor = line.map_or_else(String::new, |line| format!("#line-{line}"));
    format!("{}{anchor}", page_name(file).replace('%', "%25"))
}

fn index(audit: &Audit, clusters: &[Cluster]) -> Page {
    let tally = audit.tally();
    let title = format!("{} with {}", audit.package, audit.profiler.compiler);
    Page {
        nav: html! { a href="#causes" { "Causes" } a href="#files" { "Files" } a href="#unchecked" { "Not checked" } },
        header: html! {
            h1 { (visible(&title)) }
            p {
                "Line coverage " (percent(tally.executed, tally.reported)) ", actually "
                (percent(tally.right_executed, tally.right)) ". Of " (grouped(tally.reported)) " lines with a count, "
                (grouped(tally.reported - tally.unchecked.min(tally.reported))) " are checked and "
                (grouped(tally.wrong)) " are wrong."
            }
        },
        main: html! {
            (section("causes", "Wrong numbers by their cause", &causes(audit, clusters)))
            (section("files", "Files", &files(audit)))
            (section("unchecked", "What was not checked", &unchecked(audit)))
        },
        title,
        scripted: false,
    }
}

fn causes(audit: &Audit, clusters: &[Cluster]) -> Markup {
    let wrong: Vec<&Cluster> = clusters.iter().filter(|cluster| cluster.verdict == Verdict::Wrong).collect();
    html! {
        @if wrong.is_empty() { p { "No number is wrong." } }
        @for cluster in wrong {
            @let findings: Vec<&Finding> = audit.findings.iter().filter(|finding| cluster.has(finding)).collect();
            h3 { code { (visible(&cluster.signature)) } @if let Some(known) = &cluster.known { " (known as " (visible(known)) ")" } }
            p { (prose(&capital(&cluster.sentence))) "." }
            ul {
                @for finding in findings {
                    li {
                        a href=(format!("files/{}", link(&finding.file, finding.line))) { (visible(&finding.place_in_file())) }
                        ": reported " (shown(finding.before)) ", actually "
                        (shown(finding.right_count()))
                        @if let Some(cause) = &finding.cause { ". " (prose(&cause.evidence)) }
                    }
                }
            }
        }
    }
}

fn files(audit: &Audit) -> Markup {
    let rows: Vec<Vec<Markup>> = audit
        .files
        .iter()
        .map(|(name, file)| {
            let tally = Tally::of(file.lines.values());
            let cell = |number: usize| html! { (grouped(number)) };
            vec![
                html! { a href=(format!("files/{}", link(name, None))) { (visible(name)) } },
                cell(tally.reported),
                cell(tally.wrong),
                cell(tally.convention),
                cell(tally.unchecked),
                html! { (percent(tally.executed, tally.reported)) },
                html! { (percent(tally.right_executed, tally.right)) },
            ]
        })
        .collect();
    let head = ["file", "lines", "wrong", "conventions", "not checked", "reported", "actually"];
    table("The lines of each file", &head, &[1, 2, 3, 4, 5, 6], &rows)
}

fn unchecked(audit: &Audit) -> Markup {
    let reasons = audit.unchecked_lines();
    let functions =
        || audit.files.iter().flat_map(|(name, file)| file.refused.iter().map(move |found| (name, found)));
    let is_whole = reasons.is_empty()
        && functions().next().is_none()
        && audit.units.unchecked.is_empty()
        && audit.units.notes.is_empty();
    html! {
        @if is_whole { p { "Every line of every unit was checked." } }
        ul {
            @for (reason, number) in reasons { li { (grouped(number)) " lines: " (visible(reason)) } }
            @for (file, (function, reason)) in functions() {
                li { "function " code { (visible(function)) } " of " (visible(file)) ": " (visible(reason)) }
            }
            @for (unit, reason) in &audit.units.unchecked { li { "unit " (visible(unit)) ": " (visible(reason)) } }
            @for note in &audit.units.notes { li { (visible(note)) } }
        }
    }
}

fn file_page(audit: &Audit, name: &str, file: &FileAudit) -> Page {
    let tally = Tally::of(file.lines.values());
    Page {
        title: name.to_string(),
        nav: html! { a href="../index.html" { "All files" } },
        header: html! {
            h1 { (visible(name)) }
            p { (grouped(tally.reported)) " lines with a count, " (grouped(tally.wrong)) " wrong, " (grouped(tally.unchecked)) " not checked." }
        },
        main: html! {
            table.sheet role="table" {
                caption { "Every line of the file" }
                thead { tr { th scope="col" { "line" } th.n scope="col" { "reported" } th.n scope="col" { "actually" } th.code scope="col" { "program" } } }
                tbody {
                    @for (at, text) in file.source.lines().enumerate() {
                        @let line = Line::try_from(at + 1).unwrap_or(Line::MAX);
                        (row(audit, name, line, text, file.lines.get(&line)))
                    }
                }
            }
        },
        scripted: false,
    }
}

fn row(audit: &Audit, name: &str, line: Line, text: &str, count: Option<&LineAudit>) -> Markup {
    let is_wrong = count.is_some_and(|count| count.state == State::Wrong);
    let here = |finding: &&Finding| {
        finding.verdict == Verdict::Wrong
            && finding.file == name
            && finding.lines().any(|found| found == line)
    };
    let cause = audit.findings.iter().find(here).and_then(|finding| finding.cause.as_ref());
    let note = match count.map(|count| &count.state) {
        Some(State::Unchecked { reason }) => Some(format!("not checked: {reason}")),
        Some(State::Convention { rule }) => Some(format!("convention: {rule}")),
        _ => cause.map(|cause| cause.mechanism.clone()),
    };
    html! {
        tr.hit[is_wrong] id=(format!("line-{line}")) {
            th scope="row" { @if is_wrong { b aria-hidden="true" { "!" } } (line) @if is_wrong { (hidden("wrong")) } }
            td.n.off[is_wrong] { @if let Some(count) = count { @if is_wrong { b aria-hidden="true" { "≠" } } @if let Some(reported) = count.reported { (number(reported)) } } }
            td.n.truth { @if let Some(count) = count { @if let Some(right) = count.right { (number(right)) } @else if matches!(count.state, State::Unchecked { .. }) { "?" } } }
            td.code { code { (visible(text)) } @if let Some(note) = note { " " small { (visible(&note)) } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_a_file_has_a_name_of_its_own_and_a_link_that_finds_it() {
        assert_eq!(page_name("lib/a.c"), "lib%a.c.html");
        assert_ne!(page_name("lib/a.c"), page_name("lib%a.c"));
        assert_eq!(link("lib/a.c", Some(7)), "lib%25a.c.html#line-7");
    }
}
