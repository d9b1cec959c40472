//! What every page has: its frame, its style, and the one way in which foreign text gets into it.

use std::fmt::Write;

use crate::report::visible::visible;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// `text` as the content of an element or of a quoted attribute, [visible].
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// A page without its frame. Every part is HTML already.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The title, as text.
    pub title: String,
    /// Ways to other pages and to the parts of this one.
    pub nav: String,
    /// What stands above everything: the heading and what the page is about.
    pub header: String,
    /// The content.
    pub main: String,
    /// Whether the page has the script of filters and columns.
    pub scripted: bool,
}

impl Page {
    /// The whole page. It needs nothing but itself, and its policy lets nothing else in: what runs
    /// bears a name that is made from all that is shown, so that nothing that is shown can know it.
    pub fn html(&self) -> String {
        let Page { nav, header, main, .. } = self;
        let title = escaped(&self.title);
        let seal = &blake3::hash([header.as_str(), main].concat().as_bytes()).to_hex()[..24];
        let (script, script_source) = if self.scripted {
            (
                format!("<script nonce=\"{seal}\">\n{SCRIPT}</script>\n"),
                format!(" script-src 'nonce-{seal}';"),
            )
        } else {
            (String::new(), String::new())
        };
        format!(
            "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'nonce-{seal}';{script_source} base-uri 'none'; form-action 'none'\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"color-scheme\" content=\"light dark\">
<meta name=\"referrer\" content=\"no-referrer\">
<title>{title}</title>
<style nonce=\"{seal}\">
{STYLE}</style>
</head>
<body>
<a class=\"skip\" href=\"#main\">Skip to the content</a>
<nav aria-label=\"Pages and sections\">{nav}</nav>
<header>
{header}</header>
<main id=\"main\" tabindex=\"-1\">
{main}</main>
<footer>Written by recount {}. This page asks for nothing but itself.</footer>
{script}</body>
</html>
",
            env!("CARGO_PKG_VERSION")
        )
    }
}

/// A word for screen readers only.
pub fn hidden(word: &str) -> String {
    format!("<span class=\"vh\"> {}</span>", escaped(word))
}

/// A table in a container of its own, which scrolls where the page is narrow. `numbers` names the
/// columns of numbers; the first column heads its row. Cells are HTML.
pub fn table(caption: &str, head: &[&str], numbers: &[usize], rows: &[Vec<String>]) -> String {
    let class = |column: usize| if numbers.contains(&column) { " class=\"n\"" } else { "" };
    let caption = escaped(caption);
    let mut out = format!(
        "<div class=\"scroll\" role=\"region\" aria-label=\"{caption}\" tabindex=\"0\"><table>\n\
         <caption>{caption}</caption>\n<thead><tr>"
    );
    for (column, name) in head.iter().enumerate() {
        let _ = write!(out, "<th scope=\"col\"{}>{}</th>", class(column), escaped(name));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let (open, close) = if column == 0 { ("th scope=\"row\"", "th") } else { ("td", "td") };
            let _ = write!(out, "<{open}{}>{cell}</{close}>", class(column));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    out
}

/// A number with a comma every three digits.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_is_neither_markup_nor_invisible() {
        assert_eq!(escaped("</script><img onerror='x' a=\"&\">"), {
            "&lt;/script&gt;&lt;img onerror=&#39;x&#39; a=&quot;&amp;&quot;&gt;"
        });
        assert_eq!(escaped("a\tb\u{1b}[1m\0\u{7f}\u{202e}é"), "a\tb␛[1m␀␡⟨U+202E⟩é");
    }

    #[test]
    fn the_seal_of_what_runs_depends_on_what_is_shown() {
        let page = |main: &str| Page { main: main.into(), scripted: true, ..Page::default() }.html();
        let seal = |html: &str| html.split("script-src 'nonce-").nth(1).map(|rest| rest[..24].to_string());
        let (a, b) = (page("a"), page("b"));
        assert!(seal(&a).is_some() && seal(&a) != seal(&b));
        assert!(a.contains(&format!("<script nonce=\"{}\">", seal(&a).unwrap_or_default())));
        assert!(!Page::default().html().contains("script-src"), "no script, no right to run one");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
