//! The files of a program's own that it includes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use camino::{Utf8Path, Utf8PathBuf};
use regex::Regex;

use super::sidecar::from_folder;
use super::source::Source;
use crate::model::normal;
use crate::syntax::{Program, StatementKind, without_comments};

/// The name of an included file, in quotes or in angle brackets.
static INCLUDE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?m)^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)"#).expect("a constant")
});

/// The definition of a macro with parameters.
static MACRO: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^[ \t]*#[ \t]*define[ \t]+\w+\(").expect("a constant"));

/// Flags that name a folder of headers, in the same word or in the next one, in the order in which the compiler looks into these
/// folders; only headers in quotes are looked for in those of the first.
pub const FOLDER_FLAGS: [&str; 3] = ["-iquote", "-I", "-idirafter"];

/// Headers below these folders belong to the system or to installed libraries.
const SYSTEM_FOLDERS: [&str; 3] = ["/usr", "/lib", "/opt"];

impl Source {
    /// The program's own files that `text` includes, directly or through others, and that contain statements: their
    /// absolute paths, and the number of lines on which a statement begins. If `has_macros`, also those that define macros with
    /// parameters; without statements the number is 0.
    pub fn included_code(&self, text: &str, has_macros: bool) -> BTreeMap<Utf8PathBuf, usize> {
        let folder = self.folder();
        let mut folders = HeaderFolders::of(&self.sidecar.flags);
        // recount compiles a program with its own folder among those of headers.
        folders.any.extend(folder.map(Utf8Path::to_path_buf));
        let mut seen: BTreeSet<Utf8PathBuf> = self.path().map(Utf8Path::to_path_buf).into_iter().collect();
        let mut found = BTreeMap::new();
        let forced = flag_values(&self.sidecar.flags, "-include");
        let forced: String = forced.iter().map(|name| format!("#include \"{name}\"\n")).collect();
        let mut open = vec![(folder.map(Utf8Path::to_path_buf), forced + text, false)];
        while let Some((from, text, is_inside)) = open.pop() {
            let text = without_comments(&text);
            for include in INCLUDE.captures_iter(&text) {
                // The statements of a function may be in a file of their own.
                let is_fragment =
                    is_inside || is_in_braces(&text, include.get(0).map_or(0, |found| found.start()));
                let name = include.get(1).or(include.get(2)).map_or("", |name| name.as_str());
                let found_in = folders.find(from.as_deref(), name, include.get(1).is_some());
                let Some(path) = found_in else { continue };
                let is_system = SYSTEM_FOLDERS.iter().any(|system| path.starts_with(system));
                let is_own = folder.is_some_and(|folder| path.starts_with(folder)) || !is_system;
                if !is_own || !seen.insert(path.clone()) {
                    continue;
                }
                let bytes = fs_err::read(&path).unwrap_or_default();
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let lines = if is_fragment { lines_of_fragment(&text) } else { lines_of_code(&text) };
                if lines > 0 || has_macros && MACRO.is_match(&text) {
                    found.insert(path.clone(), lines);
                }
                open.push((path.parent().map(Utf8Path::to_path_buf), text, is_fragment));
            }
        }
        found
    }

    /// The name for people of an included file: its path as seen from where the program was named.
    pub fn name_of_included(&self, path: &Utf8Path) -> String {
        let Some(folder) = self.folder() else { return path.to_string() };
        let seen_from = Utf8Path::new(&self.file).parent().unwrap_or(Utf8Path::new(""));
        let name = seen_from.join(from_folder(folder, path));
        normal(&name).unwrap_or(name).into_string()
    }
}

/// The folders in which the compiler looks for headers in quotes only, and for all headers.
pub struct HeaderFolders {
    quoted: Vec<Utf8PathBuf>,
    any: Vec<Utf8PathBuf>,
}

impl HeaderFolders {
    /// Those that `flags` name.
    pub fn of(flags: &[String]) -> HeaderFolders {
        let [quoted, any @ ..] = FOLDER_FLAGS;
        let of = |name| flag_values(flags, name).into_iter().map(Utf8PathBuf::from);
        HeaderFolders { quoted: of(quoted).collect(), any: any.into_iter().flat_map(of).collect() }
    }

    /// The header that a file in the folder `from` includes by `name`.
    pub fn find(&self, from: Option<&Utf8Path>, name: &str, in_quotes: bool) -> Option<Utf8PathBuf> {
        let first = from.into_iter().chain(self.quoted.iter().map(Utf8PathBuf::as_path));
        let folders = first.filter(|_| in_quotes).chain(self.any.iter().map(Utf8PathBuf::as_path));
        let mut paths = folders.filter_map(|folder| normal(&folder.join(name)));
        paths.find(|path| path.is_file())
    }
}

/// The values of the flag `name`, each in the same word or in the next one.
fn flag_values<'a>(flags: &'a [String], name: &str) -> Vec<&'a str> {
    let value = |(at, flag): (usize, &'a String)| match flag.strip_prefix(name)? {
        "" => flags.get(at + 1).map(String::as_str),
        value => Some(value),
    };
    flags.iter().enumerate().filter_map(value).collect()
}

/// Whether more braces are opened than closed in `text` before the byte `end`.
fn is_in_braces(text: &str, end: usize) -> bool {
    let number = |brace| text[..end].matches(brace).count();
    number('{') > number('}')
}

/// The lines of a file that may be a part of a function: those with a statement, for all that can be known without the function.
fn lines_of_fragment(text: &str) -> usize {
    without_comments(text).lines().filter(|line| line.contains([';', ':', '(', '{'])).count()
}

fn lines_of_code(text: &str) -> usize {
    let program = Program::parse(text.to_string());
    let statements = program.statements.iter().filter(|statement| statement.kind != StatementKind::Block);
    statements.map(|statement| statement.lines.0).collect::<BTreeSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::load;

    #[test]
    fn included_code_is_counted_once_and_declarations_are_not_code() {
        let temp = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(temp.path().canonicalize().unwrap()).unwrap();
        let program = "#include <stdio.h>\n#include \"a.h\"\n#include \"declared.h\"\n#include <lib.h>\n\
                       // #include \"no.h\"\nint main(void) { return 0; }\n";
        let body = |name: &str| format!("static int {name}(int x)\n{{\n  x++;\n  return x;\n}}\n");
        for (name, text) in [
            ("src/p.c", program.to_string()),
            ("src/p.toml", "flags = [\"-I\", \"../inc\", \"-include\", \"first.h\"]".to_string()),
            ("src/a.h", "#include \"b.c\"\n#include \"p.c\"\n".to_string()),
            ("src/b.c", format!("{}#include \"a.h\"\n", body("b"))),
            ("src/declared.h", "int f(void);\n#define TWO 2\nstruct s { int x; };\n".to_string()),
            ("src/no.h", body("no")),
            ("src/first.h", "static int one(void) { return 1; }\n#define TWICE(x) (2 * (x))\n".to_string()),
            ("inc/lib.h", body("lib")),
        ] {
            let path = root.join(name);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, text).unwrap();
        }
        let source = load(&[root.join("src/p.c")]).unwrap().remove(0);
        let found = source.included_code(program, false);
        let expected = [("inc/lib.h", 2), ("src/b.c", 2), ("src/first.h", 1)];
        assert_eq!(found, expected.map(|(name, lines)| (root.join(name), lines)).into());
        fs_err::write(root.join("src/declared.h"), "#define TWO 2\n# define NEXT(x) ((x) + 1)\n").unwrap();
        assert_eq!(source.included_code(program, false).len(), 3);
        assert_eq!(source.included_code(program, true).get(&root.join("src/declared.h")), Some(&0));
        assert_eq!(source.name_of_included(&root.join("inc/lib.h")), root.join("inc/lib.h"));
    }
}
