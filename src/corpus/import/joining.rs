//! Joins the files of a program into the text of one C file.
//!
//! The texts are concatenated. Names that are private to a file stay private: a static name, type or constant that
//! another file uses too is renamed, and so is an old-style parameter that has the name of a type in a header that only
//! other files include. A macro ends with its file. A header without an include guard is included once. A C file that
//! another one includes takes the place of the include. `#line` directives of generators are removed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use camino::{Utf8Path, Utf8PathBuf};

use super::includes::INCLUDE;
use crate::model::normal;
use crate::syntax::{FileScope, Program, without_comments, without_places};

/// One file of a program.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// Its path, for a comment in the text.
    pub name: &'a Utf8Path,
    pub text: &'a str,
    /// The headers that it includes, directly or through others.
    pub headers: &'a BTreeSet<Utf8PathBuf>,
}

/// A part after parsing.
struct Parsed {
    program: Program,
    scope: FileScope,
}

/// Join `parts` in their order into one file. `headers` has the texts of their headers.
pub fn joined(parts: &[Part<'_>], headers: &BTreeMap<Utf8PathBuf, String>) -> String {
    if let [only] = parts {
        return without_places(only.text);
    }
    let mut parsed: Vec<Parsed> = parts
        .iter()
        .map(|part| {
            let program = Program::parse(part.text.to_string());
            Parsed { scope: program.file_scope(), program }
        })
        .collect();
    make_shared_definitions_private(&mut parsed);
    let header_text = |path: &Utf8PathBuf| headers.get(path).map_or("", String::as_str);
    let all: BTreeSet<&Utf8PathBuf> = parts.iter().flat_map(|part| part.headers).collect();
    let parsed_headers: BTreeMap<&Utf8PathBuf, Program> =
        all.into_iter().map(|path| (path, Program::parse(header_text(path).to_string()))).collect();
    // The headers that previous parts included, with their types and constants.
    let mut seen: BTreeMap<&Utf8PathBuf, BTreeSet<String>> = BTreeMap::new();
    let mut out = String::new();
    for (index, part) in parts.iter().enumerate() {
        let program = &parsed[index].program;
        let is_elsewhere = |name: &String| {
            seen.iter().any(|(path, own)| own.contains(name) && !part.headers.contains(*path))
        };
        let mut parameters = program.old_parameters();
        parameters.retain(is_elsewhere);
        let mut names = new_names(index, &parameters, &parsed);
        // A name that a header mentions may be public, depending on `#if`.
        names.retain(|name, _| !part.headers.iter().any(|path| parsed_headers[path].binds(name)));
        let text = without_places(&program.renamed(&names));
        let open: Vec<&Utf8PathBuf> = part
            .headers
            .iter()
            .filter(|path| seen.contains_key(path) && !is_guarded(header_text(path)))
            .collect();
        let text = without_includes(&text, &open);
        let end = if text.ends_with('\n') { "" } else { "\n" };
        let _ = write!(out, "/* {} */\n{text}{end}", part.name);
        for name in macros_to_end(index, parts, &parsed, &header_text) {
            let _ = writeln!(out, "#undef {name}");
        }
        for path in part.headers {
            seen.entry(path).or_insert_with(|| parsed_headers[path].file_scope().own);
        }
    }
    out
}

/// If two parts define the same name and still linked, a macro must make it static in both.
fn make_shared_definitions_private(parsed: &mut [Parsed]) {
    let mut definitions: BTreeMap<String, usize> = BTreeMap::new();
    for name in parsed.iter().flat_map(|part| &part.scope.defined) {
        *definitions.entry(name.clone()).or_default() += 1;
    }
    for FileScope { defined, linked, own, .. } in parsed.iter_mut().map(|part| &mut part.scope) {
        for name in defined.iter().filter(|name| definitions[*name] > 1) {
            linked.remove(name);
            own.insert(name.clone());
        }
    }
}

/// New names for the private names of part `index` that another part uses too, and for its `parameters`, which have
/// the names of types in a header of another part: a parameter in an old-style list cannot shadow a type.
fn new_names(index: usize, parameters: &BTreeSet<String>, parsed: &[Parsed]) -> BTreeMap<String, String> {
    let scope = &parsed[index].scope;
    let clashes = |name: &&String| {
        parsed.iter().enumerate().filter(|(other, _)| *other != index).any(|(other, part)| {
            part.scope.linked.contains(*name) || other < index && part.scope.own.contains(*name)
        })
    };
    let clashing = scope.own.iter().filter(clashes).chain(parameters);
    let renamed = clashing.filter(|name| !scope.macros.contains(*name)).map(|name| {
        let is_free = |new: &String| parsed.iter().all(|part| !part.program.mentions(new));
        let new = (index + 1..=usize::MAX).map(|number| format!("{name}_{number}")).find(is_free);
        (name.clone(), new.expect("the numbers are infinite"))
    });
    renamed.collect()
}

/// The macros of part `index` that would change a later part. A macro that a header of the later part defines too
/// stays defined, because the header is read only once; and so do feature test macros, which begin with `_`.
fn macros_to_end<'a>(
    index: usize,
    parts: &[Part<'_>],
    parsed: &'a [Parsed],
    header_text: &impl Fn(&Utf8PathBuf) -> &'a str,
) -> Vec<&'a String> {
    let matters = |name: &&String| {
        let defines = |path: &Utf8PathBuf| {
            let mut lines = header_text(path).lines();
            lines.any(|line| line.trim_start().starts_with('#') && line.contains(name.as_str()))
        };
        (index + 1..parts.len())
            .any(|later| parsed[later].program.mentions(name) && !parts[later].headers.iter().any(defines))
    };
    parsed[index].scope.macros.iter().filter(|name| !name.starts_with('_')).filter(matters).collect()
}

/// `text` without its includes of the headers in `open`. An include stays if it is in a function, or if the header is
/// included more than once.
fn without_includes(text: &str, open: &[&Utf8PathBuf]) -> String {
    if open.is_empty() {
        return text.to_string();
    }
    let program = Program::parse(text.to_string());
    let header = |line: &str, start: usize| {
        let name = INCLUDE.captures(line)?.get(1)?.as_str().trim_start_matches("../").to_string();
        let name = normal(Utf8Path::new(&name)).filter(|_| program.function_at(start).is_none())?;
        open.iter().copied().find(|path| path.ends_with(&name))
    };
    let mut offset = 0;
    let mut lines: Vec<(&str, Option<&Utf8PathBuf>)> = Vec::new();
    for line in text.split_inclusive('\n') {
        lines.push((line, header(line, offset)));
        offset += line.len();
    }
    let times = |path: &Utf8PathBuf| lines.iter().filter(|(_, header)| *header == Some(path)).count();
    let kept = lines.iter().map(|(line, header)| match header.filter(|path| times(path) == 1) {
        Some(_) => format!("/* {} */\n", line.trim_end()),
        None => line.to_string(),
    });
    kept.collect()
}

/// Whether a header has an include guard.
fn is_guarded(text: &str) -> bool {
    let text = without_comments(text);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut directive =
        || lines.next().and_then(|line| line.strip_prefix('#')).unwrap_or_default().trim_start();
    let (first, second) = (directive(), directive());
    let is_condition = first.starts_with("if") && first.contains('!') || first.starts_with("ifndef");
    let defined = second.strip_prefix("define").and_then(|rest| rest.split_whitespace().next());
    is_condition && defined.is_some_and(|name| first.contains(name))
        || text.lines().any(|line| line.split_whitespace().collect::<String>().starts_with("#pragmaonce"))
}

/// The text of the C file `path` with the C files that it includes in the places of the includes, and the paths of
/// these files. `read` returns the text of a file if it exists.
pub fn with_included_c(
    path: &Utf8Path,
    text: &str,
    read: &impl Fn(&Utf8Path) -> Option<String>,
) -> (String, Vec<Utf8PathBuf>) {
    let mut included = Vec::new();
    let text = put_in(path, text, read, &mut included, 0);
    (text, included)
}

/// More levels of includes than any package has; ends the recursion when files include each other.
const DEEPEST: usize = 8;

fn put_in(
    path: &Utf8Path,
    text: &str,
    read: &impl Fn(&Utf8Path) -> Option<String>,
    included: &mut Vec<Utf8PathBuf>,
    depth: usize,
) -> String {
    let is_c = |name: &str| Utf8Path::new(name).extension() == Some("c");
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
        let text = put_in(&file, &text, read, included, depth + 1);
        included.push(file);
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
    fn private_names_of_a_file_stay_private() {
        let a = "static int n = 1;\nint f(void) { return n; }\n";
        let b = "static int n = 2, n_2;\nstruct s { int n; };\nint g(struct s *s) { return n + s->n; }\n";
        let c = "int n(void) { return 0; }";
        let joined = join(&[("a.c", a, &[]), ("b.c", b, &[])], &[]);
        let expected = b.replace("n = 2", "n_3 = 2").replace("return n", "return n_3");
        assert_eq!(joined, format!("/* a.c */\n{a}/* b.c */\n{expected}"));
        // The same if a macro says `static`.
        let of = |name: &str| format!("local int {name}(void) {{ return 1; }}\n");
        let expected = format!("/* a.c */\n{}/* b.c */\n{}", of("h"), of("h_2"));
        assert_eq!(join(&[("a.c", &of("h"), &[]), ("b.c", &of("h"), &[])], &[]), expected);
        // A name that a header mentions may be public.
        let headers: &[(&str, &str)] = &[("h.h", "extern struct n *m; // n\n")];
        assert!(join(&[("a.c", a, &["h.h"]), ("c.c", c, &[])], headers).contains(a));
        // A file may use the name of a type as a parameter if it does not include the type's header.
        let k = "struct list; int l(struct list *list);\nint k(code) unsigned code; { return code; }\n";
        let headers: &[(&str, &str)] = &[("h.h", "struct list { int op; };\ntypedef struct list code;\n")];
        let joined = join(&[("a.c", "code *c;\n", &["h.h"]), ("k.c", k, &[])], headers);
        assert!(joined.ends_with(&k.replace("code", "code_2")), "{joined}");
        // A public name is kept, in whatever order the files are joined.
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
    fn line_directives_are_removed() {
        let text = "#line 7 \"p.y\"\nint a; /* # 1 */\n# 3 \"p.c\" 2\n#define LINE 1\n#line LINE\n";
        assert_eq!(join(&[("a.c", text, &[])], &[]), "\nint a; /* # 1 */\n\n#define LINE 1\n\n");
    }

    #[test]
    fn an_included_c_file_takes_the_place_of_the_include() {
        let files = [("/p/b.c", "int b;\n#include \"d/c.c\""), ("/p/d/c.c", "#include \"../b.c\"\nint c;\n")];
        let read =
            |path: &Utf8Path| files.iter().find(|(name, _)| *name == path).map(|(_, text)| text.to_string());
        let text = "#include \"b.h\"\n#include \"missing.c\"\n// #include \"x.c\"\n";
        assert_eq!(with_included_c(Utf8Path::new("/p/a.c"), text, &read), (text.to_string(), vec![]));
        let (text, inside) =
            with_included_c(Utf8Path::new("/p/a.c"), "int a;\n  #include \"b.c\"\nint z;\n", &read);
        assert!(text.starts_with("int a;\nint b;\n") && text.ends_with("int c;\n\nint z;\n"), "{text}");
        assert_eq!(inside.len(), DEEPEST);
    }
}
