//! The parts that all pages share: the frame with its content security policy, sections, tables, and text for screen
//! readers only.
//!
//! [`maud`] escapes every text. Text from programs, paths and compilers also goes through [`visible`], so that control
//! characters show.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::model::Verdict;
use crate::report::visible::visible;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

#[derive(Debug, Default)]
pub struct Page {
    pub title: String,
    /// Links to other pages and to the sections of this one.
    pub nav: Markup,
    /// The heading and the paragraph that follows it.
    pub header: Markup,
    pub main: Markup,
    /// Whether the page has the script that filters and sorts the list of clusters.
    pub scripted: bool,
}

impl Page {
    /// The whole page. It loads nothing. Its policy allows only the style and the script that carry the nonce; the
    /// nonce is a hash of the content, so the content cannot contain it.
    pub fn html(&self) -> String {
        let Page { title, nav, header, main, scripted } = self;
        let nonce = &blake3::hash([header.0.as_str(), &main.0].concat().as_bytes()).to_hex()[..24];
        let script = if *scripted { format!(" script-src 'nonce-{nonce}';") } else { String::new() };
        let policy = format!(
            "default-src 'none'; style-src 'nonce-{nonce}';{script} base-uri 'none'; form-action 'none'"
        );
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(policy);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="referrer" content="no-referrer";
                    title { (visible(title)) }
                    style nonce=(nonce) { (PreEscaped(STYLE)) }
                }
                body {
                    a.skip href="#main" { "Skip to the content" }
                    nav aria-label="Pages and sections" { (nav) }
                    header { (header) }
                    main #main tabindex="-1" { (main) }
                    footer { "Written by recount " (env!("CARGO_PKG_VERSION")) ". This page loads nothing from elsewhere." }
                    @if *scripted { script nonce=(nonce) { (PreEscaped(SCRIPT)) } }
                }
            }
        }
        .into_string()
    }
}

/// A section with its heading, which links refer to as `#id`.
pub fn section(id: &str, heading: &str, content: &Markup) -> Markup {
    html! { section aria-labelledby=(id) { h2 id=(id) { (heading) } (content) } }
}

/// Words for screen readers only.
pub fn hidden(words: &str) -> Markup {
    html! { span.vh { " " (words) } }
}

/// A verdict as it is shown in tables.
pub fn badge(verdict: Verdict) -> Markup {
    let name = verdict.name();
    html! { span.v.(name) { (name) } }
}

/// A sentence; the parts in backticks are set as code.
pub fn prose(sentence: &str) -> Markup {
    html! {
        @for (index, part) in sentence.split('`').enumerate() {
            @if index % 2 == 1 { code { (visible(part)) } } @else { (visible(part)) }
        }
    }
}

/// A table in its own container, which scrolls where the page is narrow. `numbers` are the columns of numbers; the
/// first cell of a row is its heading.
pub fn table(caption: &str, head: &[&str], numbers: &[usize], rows: &[Vec<Markup>]) -> Markup {
    let class = |column: usize| numbers.contains(&column).then_some("n");
    html! {
        .scroll role="region" aria-label=(caption) tabindex="0" {
            table {
                caption { (caption) }
                thead {
                    tr { @for (at, name) in head.iter().enumerate() { th scope="col" class=[class(at)] { (visible(name)) } } }
                }
                tbody {
                    @for row in rows {
                        tr {
                            @for (at, cell) in row.iter().enumerate() {
                                @if at == 0 { th scope="row" class=[class(at)] { (cell) } } @else { td class=[class(at)] { (cell) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A number with a comma after every three digits.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap_or("")).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_text_is_neither_markup_nor_invisible() {
        let text = |text: &str| html! { p title=(visible(text)) { (visible(text)) } }.into_string();
        let escaped = "&lt;/script&gt;&lt;img onerror='x' a=&quot;&amp;&quot;&gt;";
        assert_eq!(
            text("</script><img onerror='x' a=\"&\">"),
            format!("<p title=\"{escaped}\">{escaped}</p>")
        );
        assert_eq!(prose("a\u{1b}`<b>`\u{202e}").into_string(), "a␛<code>&lt;b&gt;</code>⟨U+202E⟩");
    }

    #[test]
    fn the_nonce_depends_on_the_content() {
        let page = |main: &str| Page { main: html! { (main) }, scripted: true, ..Page::default() }.html();
        let nonce = |html: &str| html.split("script-src 'nonce-").nth(1).map(|rest| rest[..24].to_string());
        let (a, b) = (page("a"), page("b"));
        assert!(nonce(&a).is_some() && nonce(&a) != nonce(&b));
        assert!(a.contains(&format!("<script nonce=\"{}\">", nonce(&a).unwrap_or_default())));
        assert!(!Page::default().html().contains("script-src"), "a page without a script allows none");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
