//! The text of one C file for a program of several.
//!
//! Their texts stand one behind the other. What a file has to itself stays its own: a static name, type or
//! constant that another one uses too gets a new name, and so does an old-style parameter that is a type of a
//! header that only others include; a macro ends with its file, and a header that does not guard
//! itself against being included twice is included once. A C file that another one includes stands in its place;
//! what a generator says of where its lines come from goes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use camino::{Utf8Path, Utf8PathBuf};

use super::includes::{INCLUDE, normal};
use crate::syntax::{FileScope, Program, without_comments, without_places};

/// One file of a program.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// Its path, for people.
    pub name: &'a Utf8Path,
    /// Its text.
    pub text: &'a str,
    /// The headers that it includes, and that these do.
    pub headers: &'a BTreeSet<Utf8PathBuf>,
}

/// The text of one file for `parts`: the only one's own, or all in their order. `headers` has the texts of theirs.
pub fn joined(parts: &[Part<'_>], headers: &BTreeMap<Utf8PathBuf, String>) -> String {
    if let [only] = parts {
        return without_places(only.text);
    }
    let programs: Vec<Program> = parts.iter().map(|part| Program::parse(part.text.to_string())).collect();
    let mut scopes: Vec<FileScope> = programs.iter().map(Program::file_scope).collect();
    disown(&mut scopes);
    let all: BTreeSet<&Utf8PathBuf> = parts.iter().flat_map(|part| part.headers).collect();
    let parsed = |path| (path, Program::parse(text_of(headers, path).to_string()));
    let parsed: BTreeMap<&Utf8PathBuf, Program> = all.into_iter().map(parsed).collect();
    // The headers so far, and what they have to themselves.
    let mut seen: BTreeMap<&Utf8PathBuf, BTreeSet<String>> = BTreeMap::new();
    let mut out = String::new();
    for (index, part) in parts.iter().enumerate() {
        let is_elsewhere = |name: &String| {
            seen.iter().any(|(path, own)| own.contains(name) && !part.headers.contains(*path))
        };
        let mut parameters = programs[index].old_parameters();
        parameters.retain(is_elsewhere);
        let mut names = new_names(index, &parameters, &programs, &scopes);
        // What a header speaks of is not this file's alone, whatever stands behind an `#if`.
        names.retain(|name, _| !part.headers.iter().any(|path| parsed[path].binds(name)));
        let text = without_places(&programs[index].renamed(&names));
        let open: Vec<&Utf8PathBuf> = part
            .headers
            .iter()
            .filter(|path| seen.contains_key(path) && !is_guarded(text_of(headers, path)))
            .collect();
        let text = once(&text, &open);
        let end = if text.ends_with('\n') { "" } else { "\n" };
        let _ = write!(out, "/* {} */\n{text}{end}", part.name);
        for name in ending(index, parts, &programs, &scopes, headers) {
            let _ = writeln!(out, "#undef {name}");
        }
        for path in part.headers {
            seen.entry(path).or_insert_with(|| parsed[path].file_scope().own);
        }
    }
    out
}

fn text_of<'a>(headers: &'a BTreeMap<Utf8PathBuf, String>, path: &Utf8PathBuf) -> &'a str {
    headers.get(path).map_or("", String::as_str)
}

/// What two parts define, and link well, is static in both, by a macro that is not ours to read.
fn disown(scopes: &mut [FileScope]) {
    let mut definitions: BTreeMap<String, usize> = BTreeMap::new();
    for name in scopes.iter().flat_map(|scope| &scope.defined) {
        *definitions.entry(name.clone()).or_default() += 1;
    }
    for scope in scopes {
        for name in scope.defined.iter().filter(|name| definitions[*name] > 1) {
            scope.linked.remove(name);
            scope.own.insert(name.clone());
        }
    }
}

/// What the names of part `index` become that are its own and another one's too, and its `parameters` that are
/// types of another one's header: a list of parameters of old cannot shadow those.
fn new_names(
    index: usize,
    parameters: &BTreeSet<String>,
    programs: &[Program],
    scopes: &[FileScope],
) -> BTreeMap<String, String> {
    let clashes = |name: &&String| {
        let others = scopes.iter().enumerate().filter(|(other, _)| *other != index);
        let mut clashing = others.filter(|(other, scope)| {
            scope.linked.contains(*name) || *other < index && scope.own.contains(*name)
        });
        clashing.next().is_some()
    };
    let own = scopes[index].own.iter().filter(clashes).chain(parameters);
    own.filter(|name| !scopes[index].macros.contains(*name))
        .map(|name| {
            let is_free = |new: &String| programs.iter().all(|program| !program.mentions(new));
            let mut number = index + 1;
            while !is_free(&format!("{name}_{number}")) {
                number += 1;
            }
            (name.clone(), format!("{name}_{number}"))
        })
        .collect()
}

/// The macros of part `index` that would mean something in a later one. One that a header of that
/// part defines too stays, since a header is read once; and so does what asks the libraries for more.
fn ending<'a>(
    index: usize,
    parts: &[Part<'_>],
    programs: &[Program],
    scopes: &'a [FileScope],
    headers: &BTreeMap<Utf8PathBuf, String>,
) -> Vec<&'a String> {
    let matters = |name: &&String| {
        (index + 1..parts.len()).any(|later| {
            let defines = |path: &Utf8PathBuf| {
                text_of(headers, path)
                    .lines()
                    .any(|line| line.trim_start().starts_with('#') && line.contains(name.as_str()))
            };
            programs[later].mentions(name) && !parts[later].headers.iter().any(defines)
        })
    };
    scopes[index].macros.iter().filter(|name| !name.starts_with('_')).filter(matters).collect()
}

/// `text` without its includes of the headers `open`, as far as it includes each once, outside functions.
fn once(text: &str, open: &[&Utf8PathBuf]) -> String {
    if open.is_empty() {
        return text.to_string();
    }
    let program = Program::parse(text.to_string());
    let of = |(line, start): (&str, usize)| {
        let name = INCLUDE.captures(line)?.get(1)?.as_str().trim_start_matches("../").to_string();
        let name = normal(Utf8Path::new(&name)).filter(|_| program.function_at(start).is_none())?;
        open.iter().copied().find(|path| path.ends_with(&name))
    };
    let lines = || {
        text.split_inclusive('\n').scan(0, |offset, line| {
            *offset += line.len();
            Some((line, *offset - line.len()))
        })
    };
    let times = |path: &Utf8PathBuf| lines().filter(|line| of(*line) == Some(path)).count();
    let kept = lines().map(|line| match of(line).filter(|path| times(path) == 1) {
        Some(_) => format!("/* {} */\n", line.0.trim_end()),
        None => line.0.to_string(),
    });
    kept.collect()
}

/// Whether a header is made to be included twice.
fn is_guarded(text: &str) -> bool {
    let text = without_comments(text);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (first, second) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let directive =
        |line: &str| line.strip_prefix('#').map_or(String::new(), |rest| rest.trim_start().to_string());
    let name = directive(second);
    let name =
        name.strip_prefix("define").and_then(|rest| rest.split_whitespace().next()).unwrap_or_default();
    let asks =
        directive(first).starts_with("if") && first.contains('!') || directive(first).starts_with("ifndef");
    asks && !name.is_empty() && first.contains(name)
        || text.lines().any(|line| line.split_whitespace().collect::<String>().starts_with("#pragmaonce"))
}

/// `text`, of the C file `path`, with the C files that it includes in their places, and these. `read` reads a
/// file, if there is one.
pub fn whole(
    path: &Utf8Path,
    text: &str,
    read: &impl Fn(&Utf8Path) -> Option<String>,
) -> (String, Vec<Utf8PathBuf>) {
    let mut inside = Vec::new();
    let text = put_in(path, text, read, &mut inside, 0);
    (text, inside)
}

fn is_c(name: &str) -> bool {
    Utf8Path::new(name).extension() == Some("c")
}

/// More than any package has, and an end to files that include each other.
const DEEPEST: usize = 8;

fn put_in(
    path: &Utf8Path,
    text: &str,
    read: &impl Fn(&Utf8Path) -> Option<String>,
    inside: &mut Vec<Utf8PathBuf>,
    depth: usize,
) -> String {
    let code = without_comments(text);
    if depth == DEEPEST || !INCLUDE.captures_iter(&code).any(|found| is_c(&found[1])) {
        return text.to_string();
    }
    let lines = text.split_inclusive('\n').map(|line| {
        let name = INCLUDE.captures(line).map(|found| found[1].to_string()).filter(|name| is_c(name));
        let found = name.and_then(|name| {
            let file = normal(&path.parent()?.join(name))?;
            Some((read(&file)?, file))
        });
        let Some((text, file)) = found else { return line.to_string() };
        let end = if text.ends_with('\n') { "" } else { "\n" };
        let text = put_in(&file, &text, read, inside, depth + 1);
        inside.push(file);
        text + end
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(parts: &[(&str, &str, &[&str])], headers: &[(&str, &str)]) -> String {
        let lists: Vec<BTreeSet<Utf8PathBuf>> =
            parts.iter().map(|(.., list)| list.iter().map(Into::into).collect()).collect();
        let parts: Vec<Part<'_>> = parts
            .iter()
            .zip(&lists)
            .map(|((name, text, _), headers)| Part { name: Utf8Path::new(name), text, headers })
            .collect();
        let headers = headers.iter().map(|(name, text)| (name.into(), text.to_string())).collect();
        joined(&parts, &headers)
    }

    #[test]
    fn what_a_file_has_to_itself_stays_its_own() {
        let a = "static int n = 1;\nint f(void) { return n; }\n";
        let b = "static int n = 2, n_2;\nstruct s { int n; };\nint g(struct s *s) { return n + s->n; }\n";
        let c = "int n(void) { return 0; }";
        let joined = join(&[("a.c", a, &[]), ("b.c", b, &[])], &[]);
        let expected = b.replace("n = 2", "n_3 = 2").replace("return n", "return n_3");
        assert_eq!(joined, format!("/* a.c */\n{a}/* b.c */\n{expected}"));
        // The same where a macro says `static`.
        let of = |name: &str| format!("local int {name}(void) {{ return 1; }}\n");
        let expected = format!("/* a.c */\n{}/* b.c */\n{}", of("h"), of("h_2"));
        assert_eq!(join(&[("a.c", &of("h"), &[]), ("b.c", &of("h"), &[])], &[]), expected);
        // What a header speaks of may be everybody's.
        let headers: &[(&str, &str)] = &[("h.h", "extern struct n *m; // n\n")];
        assert!(join(&[("a.c", a, &["h.h"]), ("c.c", c, &[])], headers).contains(a));
        // A type of a header that another file does not include may be a parameter there.
        let k = "struct list; int l(struct list *list);\nint k(code) unsigned code; { return code; }\n";
        let headers: &[(&str, &str)] = &[("h.h", "struct list { int op; };\ntypedef struct list code;\n")];
        let joined = join(&[("a.c", "code *c;\n", &["h.h"]), ("k.c", k, &[])], headers);
        assert!(joined.ends_with(&k.replace("code", "code_2")), "{joined}");
        // What is linked keeps its name, wherever it stands.
        let joined = join(&[("a.c", a, &[]), ("c.c", c, &[])], &[]);
        let expected = a.replace("n = 1", "n_1 = 1").replace("return n", "return n_1");
        assert_eq!(joined, format!("/* a.c */\n{expected}/* c.c */\n{c}\n"));
    }

    #[test]
    fn a_macro_ends_with_its_file() {
        let a = "#define _GNU_SOURCE\n#define ONE 1\n#define TWO 2\n#define THREE 3\nint a = ONE;\n";
        let b = "#include \"h.h\"\n#ifdef ONE\n#endif\nint TWO, _GNU_SOURCE;\n";
        let joined = join(&[("a.c", a, &[]), ("b.c", b, &["h.h"])], &[("h.h", "# define TWO 2\n")]);
        assert_eq!(joined, format!("/* a.c */\n{a}#undef ONE\n/* b.c */\n{b}"));
    }

    #[test]
    fn a_header_without_a_guard_is_included_once() {
        let text = "#include \"x/open.h\"\n#include \"guarded.h\"\n#include \"list.h\"\n#include \"list.h\"\n\
            static void f(void) {\n#include \"table.h\"\n}\n";
        let headers = [
            ("x/open.h", "enum e { A };\n"),
            ("guarded.h", "/* G */\n#ifndef G\n\n# define G\n#endif\n"),
            ("list.h", "ITEM(1)\n"),
            ("table.h", "int n;\n"),
        ];
        let names = ["x/open.h", "guarded.h", "list.h", "table.h"];
        let joined = join(&[("a.c", text, &names), ("b.c", text, &names)], &headers);
        let expected = text.replace("#include \"x/open.h\"", "/* #include \"x/open.h\" */");
        let expected = expected.replace("f(void)", "f_2(void)");
        assert_eq!(joined, format!("/* a.c */\n{text}/* b.c */\n{expected}"));
        for (text, guarded) in [
            ("#pragma once\n", true),
            ("#if !defined(A)\n#define A 1\n", true),
            ("#ifndef A\n#define B\n", false),
            ("", false),
        ] {
            assert_eq!(is_guarded(text), guarded, "{text}");
        }
    }

    #[test]
    fn all_lines_are_of_the_text() {
        let text = "#line 7 \"p.y\"\nint a; /* # 1 */\n# 3 \"p.c\" 2\n#define LINE 1\n";
        assert_eq!(join(&[("a.c", text, &[])], &[]), "\nint a; /* # 1 */\n\n#define LINE 1\n");
    }

    #[test]
    fn a_file_that_is_included_stands_in_its_place() {
        let files = [("/p/b.c", "int b;\n#include \"d/c.c\""), ("/p/d/c.c", "#include \"../b.c\"\nint c;\n")];
        let read =
            |path: &Utf8Path| files.iter().find(|(name, _)| *name == path).map(|(_, text)| text.to_string());
        let text = "#include \"b.h\"\n#include \"gone.c\"\n// #include \"x.c\"\n";
        assert_eq!(whole(Utf8Path::new("/p/a.c"), text, &read), (text.to_string(), vec![]));
        let (text, inside) = whole(Utf8Path::new("/p/a.c"), "int a;\n  #include \"b.c\"\nint z;\n", &read);
        assert!(text.starts_with("int a;\nint b;\n") && text.ends_with("int c;\n\nint z;\n"), "{text}");
        assert_eq!(inside.len(), DEEPEST);
    }
}
