//! The layouts: plain text for Bugzilla, Markdown for GitHub and for anybody.
//!
//! What comes from a program, a path or a tool stands in fences that nothing in it can close, or is
//! escaped; control characters, and those that turn the direction of writing, are made visible.

use std::fmt::Write;

use super::body::{Part, parts};
use super::{Filing, words};
use crate::model::{Family, Finding};

/// GCC's Bugzilla.
pub fn bugzilla(filing: &Filing<'_>) -> String {
    let finding = &filing.bundle.finding;
    let mut out = format!(
        "Product: gcc\nComponent: gcov-profile\nVersion: {}\nTitle: {}\n",
        visible(&number(finding)),
        title(filing)
    );
    for part in parts(filing, "#") {
        match part {
            Part::Heading(_) => {}
            Part::Text(text) | Part::Block(text) | Part::Folded(_, text) => {
                out.push_str(&paragraph(&visible(&text)));
            }
        }
    }
    out
}

/// LLVM's issues.
pub fn github(filing: &Filing<'_>) -> String {
    format!("Title: {}\nLabels: coverage, tools:llvm-cov\n{}", title(filing), sections(filing))
}

/// Markdown with the title as a heading.
pub fn markdown(filing: &Filing<'_>) -> String {
    format!("# {}\n{}", title(filing), sections(filing))
}

fn title(filing: &Filing<'_>) -> String {
    let finding = &filing.bundle.finding;
    let tool = match finding.profiler {
        Family::Gcov => "GCOV",
        Family::LlvmCov => "Coverage",
    };
    format!("[{tool}] {}", words::title(finding, &filing.bundle.program))
}

/// `12.2.0` of a compiler's full version.
fn number(finding: &Finding) -> String {
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
    finding.version.split_whitespace().rev().find(is_number).unwrap_or(&finding.compiler).to_string()
}

fn paragraph(text: &str) -> String {
    format!("\n{}\n", text.trim_end())
}

fn sections(filing: &Filing<'_>) -> String {
    let mut out = String::new();
    for part in parts(filing, "") {
        match part {
            Part::Heading(text) => out.push_str(&paragraph(&format!("## {text}"))),
            Part::Text(text) => out.push_str(&paragraph(&escaped(&visible(&text)))),
            Part::Block(text) => out.push_str(&paragraph(&fenced(&visible(&text)))),
            Part::Folded(summary, text) => {
                let inner = fenced(&visible(&text));
                let _ = write!(out, "\n<details><summary>{summary}</summary>\n\n{inner}\n\n</details>\n");
            }
        }
    }
    out
}

/// `text` between fences longer than any run of backticks in it.
fn fenced(text: &str) -> String {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}", text.trim_end())
}

/// `text` so that Markdown shows it as it is, and what it quotes in backticks as code.
fn escaped(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // Without a partner for each, or with nothing between two, they are only characters.
    if parts.len().is_multiple_of(2) || parts.iter().skip(1).step_by(2).any(|code| code.trim().is_empty()) {
        return plain(text);
    }
    let part = |(index, part): (usize, &&str)| if index % 2 == 0 { plain(part) } else { format!("`{part}`") };
    parts.iter().enumerate().map(part).collect()
}

/// `text` without any meaning to Markdown. Addresses stay addresses.
fn plain(text: &str) -> String {
    let word = |word: &str| {
        if word.starts_with("https://") && !word.contains(['<', '>', '"', '`']) {
            return word.to_string();
        }
        let mut out = String::new();
        for c in word.chars() {
            match c {
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '&' => out.push_str("&amp;"),
                // Neither a mention nor a link to an issue.
                '@' => out.push_str("&#64;<!-- -->"),
                '#' => out.push_str("&#35;<!-- -->"),
                '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' => {
                    out.push('\\');
                    out.push(c);
                }
                c => out.push(c),
            }
        }
        out
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// `text` with nothing that a terminal or a page obeys but line feeds and tabs.
fn visible(text: &str) -> String {
    let mut out = String::new();
    for c in text.replace("\r\n", "\n").chars() {
        match c {
            '\n' | '\t' => out.push(c),
            '\x7f' => out.push_str("^?"),
            '\0'..'\x20' => {
                out.push('^');
                out.push(char::from(c as u8 + b'@'));
            }
            c if c.is_control()
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}') =>
            {
                let _ = write!(out, "<U+{:04X}>", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_closes_a_fence_but_its_own_end() {
        assert_eq!(fenced("a\n"), "```text\na\n```");
        assert_eq!(fenced("/* ```` */ `"), "`````text\n/* ```` */ `\n`````");
    }

    #[test]
    fn markdown_shows_a_sentence_as_it_is() {
        assert_eq!(
            escaped("a <b> *c* __d @e #1"),
            "a &lt;b&gt; \\*c\\* \\_\\_d &#64;<!-- -->e &#35;<!-- -->1"
        );
        assert_eq!(escaped("when `a_b<c>` goes, *x*"), "when `a_b<c>` goes, \\*x\\*");
        assert_eq!(escaped("`a` b` @c"), "\\`a\\` b\\` &#64;<!-- -->c");
        let address = "see https://gcc.gnu.org/bugzilla/show_bug.cgi?id=1";
        assert_eq!(escaped(address), address);
    }

    #[test]
    fn what_a_terminal_obeys_is_made_visible() {
        assert_eq!(visible("a\r\nb\x1b[2J\x7f\u{9b}\u{202e}\tc\r"), "a\nb^[[2J^?<U+009B><U+202E>\tc^M");
    }
}
