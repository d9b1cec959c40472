//! The language check: prose in the repository and in recount's output must be plain technical English. The test
//! searches comments, messages, names of tests, settings, scripts, pages and help texts for words and phrases that
//! confused readers. Each entry names a replacement.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use regex::Regex;

/// A pattern to avoid (a space matches any white space, so that phrases are found across line ends), text that is
/// allowed although it matches the pattern at its beginning, and the replacement.
struct Rule {
    avoid: Regex,
    unless: Option<Regex>,
    instead: &'static str,
}

const RULES: &[(&str, &str, &str)] = &[
    ("behind", "", "after"),
    ("mend(?:s|ed|ing)?", "", "fix"),
    ("makers?", "", "the maintainers, upstream"),
    ("(?:stands?|stood|standing)", "stands? for|standing alone", "is, is in"),
    (
        "(?:tells?|told|telling|untold)",
        "tell .{1,40}(?:apart|from)",
        "says, reports; ground truth is unavailable",
    ),
    ("(?:means?|meant) (?:it )?so", "", "intended behaviour"),
    ("news", "", "is already known"),
    ("kept in(?:[,.;:)]| and | by )", "", "sandboxed"),
    ("survivors?", "", "all child processes are killed"),
    ("gone", "", "no longer reproduces, no longer exists"),
    ("(?:by|of) (?:itself|themselves|himself)", "", "separately, automatically"),
    ("beside", "", "next to, together with, compared with"),
    ("(?:nobody|somebody|anybody|whoever)", "", "users, an existing bug report, the process that"),
    ("what only", "", "attributes found only in"),
    ("another count than", "", "a wrong count (reported N, actual M)"),
    ("(?:hold|holds|holding|held) (?:[\\w'`]+ ){0,5}against", "", "compare with"),
    ("(?:believes?|believed|promises?|promised)", "", "reports, guarantees"),
    ("(?:go|goes|going|went) on", "going on", "continue"),
    ("off your desk", "", "not reported as bugs"),
    ("of its own accord", "", "automatically"),
    ("(?:recount \\w+|--out|--run|--against) night", "", "nightly, or a real path"),
    ("night/", "", "nightly/"),
    ("1 (?:variants|findings|programs|clusters|jobs|files|lines|tests|inputs)", "", "the singular"),
];

/// Passages that are allowed: the end of a path, text on the line, and the reason.
const ALLOWED: &[(&str, &str, &str)] = &[
    ("tests/language.rs", "", "the list itself"),
    ("src/inputs/render.rs", "behind", "a JSON key"),
    ("src/report/html/index.rs", "news", "a value in the addresses of pages"),
    ("tests/cli.rs", "0 of 1 jobs", "the total is not the number that the noun follows"),
    ("tests/html.rs", "new Promise", "JavaScript"),
    ("tests/inputs/goals.rs", "behind", "the name of a C function"),
    ("tests/reproduce.rs", "night/", "a folder of the test"),
];

/// Files and folders that are not checked: other people's text, recorded output, and pages that are rebuilt next.
const SKIPPED: &[&str] =
    &["tests/data", "reports/causes", "reports/runs", "configs/known.toml", "configs/known"];

fn rules() -> Vec<Rule> {
    RULES
        .iter()
        .map(|(avoid, unless, instead)| Rule {
            // Not inside an identifier, a path or a hyphenated word.
            avoid: Regex::new(&format!(r"(?i)(?:^|[^\w/.-])({})(?:$|[^\w-])", avoid.replace(' ', r"\s+")))
                .unwrap(),
            unless: (!unless.is_empty())
                .then(|| Regex::new(&format!(r"(?i)^(?:{})", unless.replace(' ', r"\s+"))).unwrap()),
            instead,
        })
        .collect()
}

/// Text that belongs together, and the line on which it begins.
struct Passage {
    line: usize,
    text: String,
    is_comment: bool,
}

/// The offending words of a text: line within the text, word, replacement.
fn offences(text: &str, rules: &[Rule]) -> Vec<(usize, String, &'static str)> {
    // Quoted code is not prose.
    static QUOTED: LazyLock<Regex> = LazyLock::new(|| Regex::new("`[^`\n]*`").unwrap());
    let prose = QUOTED.replace_all(text, "`");
    let mut found = Vec::new();
    for rule in rules {
        let mut from = 0;
        while let Some(hit) = rule.avoid.captures_at(&prose, from) {
            let word = hit.get(1).unwrap();
            from = word.end();
            if !rule.unless.as_ref().is_some_and(|fine| fine.is_match(&prose[word.start()..])) {
                let line = prose[..word.start()].matches('\n').count();
                found.push((
                    line,
                    word.as_str().split_whitespace().collect::<Vec<_>>().join(" "),
                    rule.instead,
                ));
            }
        }
    }
    found
}

/// Comments and string literals of Rust or C, and the names of Rust's test functions.
fn of_code(source: &str) -> Vec<Passage> {
    // Otherwise the quote begins a lifetime.
    static CHARACTER: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^'(?:\\(?:u\{[^}]*\}|x..|.)|[^\\'])'").unwrap());
    static TEST: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"#\[test\](?:\s|#\[[^\]]*\])*fn (\w+)").unwrap());
    let mut passages: Vec<Passage> = Vec::new();
    let bytes = source.as_bytes();
    let starts: Vec<usize> = source.match_indices('\n').map(|(at, _)| at).collect();
    let line_at = |at: usize| starts.partition_point(|&start| start < at) + 1;
    let mut at = 0;
    while at < bytes.len() {
        let rest = &source[at..];
        if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            let text = rest[..length].trim_start_matches(['/', '!']).to_owned();
            let line = line_at(at);
            match passages.last_mut() {
                Some(last) if last.is_comment && last.line + last.text.matches('\n').count() + 1 == line => {
                    last.text.push('\n');
                    last.text.push_str(&text);
                }
                _ => passages.push(Passage { line, text, is_comment: true }),
            }
            at += length;
        } else if rest.starts_with("/*") {
            let length = rest.find("*/").map_or(rest.len(), |end| end + 2);
            passages.push(Passage { line: line_at(at), text: rest[..length].to_owned(), is_comment: true });
            at += length;
        } else if let Some((prefix, hashes)) = raw_string(rest, at.checked_sub(1).map(|before| bytes[before]))
        {
            let end = format!("\"{}", "#".repeat(hashes));
            let length = rest[prefix..].find(&end).map_or(rest.len(), |length| prefix + length + end.len());
            passages.push(Passage {
                line: line_at(at),
                text: rest[prefix..length].to_owned(),
                is_comment: false,
            });
            at += length;
        } else if rest.starts_with('"') {
            let mut end = 1;
            while end < rest.len() && bytes[at + end] != b'"' {
                end += 1 + usize::from(bytes[at + end] == b'\\');
            }
            let text =
                rest[1..end.min(rest.len())].replace("\\\n", "\n").replace("\\n", " ").replace("\\\"", "\"");
            passages.push(Passage { line: line_at(at), text, is_comment: false });
            at += end + 1;
        } else if rest.starts_with('\'') {
            at += CHARACTER.find(rest).map_or(1, |found| found.len());
        } else {
            at += rest.chars().next().unwrap().len_utf8();
        }
    }
    for name in TEST.captures_iter(source) {
        let name = name.get(1).unwrap();
        passages.push(Passage {
            line: line_at(name.start()),
            text: name.as_str().replace('_', " "),
            is_comment: false,
        });
    }
    passages
}

/// The length of the opening of a raw string, and the number of its hashes.
fn raw_string(rest: &str, before: Option<u8>) -> Option<(usize, usize)> {
    if before.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_') && !rest.starts_with("br") {
        return None;
    }
    let after = rest.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    after[hashes..].starts_with('"').then_some((hashes + 2, hashes))
}

/// Blocks of comment lines, and every other line separately.
fn of_lines(source: &str) -> Vec<Passage> {
    let mut passages: Vec<Passage> = Vec::new();
    let mut in_comment = false;
    for (number, line) in source.lines().enumerate() {
        let comment = line.trim_start().strip_prefix('#');
        match (comment, passages.last_mut()) {
            (Some(text), Some(last)) if in_comment => {
                last.text.push('\n');
                last.text.push_str(text);
            }
            (text, _) => passages.push(Passage {
                line: number + 1,
                text: text.unwrap_or(line).to_owned(),
                is_comment: false,
            }),
        }
        in_comment = comment.is_some();
    }
    passages
}

fn passages(path: &Path) -> Vec<Passage> {
    let source = std::fs::read(path).unwrap();
    let source = String::from_utf8_lossy(&source);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("rs") => of_code(&source),
        // The strings of a program under test are data.
        Some("c" | "h") => of_code(&source).into_iter().filter(|passage| passage.is_comment).collect(),
        // Recorded output of earlier versions stays as it was.
        Some("md") if path.parent().is_some_and(|folder| folder.ends_with("reports")) => {
            let mut is_output = false;
            let prose = |line: &str| {
                is_output ^= line.starts_with("```");
                if is_output { "\n".to_owned() } else { format!("{line}\n") }
            };
            vec![Passage { line: 1, text: source.lines().map(prose).collect(), is_comment: false }]
        }
        Some("md" | "snap" | "html" | "css") => {
            vec![Passage { line: 1, text: source.into_owned(), is_comment: false }]
        }
        _ => of_lines(&source),
    }
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    if SKIPPED.iter().any(|skipped| folder.ends_with(skipped)) {
        return;
    }
    if folder.is_dir() {
        let mut entries: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for entry in entries {
            walk(&entry, files);
        }
    } else if folder.exists() {
        files.push(folder.to_owned());
    }
}

fn help_texts() -> Vec<(String, Passage)> {
    let help = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_recount")).args(arguments).output().unwrap();
        assert!(output.status.success(), "recount {arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let top = help(&["--help"]);
    let commands: Vec<String> = Regex::new(r"(?m)^  ([a-z]+) ")
        .unwrap()
        .captures_iter(&top)
        .map(|found| found[1].to_owned())
        .collect();
    assert!(commands.iter().any(|command| command == "run"), "{top}");
    let mut texts = vec![("recount --help".to_owned(), Passage { line: 1, text: top, is_comment: false })];
    for command in commands.iter().filter(|command| *command != "help") {
        texts.push((
            format!("recount {command} --help"),
            Passage { line: 1, text: help(&[command, "--help"]), is_comment: false },
        ));
    }
    texts
}

#[test]
fn prose_uses_plain_english() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for place in [
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "Cargo.toml",
        "docs",
        "src",
        "tests",
        "configs",
        "scripts",
        ".ci",
        "reports",
        "corpus",
    ] {
        walk(&root.join(place), &mut files);
    }
    assert!(files.len() > 300, "only {} files", files.len());
    let rules = rules();
    let mut unused: Vec<bool> = vec![true; ALLOWED.len()];
    let mut report = String::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut check = |place: &str, passage: &Passage| {
        for (line, word, instead) in offences(&passage.text, &rules) {
            let context = passage.text.lines().nth(line).unwrap_or_default().trim();
            let allowed =
                ALLOWED.iter().position(|(path, text, _)| place.ends_with(path) && context.contains(text));
            if let Some(entry) = allowed {
                unused[entry] = false;
                continue;
            }
            let folder: Vec<&str> = place.split('/').collect();
            *counts.entry(folder[..folder.len().saturating_sub(1).min(2)].join("/")).or_default() += 1;
            writeln!(report, "{place}:{}: \"{word}\" (write: {instead}): {context}", passage.line + line)
                .unwrap();
        }
    };
    for file in &files {
        let place = file.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        for passage in passages(file) {
            check(&place, &passage);
        }
    }
    for (place, passage) in help_texts() {
        check(&place, &passage);
    }
    let stale: Vec<_> =
        ALLOWED.iter().zip(&unused).filter(|(_, unused)| **unused).map(|(entry, _)| entry).collect();
    let table: String = counts.iter().map(|(folder, count)| format!("{count:6} {folder}\n")).collect();
    assert!(
        report.is_empty(),
        "{report}\n{table}Write what it means in plain English, or extend ALLOWED with a reason."
    );
    assert!(stale.is_empty(), "nothing needs these entries of ALLOWED any more: {stale:?}");
}

#[test]
fn the_check_finds_bad_sentences_and_passes_good_ones() {
    let rules = rules();
    for (bad, word) in [
        ("the label behind a jump", "behind"),
        ("Since that was mended in clang 19", "mended"),
        ("which its makers ask for", "makers"),
        ("a program stands\nbehind a script", "stands"),
        ("Nothing is told", "told"),
        ("the profiler means it so", "means it so"),
        ("a known cluster is no news", "news"),
        ("Programs are kept in, with limits", "kept in,"),
        ("no survivors", "survivors"),
        ("what is gone exits 5", "gone"),
        ("each by\nitself", "by itself"),
        ("a `toml` beside `x.c`", "beside"),
        ("nobody need look", "nobody"),
        ("what only gcov has", "what only"),
        ("it is held against the counters", "held against"),
        ("recount report night --format html", "recount report night"),
        ("found 1 variants", "1 variants"),
    ] {
        let found = offences(bad, &rules);
        assert!(found.iter().any(|(_, found, _)| found == word), "{bad:?}: {found:?}");
    }
    for good in [
        "The rule `label behind jump` applies.",
        "gcov-label-behind-jump is a folder",
        "reports/causes/dead-behind-jump",
        "cc1 stands for the compiler proper",
        "The standard and an understandable sentence",
        "Profiles are kept in memory",
        "51 findings, 2,001 programs, 1 finding",
        "The amended report, besides others",
    ] {
        let found = offences(good, &rules);
        assert!(found.is_empty(), "{good:?}: {found:?}");
    }
}

#[test]
fn prose_is_found_in_comments_strings_and_test_names() {
    let source = "/// one\n/// two\nfn f<'a>() { g('\"', \"three\", r#\"four\"#); } // five\n#[test]\nfn six_seven() {}\n";
    let found: Vec<(usize, String)> =
        of_code(source).into_iter().map(|passage| (passage.line, passage.text)).collect();
    let expected = [(1, " one\n two"), (3, "three"), (3, "four\"#"), (3, " five"), (5, "six seven")];
    assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));
    let found: Vec<usize> =
        of_lines("# one\n# two\necho three\n").iter().map(|passage| passage.line).collect();
    assert_eq!(found, [1, 3]);
}
