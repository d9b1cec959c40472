//! A program's own files become part of it: what is sent to others has to stand alone.
//!
//! Only what is included in quotes is taken in; headers in angle brackets are everybody's. Directives
//! stay as they are, so that macros mean what they meant, and reduction removes what is not needed.
//! A program that includes itself says so by `__FILE__`: taken in as text it would be another program.

use std::sync::LazyLock;

use camino::{Utf8Path, Utf8PathBuf};
use regex::Regex;

use super::candidate::{Candidate, edited};
use crate::model::TextEdit;

/// How deep files may include each other.
const DEEPEST: usize = 8;

static INCLUDE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"(?m)^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"[^\n]*$"#).expect("a constant"));

/// The name of what is included in quotes or angle brackets; none where a macro other than `__FILE__` gives it.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?m)^[ \t]*#[ \t]*include[ \t]*(?:["<]([^">\n]+)[">]|[^_\s]|_[^_])"#).expect("a constant")
});

/// `candidate` with the files that it includes, found in the folders that `flags` name; none where it
/// includes none, or one that is not there. `original` is the text of its own file.
pub fn standing_alone(candidate: &Candidate, original: &str, flags: &[String]) -> Option<Candidate> {
    let folders: Vec<&Utf8Path> =
        flags.iter().filter_map(|flag| flag.strip_prefix("-I")).map(Utf8Path::new).collect();
    let edits = taken_in(&candidate.source, original, &folders, &mut Vec::new())?;
    (!edits.is_empty()).then(|| edited(candidate, &edits))
}

/// Whether `source` includes a file of its own.
pub fn includes_own(source: &str) -> bool {
    INCLUDE.is_match(source)
}

/// Whether `source` may include a file of `folder`: one that is there, or one that a macro names.
pub fn needs(source: &str, folder: &Utf8Path) -> bool {
    NAMED
        .captures_iter(source)
        .any(|found| found.get(1).is_none_or(|name| folder.join(name.as_str()).is_file()))
}

fn taken_in(
    source: &str,
    original: &str,
    folders: &[&Utf8Path],
    above: &mut Vec<Utf8PathBuf>,
) -> Option<Vec<TextEdit>> {
    let mut edits = Vec::new();
    for found in INCLUDE.captures_iter(source) {
        let line = found.get(0)?;
        let path = folders.iter().map(|folder| folder.join(&found[1])).find(|path| path.is_file())?;
        // Two files that include each other do so once, by a condition; there the line is never reached.
        if above.contains(&path) || above.len() == DEEPEST {
            continue;
        }
        let text = fs_err::read_to_string(&path).ok()?;
        let with = if text == original {
            "#include __FILE__".to_string()
        } else {
            above.push(path);
            let inner = taken_in(&text, original, folders, above)?;
            above.pop();
            crate::syntax::replaced(&text, &inner).trim_end().to_string()
        };
        edits.push(TextEdit { start: line.start(), end: line.end(), with });
    }
    Some(edits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_files_come_in_once_and_marks_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let own = "#ifndef A\n#include \"h.h\"\n#define A\n#include \"p.c\"\nint f;\n#endif\n";
        fs_err::write(path("p.c"), own).expect("written");
        fs_err::write(path("h.h"), "int h;\n#ifndef B\n#define B\n#include \"h.h\"\n#endif\n")
            .expect("written");
        let place = own.find("int f;").expect("it is there");
        let mark = place..place + 6;
        let candidate = Candidate { source: own.into(), marks: Vec::from([mark]) };
        let flags = [format!("-I{}", folder.path().display())];
        let whole = standing_alone(&candidate, own, &flags).expect("it includes");
        let header = "int h;\n#ifndef B\n#define B\n#include \"h.h\"\n#endif";
        let expected = own.replace("#include \"h.h\"", header).replace("\"p.c\"", "__FILE__");
        assert_eq!(whole.source, expected);
        assert_eq!(&whole.source[whole.marks[0].clone()], "int f;");
        assert_eq!(standing_alone(&candidate, own, &[]), None);
        let folder = Utf8Path::from_path(folder.path()).expect("a name");
        assert!(needs("#include <h.h>\n", folder) && needs("#include NAME\n", folder));
        assert!(!needs("#include <stdio.h>\n#include \"other.h\"\n", folder));
        let plain = Candidate { source: "#include <stdio.h>\n".into(), marks: Vec::new() };
        assert_eq!(standing_alone(&plain, own, &flags), None);
    }
}
