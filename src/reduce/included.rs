//! Inlines the files that a program includes into its text, so that the text can be sent to others.
//!
//! Files are inlined that are in the folders of the flags, but not headers of the system in angle brackets, which are available
//! everywhere. Directives stay, so that macros keep their meaning; reduction removes those that are not needed. A program that includes itself
//! includes `__FILE__` instead, since its text would be another program.

use std::sync::LazyLock;

use camino::{Utf8Path, Utf8PathBuf};
use regex::Regex;

use super::candidate::{Candidate, edited};
use crate::corpus::{FOLDER_FLAGS, HeaderFolders};
use crate::model::TextEdit;
use crate::syntax::replaced;

/// The most levels of files that include each other.
const DEEPEST: usize = 8;

/// Where files are that everybody has.
const SYSTEM: &str = "/usr";

/// An included file, and whether its name is in quotes or angle brackets.
static INCLUDE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?m)^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">][^\n]*$"#).expect("a constant")
});

/// The name of an included file in quotes or angle brackets; none if a macro other than `__FILE__` gives the name.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?m)^[ \t]*#[ \t]*include[ \t]*(?:["<]([^">\n]+)[">]|[^_\s]|_[^_])"#).expect("a constant")
});

/// `candidate` with the files that it includes, found in the folders that `flags` name; none if it includes none that is
/// found. `original` is the text of its own file.
pub fn with_own_files(candidate: &Candidate, original: &str, flags: &[String]) -> Option<Candidate> {
    let folders = HeaderFolders::of(flags);
    let edits = inclusions(&candidate.source, original, &folders, &mut Vec::new())?;
    (!edits.is_empty()).then(|| edited(candidate, &edits))
}

/// `source` with the files that it includes, found in the folders that `flags` name; none if it includes none that is found.
pub fn with_included_text(source: &str, flags: &[String]) -> Option<String> {
    let candidate = Candidate { source: source.to_string(), marks: Vec::new() };
    Some(with_own_files(&candidate, source, flags)?.source)
}

/// `flags` without the folders of included files that `source` does not need.
pub fn without_unneeded_folders(flags: &[String], source: &str) -> Vec<String> {
    let mut words = flags.iter();
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        let flag = FOLDER_FLAGS.iter().find(|flag| word.starts_with(**flag));
        let value = flag.filter(|flag| **flag == word).and_then(|_| words.next());
        let is_needed = flag.is_none_or(|flag| {
            let folder = value.map_or(&word[flag.len()..], |value| value.as_str());
            may_include_from(source, Utf8Path::new(folder))
        });
        if is_needed {
            kept.extend([word].into_iter().chain(value).cloned());
        }
    }
    kept
}

/// Whether `source` includes a file of its own.
pub fn includes_own(source: &str) -> bool {
    INCLUDE.captures_iter(source).any(|found| &found[1] == "\"")
}

/// Whether `source` may include a file of `folder`: one that exists, or one that a macro names.
pub fn may_include_from(source: &str, folder: &Utf8Path) -> bool {
    NAMED
        .captures_iter(source)
        .any(|found| found.get(1).is_none_or(|name| folder.join(name.as_str()).is_file()))
}

/// Replaces each inclusion by the text of its file; `above` are the files that are being included.
fn inclusions(
    source: &str,
    original: &str,
    folders: &HeaderFolders,
    above: &mut Vec<Utf8PathBuf>,
) -> Option<Vec<TextEdit>> {
    let mut edits = Vec::new();
    for found in INCLUDE.captures_iter(source) {
        let (from, in_quotes) = (above.last().and_then(|path| path.parent()), &found[1] == "\"");
        // A header of another platform is missing here, and a condition removes its inclusion.
        let Some(path) = folders.find(from, &found[2], in_quotes) else { continue };
        if !in_quotes && path.starts_with(SYSTEM) {
            continue;
        }
        // Two files that include each other have a condition, by which this line is never reached.
        if above.contains(&path) || above.len() == DEEPEST {
            continue;
        }
        let text = String::from_utf8_lossy(&fs_err::read(&path).ok()?).into_owned();
        let with = if text == original {
            "#include __FILE__".to_string()
        } else {
            above.push(path);
            let inner = inclusions(&text, original, folders, above)?;
            above.pop();
            replaced(&text, &inner).trim_end().to_string()
        };
        edits.push(TextEdit::replace(found.get_match().range(), with));
    }
    Some(edits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_files_are_included_once_and_marks_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let own = "#ifndef A\n#include \"h.h\"\n#define A\n#include \"p.c\"\nint f;\n#endif\n";
        fs_err::write(path("p.c"), own).expect("written");
        fs_err::write(
            path("h.h"),
            "int h;\n#ifndef B\n#define B\n#include \"h.h\"\n#include \"windows.h\"\n#endif\n",
        )
        .expect("written");
        let place = own.find("int f;").expect("it is there");
        let mark = place..place + 6;
        let candidate = Candidate { source: own.into(), marks: Vec::from([mark]) };
        let flags = [format!("-I{}", folder.path().display())];
        let whole = with_own_files(&candidate, own, &flags).expect("it includes");
        let header = "int h;\n#ifndef B\n#define B\n#include \"h.h\"\n#include \"windows.h\"\n#endif";
        let expected = own.replace("#include \"h.h\"", header).replace("\"p.c\"", "__FILE__");
        assert_eq!(whole.source, expected);
        assert_eq!(&whole.source[whole.marks[0].clone()], "int f;");
        assert_eq!(with_own_files(&candidate, own, &[]), None);
        let folder = Utf8Path::from_path(folder.path()).expect("a name");
        assert!(may_include_from("#include <h.h>\n", folder) && may_include_from("#include NAME\n", folder));
        assert!(!may_include_from("#include <stdio.h>\n#include \"other.h\"\n", folder));
        let plain = Candidate { source: "#include <stdio.h>\n".into(), marks: Vec::new() };
        assert_eq!(with_own_files(&plain, own, &flags), None);
    }
}
