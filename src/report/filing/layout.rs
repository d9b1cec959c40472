//! The layouts: plain text for Bugzilla, and Markdown for GitHub and other readers.
//!
//! Text from a program, a path or a tool is in fences that its content cannot close, or it is escaped. Control
//! characters, and those that change the direction of writing, are made visible.

use std::fmt::Write;

use super::body::parts;
use super::content::{Filing, Part};
use super::words;
use crate::model::{Family, Finding};

/// The destination of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracker {
    /// GCC's Bugzilla: plain text after a few fields.
    Bugzilla,
    /// LLVM's issues on GitHub: Markdown after a title and labels.
    GitHub,
    Markdown,
}

impl Tracker {
    /// Why a report on `family` does not belong in this tracker.
    pub fn refusal(self, family: Family) -> Option<&'static str> {
        match (self, family) {
            (Tracker::Bugzilla, Family::LlvmCov) => {
                Some("llvm-cov's bugs are reported on GitHub; use `--format github` or `--format markdown`")
            }
            (Tracker::GitHub, Family::Gcov) => {
                Some("gcov's bugs are reported in Bugzilla; use `--format bugzilla` or `--format markdown`")
            }
            _ => None,
        }
    }
}

pub fn filing(filing: &Filing<'_>, tracker: Tracker) -> String {
    let title = title(filing);
    match tracker {
        Tracker::Bugzilla => bugzilla(filing, &title),
        Tracker::GitHub => format!("Title: {title}\nLabels: coverage, tools:llvm-cov\n{}", sections(filing)),
        Tracker::Markdown => format!("# {title}\n{}", sections(filing)),
    }
}

fn bugzilla(filing: &Filing<'_>, title: &str) -> String {
    let number = visible(&number(&filing.bundle.finding));
    // Bugzilla lists a version in development without its last number.
    let version = number.strip_suffix(".0.0").map_or(number.clone(), |major| format!("{major}.0"));
    let mut out = format!("Product: gcc\nComponent: gcov-profile\nVersion: {version}\nTitle: {title}\n");
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

fn title(filing: &Filing<'_>) -> String {
    let finding = &filing.bundle.finding;
    let tool = match finding.profiler {
        Family::Gcov => "GCOV",
        Family::LlvmCov => "Coverage",
    };
    format!("[{tool}] {}", words::title(filing.bundle))
}

/// The number in a compiler's full version, as in `12.2.0`.
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
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}", text.trim_end())
}

/// `text` escaped for Markdown; the parts in backticks stay code.
fn escaped(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // Unpaired backticks, and pairs with nothing between them, are ordinary characters.
    if parts.len().is_multiple_of(2) || parts.iter().skip(1).step_by(2).any(|code| code.trim().is_empty()) {
        return plain(text);
    }
    let part = |(index, part): (usize, &&str)| if index % 2 == 0 { plain(part) } else { format!("`{part}`") };
    parts.iter().enumerate().map(part).collect()
}

/// `text` with every character that Markdown interprets escaped. Addresses stay links.
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

/// `text` with visible control characters and Unix line ends.
fn visible(text: &str) -> String {
    super::super::visible::visible(&text.replace("\r\n", "\n")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_cannot_close_a_fence() {
        assert_eq!(fenced("a\n"), "```text\na\n```");
        assert_eq!(fenced("/* ```` */ `"), "`````text\n/* ```` */ `\n`````");
    }

    #[test]
    fn markdown_shows_a_sentence_unchanged() {
        assert_eq!(
            escaped("a <b> *c* __d @e #1"),
            "a &lt;b&gt; \\*c\\* \\_\\_d &#64;<!-- -->e &#35;<!-- -->1"
        );
        assert_eq!(escaped("when `a_b<c>` goes, *x*"), "when `a_b<c>` goes, \\*x\\*");
        assert_eq!(escaped("`a` b` @c"), "\\`a\\` b\\` &#64;<!-- -->c");
        let address = "see https://gcc.gnu.org/bugzilla/show_bug.cgi?id=1";
        assert_eq!(escaped(address), address);
    }
}
