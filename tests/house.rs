//! Rules for the source tree: which modules and files may use which others, which may start processes, and how long a
//! file may be. Each check is a function of the text, and is tested here on an example that breaks its rule.

#[path = "house/cycles.rs"]
mod cycles;

use camino::{Utf8Path, Utf8PathBuf};
use cycles::{Module, cycles};
use regex::Regex;

/// The maximum number of lines of a file under `src`.
const LONGEST: usize = 450;

/// A file under `src`: its path from there, its text, and the text without comments and literals.
struct File {
    path: Utf8PathBuf,
    text: String,
    code: String,
}

impl File {
    fn new(path: &str, text: &str) -> File {
        File { path: path.into(), code: code_only(text), text: text.to_string() }
    }

    /// `cli` for `cli/run.rs` and `cli/mod.rs`, `console` for `console.rs`; none for the root.
    fn room(&self) -> Option<&str> {
        let first = self.path.components().next()?.as_str();
        let name = first.strip_suffix(".rs").unwrap_or(first);
        (!["lib", "main"].contains(&name)).then_some(name)
    }

    fn at(&self, offset: usize, what: &str) -> String {
        let line = 1 + self.text[..offset].matches('\n').count();
        format!("src/{}:{line}: {what}", self.path)
    }

    /// The places where `pattern` matches the code, unless the file or its top-level module is in `allowed`.
    fn complaints(&self, pattern: &str, allowed: &[&str], what: &str) -> Vec<String> {
        let is = |name: &&str| self.path == *name || self.room() == Some(name);
        if allowed.iter().any(is) {
            return Vec::new();
        }
        let pattern = Regex::new(pattern).unwrap();
        pattern.find_iter(&self.code).map(|found| self.at(found.start(), what)).collect()
    }
}

/// `text` with comments, strings and characters blanked; offsets and lines stay.
fn code_only(text: &str) -> String {
    let literal = Regex::new(concat!(
        r"(?s)//[^\n]*|/\*.*?\*/",
        r##"|b?r"[^"]*"|b?r#".*?"#|b?"(?:\\.|[^"\\])*""##,
        r"|b?'(?:\\(?:x..|u\{[^}]*\}|.)|[^'\\\n])'",
    ));
    let mut code = text.as_bytes().to_vec();
    for found in literal.unwrap().find_iter(text) {
        code[found.range()].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    String::from_utf8(code).expect("whole literals are blanked")
}

/// The top-level modules in the order in which `lib.rs` declares them.
fn rooms(lib: &str) -> Vec<String> {
    let declared = Regex::new(r"(?m)^pub mod (\w+);").unwrap();
    declared.captures_iter(&code_only(lib)).map(|found| found[1].to_string()).collect()
}

/// The names after `crate::`, as in `crate::a::b` and `crate::{a, b::{c, d}}`.
fn named(code: &str) -> Vec<(usize, String)> {
    let mut names = Vec::new();
    for found in Regex::new(r"\bcrate::\s*(\{|\w+)").unwrap().captures_iter(code) {
        let head = found.get(1).unwrap();
        if head.as_str() == "{" {
            names.extend(heads(code, head.end()));
        } else {
            names.push((head.start(), head.as_str().to_string()));
        }
    }
    names
}

/// The first name of each item of the list that begins at `start`, after its `{`.
fn heads(code: &str, start: usize) -> Vec<(usize, String)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = Vec::new();
    let (mut depth, mut expected) = (1, true);
    for (offset, c) in code[start..].char_indices().map(|(n, c)| (start + n, c)) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => expected = true,
            c if is_word(c) && expected => {
                let rest = &code[offset..];
                names.push((offset, rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())].to_string()));
                expected = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names
}

/// The places where `file` names a top-level module that is declared after its own.
fn lower_rooms(file: &File, rooms: &[String]) -> Vec<String> {
    let rank = |name: &str| rooms.iter().position(|room| room == name);
    let Some(own) = file.room() else { return Vec::new() };
    let Some(limit) = rank(own) else {
        return vec![file.at(0, "a top-level module that lib.rs does not declare")];
    };
    let below = named(&file.code).into_iter().filter(|(_, name)| rank(name).is_some_and(|rank| rank > limit));
    below.map(|(at, name)| file.at(at, &format!("{own} names {name}, which is below it"))).collect()
}

fn sources() -> Vec<File> {
    let root = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir_utf8().unwrap() {
            let path = entry.unwrap().path().to_path_buf();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension() == Some("rs") {
                let text = fs_err::read_to_string(&path).unwrap();
                files.push(File::new(path.strip_prefix(&root).unwrap().as_str(), &text));
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(files.len() > 20, "the walk found only {} files", files.len());
    files
}

fn lib() -> String {
    fs_err::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/lib.rs")).unwrap()
}

/// Fails if a file of `src` breaks the rule.
#[track_caller]
fn check_all(rule: impl Fn(&File) -> Vec<String>) {
    let complaints: Vec<String> = sources().iter().flat_map(rule).collect();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// `code` without the items that are compiled for tests only.
fn without_tests(code: &str) -> String {
    let mut code = code.to_string();
    while let Some(start) = code.find("#[cfg(test)]") {
        let mut depth = 0;
        let end = code[start..].char_indices().find_map(|(at, c)| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            ((c == '}' || c == ';') && depth == 0).then_some(start + at + 1)
        });
        code.replace_range(start..end.unwrap_or(code.len()), "");
    }
    code
}

const SPAWN: &str = r"\bprocess::(Command\b|\*|\{[^}]*\bCommand\b)|\bCommand::new\b|\.spawn\(\)|\blibc::";

#[test]
fn no_room_names_one_below_it() {
    let rooms = rooms(&lib());
    check_all(|file| lower_rooms(file, &rooms));
}

#[test]
fn no_files_use_each_other() {
    let files = sources();
    let modules: Vec<Module<'_>> = files
        .iter()
        .filter(|file| file.path != "main.rs")
        .map(|file| Module { path: file.path.as_str(), code: without_tests(&file.code) })
        .collect();
    let found = cycles(&modules);
    assert!(found.is_empty(), "files that use each other:\n{found:#?}");
}

#[test]
fn a_cycle_of_files_is_found_through_re_exports_and_not_in_tests() {
    let found = |files: &[(&str, &str)]| {
        let modules: Vec<Module<'_>> =
            files.iter().map(|(path, text)| Module { path, code: without_tests(&code_only(text)) }).collect();
        cycles(&modules)
    };
    let lib = ("lib.rs", "pub mod a;\npub mod b;");
    let room = ("a/mod.rs", "mod x;\nmod y;\npub use x::X;\npub(crate) use y::{Y, z as zed};");
    let x = ("a/x.rs", "use super::{Y, y};\nstruct X;");
    assert_eq!(found(&[lib, room, x, ("a/y.rs", "struct Y;\nfn z() {}")]), Vec::<Vec<String>>::new());
    let both = vec![vec!["a/x.rs".to_string(), "a/y.rs".to_string()]];
    for text in
        ["use super::X;", "fn z() -> crate::a::X {}", "use crate::{a::{X as Other}, b};", "use super::x::*;"]
    {
        assert_eq!(found(&[lib, room, x, ("a/y.rs", text)]), both, "{text}");
    }
    for text in
        ["#[cfg(test)]\nmod tests { use crate::a::X; }", "// use super::X;", "#[cfg(test)]\nuse super::X;"]
    {
        assert_eq!(found(&[lib, room, x, ("a/y.rs", text)]), Vec::<Vec<String>>::new(), "{text}");
    }
    // An item of the parent's own file, which uses the child.
    let parent = ("a/mod.rs", "mod x;\npub use x::X;\nstruct Z;\nfn f() -> X {}");
    let child = ("a/x.rs", "use super::Z;\nstruct X;");
    assert_eq!(found(&[lib, parent, child]), [["a/mod.rs", "a/x.rs"].map(String::from)]);
    let inline = ("a/mod.rs", "mod x;\nstruct Z;\nfn f() { x::g() }");
    assert_eq!(found(&[lib, inline, child]), [["a/mod.rs", "a/x.rs"].map(String::from)]);
}

#[test]
fn the_crate_documentation_lists_the_rooms_in_order() {
    let row = Regex::new(r"(?m)^//! \| \[`(?:mod@)?(\w+)`\]").unwrap();
    let lib = lib();
    let listed: Vec<&str> = row.captures_iter(&lib).map(|found| found.get(1).unwrap().as_str()).collect();
    assert_eq!(listed, rooms(&lib));
    assert!(listed.len() > 10, "{listed:?}");
}

#[test]
fn every_file_opens_with_its_purpose() {
    check_all(|file| {
        let says = file.text.starts_with("//! ");
        if says { vec![] } else { vec![file.at(0, "does not open with `//! `")] }
    });
}

#[test]
fn only_sys_spawns() {
    check_all(|file| file.complaints(SPAWN, &["sys"], "starts a process"));
}

#[test]
fn only_syntax_parses_and_only_console_draws() {
    check_all(|file| file.complaints(r"\btree_sitter", &["syntax"], "names tree_sitter"));
    check_all(|file| file.complaints(r"\bindicatif\b", &["console"], "names indicatif"));
}

#[test]
fn nothing_is_unsafe() {
    // The evaluating process calls foreign code, and the parser is given its allocator; the lint wants a
    // reason where it is allowed.
    check_all(|file| {
        file.complaints(r"\bunsafe\b", &["inputs/evaluate/library.rs", "syntax/memory.rs"], "is unsafe")
    });
}

#[test]
fn no_file_is_too_long() {
    check_all(|file| {
        let lines = file.text.lines().count();
        if lines <= LONGEST { vec![] } else { vec![file.at(0, &format!("{lines} lines"))] }
    });
}

#[test]
fn a_use_of_a_lower_room_is_found_in_code_only() {
    let rooms: Vec<String> = ["model", "sys", "cli"].map(String::from).into();
    let text = r#"//! Names crate::cli here.
use crate::model::X;
fn a() -> char { let _ = "crate::cli"; /* */ '"' } // crate::cli
fn b<'a>(x: &'a str) { crate::cli::main(x) }
use crate::{
    model::{cli, X}, cli::Cli,
};
"#;
    let found = lower_rooms(&File::new("sys/x.rs", text), &rooms);
    let complaint = |line: u32| format!("src/sys/x.rs:{line}: sys names cli, which is below it");
    assert_eq!(found, [complaint(4), complaint(6)]);
    assert_eq!(lower_rooms(&File::new("cli/x.rs", text), &rooms), [""; 0]);
    assert_eq!(lower_rooms(&File::new("attic.rs", ""), &rooms).len(), 1);
}

#[test]
fn a_started_process_is_found_in_any_notation() {
    let cases = [
        ("use std::process::Command;", 1),
        ("use std::process::{Child, Command};", 1),
        ("use std::process::*;", 1),
        ("Command::new(x).spawn()", 2),
        ("use std::process::ExitCode; use crate::sys::Command;", 0),
        ("let command = Command { program }; // Command::new", 0),
    ];
    for (text, expected) in cases {
        let found = File::new("cli/x.rs", text).complaints(SPAWN, &["sys"], "spawns");
        assert_eq!(found.len(), expected, "{text}");
        assert!(File::new("sys/x.rs", text).complaints(SPAWN, &["sys"], "spawns").is_empty());
    }
}
