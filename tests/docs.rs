//! The documentation as a test: every `recount` command in README.md and docs/ runs in a folder with the files that the
//! pages show, and exits with the documented code. Also, the README is short, and the targets of links exist.

mod support;

use std::process::{Command, Stdio};

use camino::{Utf8Path, Utf8PathBuf};
use regex::Regex;
use support::Temp;

/// The maximum number of words in the README.
const LONGEST_README: usize = 900;

/// How a command is changed before it runs. The first entry whose text is in the command applies.
enum Instead {
    /// Parse the command line only, with `--help` at its end.
    Parse,
    /// Put this text in place of the other.
    Write(&'static str),
}

use Instead::{Parse, Write};

/// The text in a command, the change, and the reason.
const SUBSTITUTIONS: &[(&str, Instead, &str)] = &[
    ("import gcc", Parse, "needs a download; tests/import.rs imports"),
    ("import clang", Parse, "needs a download; tests/import.rs imports"),
    ("reduce audit/", Parse, "tests/audit.rs makes a program of a wrong line"),
    ("audit --build 'make'", Parse, "needs a project; tests/audit.rs has some"),
    (
        "'cmake -B build && cmake --build build' -- ctest --test-dir build",
        Write("'$CC main.c total.c -o audited' -- ./audited"),
        "CMake is not installed everywhere",
    ),
    ("import build", Parse, "needs a package; tests/import.rs imports one"),
    ("recount run imported/gcc", Parse, "nothing was imported"),
    ("recount run csmith:", Parse, "Csmith is not installed everywhere"),
    ("seq 8 | parallel -j 2 ", Parse, "GNU parallel is not installed everywhere"),
    (
        "merge parts/1 parts/2",
        Write("merge shards/1 shards/2"),
        "the shards that GNU parallel would have made",
    ),
    ("reduce leap.c --line", Parse, "one reduction is enough here; tests/reduce.rs has more"),
    (
        "CLUSTER --format bugzilla",
        Write("c958ae1ab --format bugzilla --force"),
        "the cluster of the example is known",
    ),
    ("reduce nightly/examples/CLUSTER", Parse, "docs/reporting.md reduces this cluster"),
    ("CLUSTER", Write("c958ae1ab"), "the cluster that the example has"),
    ("--profiler all", Write("--profiler gcov --profiler llvm-cov"), "there may be many versions"),
    ("recount run programs", Write("recount run one"), "a single program is enough to try an option"),
];

/// The beginnings of commands that do not call recount. Scripts have to exist.
const NOT_RUN: &[&str] = &["scripts/", "apt-get install .", "cargo install --locked --path ."];

struct Page {
    path: Utf8PathBuf,
    text: String,
}

/// A fenced block: its language, the name of the file that it shows, its lines.
struct Block<'a> {
    language: &'a str,
    file: Option<String>,
    lines: Vec<&'a str>,
}

fn root() -> &'static Utf8Path {
    Utf8Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// README.md, then the pages in the order of the index.
fn pages() -> Vec<Page> {
    let page = |path: Utf8PathBuf| Page { text: fs_err::read_to_string(root().join(&path)).unwrap(), path };
    let index = page("docs/README.md".into());
    let listed: Vec<Utf8PathBuf> = Regex::new(r"(?m)^\| \[([a-z-]+\.md)\]")
        .unwrap()
        .captures_iter(&index.text)
        .map(|found| Utf8Path::new("docs").join(&found[1]))
        .collect();
    let mut there: Vec<Utf8PathBuf> = root()
        .join("docs")
        .read_dir_utf8()
        .unwrap()
        .map(|entry| Utf8Path::new("docs").join(entry.unwrap().file_name()))
        .filter(|path| *path != index.path)
        .collect();
    there.sort();
    let mut sorted = listed.clone();
    sorted.sort();
    assert_eq!(sorted, there, "docs/README.md lists every page once");
    [page("README.md".into()), index].into_iter().chain(listed.into_iter().map(page)).collect()
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let named = Regex::new(r"`([\w/-]+\.(?:c|h|toml|txt))`:$").unwrap();
    let mut blocks = Vec::new();
    let mut before = "";
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let file = named.captures(std::mem::take(&mut before)).map(|found| found[1].to_owned());
            blocks.push(Block {
                language,
                file,
                lines: lines.by_ref().take_while(|line| *line != "```").collect(),
            });
        } else if !line.is_empty() {
            before = line;
        }
    }
    blocks
}

/// The command and the documented exit code of a line of a shell block.
fn command(line: &str) -> (String, Option<i32>) {
    let (command, comment) = line.split_once(" # ").unwrap_or((line, ""));
    let code =
        Regex::new(r"exit code (\d+)").unwrap().captures(comment).map(|found| found[1].parse().unwrap());
    (command.trim().to_owned(), code)
}

/// The command as it is run here, whether it is only parsed, and the entries of the table that were used.
fn substituted(command: &str) -> (String, Option<usize>) {
    let Some(entry) = SUBSTITUTIONS.iter().position(|(text, ..)| command.contains(text)) else {
        return (command.to_owned(), None);
    };
    let (text, instead, _) = &SUBSTITUTIONS[entry];
    let replaced = match instead {
        Write(other) => command.replace(text, other),
        Parse => {
            let command = command[command.find("recount ").unwrap()..].replace("{}", "1");
            match command.split_once(" -- ") {
                Some((ours, theirs)) => format!("{ours} --help -- {theirs}"),
                None => format!("{command} --help"),
            }
        }
    };
    (replaced, Some(entry))
}

fn shell(folder: &Utf8Path, command: &str) -> (Option<i32>, String) {
    let binaries = Utf8Path::new(support::BINARY).parent().unwrap();
    let path = format!("{binaries}:{}", std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", path)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let both = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&both).into_owned())
}

const SEARCH: &str = "\
#include <stdio.h>

static int find(const int *table, int length, int key)
{
    for (int i = 0; i < length; i++)
        if (table[i] == key)
            return i;
    return -1;
}

int main(void)
{
    int table[] = {2, 3, 5, 7};
    printf(\"%d\\n\", find(table, 4, 5));
    return 0;
}
";

#[test]
#[ignore = "long"]
fn every_command_of_the_documentation_runs() {
    let temp = Temp::new();
    let (code, profilers) = shell(temp.root(), "recount profilers");
    if code != Some(0) || !profilers.contains("gcov  ") || !profilers.contains("llvm-cov  ") {
        return support::skip("needs gcov and llvm-cov");
    }
    let pages = pages();
    for block in pages.iter().flat_map(|page| blocks(&page.text)) {
        if let Some(file) = block.file {
            temp.write(&file, block.lines.join("\n") + "\n");
        }
    }
    let leap = fs_err::read(temp.at("leap.c")).expect("README.md shows it");
    temp.write("programs/leap.c", &leap);
    temp.write("programs/search.c", SEARCH);
    temp.write("one/search.c", SEARCH);

    let mut used = vec![false; SUBSTITUTIONS.len()];
    let mut run = 0;
    let mut failures = Vec::new();
    for page in &pages {
        for line in
            blocks(&page.text).iter().filter(|block| block.language == "sh").flat_map(|block| &block.lines)
        {
            let (typed, documented) = command(line);
            if !typed.contains("recount ") || typed.starts_with("scripts/") {
                assert!(
                    NOT_RUN.iter().any(|start| typed.starts_with(start)),
                    "{}: unknown command {typed}",
                    page.path
                );
                if typed.starts_with("scripts/") {
                    let script = root().join(typed.split(' ').next().unwrap());
                    assert!(script.is_file(), "{}: there is no {script}", page.path);
                }
                continue;
            }
            let (actual, entry) = substituted(&typed);
            if let Some(entry) = entry {
                used[entry] = true;
            }
            let start = std::time::Instant::now();
            let (code, output) = shell(temp.root(), &actual);
            run += 1;
            let fine = match documented {
                Some(documented) => code == Some(documented),
                None => matches!(code, Some(0 | 1)),
            };
            eprintln!("{:6.1} s  {}: {actual}", start.elapsed().as_secs_f64(), page.path);
            if !fine {
                failures.push(format!("{}: `{actual}` exits with {code:?}:\n{output}", page.path));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(run > 50, "only {run} commands were found");
    let unused: Vec<_> =
        SUBSTITUTIONS.iter().zip(used).filter(|(_, used)| !used).map(|(entry, _)| entry.0).collect();
    assert!(unused.is_empty(), "no command has {unused:?} any more");
}

#[test]
fn the_readme_is_short() {
    let words = fs_err::read_to_string(root().join("README.md")).unwrap().split_whitespace().count();
    assert!(words <= LONGEST_README, "README.md has {words} words; at most {LONGEST_README}");
}

#[test]
fn links_lead_to_files() {
    let link = Regex::new(r"\]\(([^)\s#]+)[^)]*\)").unwrap();
    for page in pages() {
        let folder = root().join(page.path.parent().unwrap());
        for found in link.captures_iter(&page.text) {
            let target = &found[1];
            assert!(
                target.contains("://") || folder.join(target).exists(),
                "{}: {target} does not exist",
                page.path
            );
        }
    }
}

#[test]
fn commands_and_files_are_read_from_pages() {
    let page = "As `a.c`:\n\n```c\nint x;\n```\n\n```sh\nrecount check a.c   # exit code 5\nrecount run -- make\n```\n";
    let found = blocks(page);
    assert_eq!(
        (found[0].language, found[0].file.as_deref(), &found[0].lines[..]),
        ("c", Some("a.c"), &["int x;"][..])
    );
    assert_eq!(command(found[1].lines[0]), ("recount check a.c".to_owned(), Some(5)));
    assert_eq!(command(found[1].lines[1]), ("recount run -- make".to_owned(), None));
    assert_eq!(
        substituted("recount import build --out x -- make").0,
        "recount import build --out x --help -- make"
    );
}
