//! The files that a program includes by quotes, as far as they lie beside it or above.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use regex::Regex;

use super::{Fate, skip};
use crate::syntax::without_comments;

/// An include by quotes.
pub(super) static INCLUDE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"(?m)^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)""#).expect("a fixed pattern"));

/// The headers of a program, by their paths below the imported folder.
pub type Included = BTreeSet<Utf8PathBuf>;

/// What the program `file` below `root` includes by quotes, and what that includes. A file that is not
/// there is the compiler's own affair, as `"stdio.h"` is.
///
/// # Errors
/// The fate of a program whose code is in another C file, or whose headers are not below `root`.
pub fn included(root: &Utf8Path, file: &Utf8Path, text: &str) -> Result<Included, Box<Fate>> {
    let mut found = Included::new();
    let mut open = vec![(file.to_path_buf(), text.to_string())];
    while let Some((from, text)) = open.pop() {
        for name in names(&text) {
            let folder = from.parent().unwrap_or(Utf8Path::new(""));
            let Some(path) = normal(&folder.join(&name)) else {
                if root.join(folder).join(&name).is_file() {
                    return Err(Box::new(skip("includes a file from elsewhere", name)));
                }
                continue;
            };
            if !root.join(&path).is_file() || found.contains(&path) {
                continue;
            }
            if path.extension() == Some("c") {
                return Err(Box::new(skip("its code is in another C file", path)));
            }
            let text = fs_err::read(root.join(&path)).unwrap_or_default();
            open.push((path.clone(), String::from_utf8_lossy(&text).into_owned()));
            found.insert(path);
        }
    }
    Ok(found)
}

fn names(text: &str) -> Vec<String> {
    let text = without_comments(text);
    INCLUDE.captures_iter(&text).map(|found| found[1].to_string()).collect()
}

/// `path` without `.` and `..`; none if it leads out of its root.
pub fn normal(path: &Utf8Path) -> Option<Utf8PathBuf> {
    let mut out = Utf8PathBuf::new();
    for part in path.components() {
        match part {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => {
                if !out.pop() {
                    return None;
                }
            }
            part => out.push(part),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Included, Box<Fate>> {
        let temp = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(temp.path().to_path_buf()).unwrap().join("suite");
        for (path, text) in [
            ("a/x.h", "#include \"../b/y.h\"\n"),
            ("b/y.h", "#include \"z.h\"\n#include \"y.h\"\n"),
            ("b/z.h", ""),
            ("a/body.c", ""),
            ("../out.h", ""),
        ] {
            fs_err::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs_err::write(root.join(path), text).unwrap();
        }
        included(&root, Utf8Path::new("a/p.c"), text)
    }

    #[test]
    fn headers_of_headers_are_found() {
        let found =
            of("#include <x.h>\n # include \"x.h\"\n#include \"stdio.h\"\n// #include \"body.c\"\n").unwrap();
        let paths: Vec<&str> = found.iter().map(|path| path.as_str()).collect();
        assert_eq!(paths, ["a/x.h", "b/y.h", "b/z.h"]);
    }

    #[test]
    fn code_elsewhere_is_no_program_of_ones_own() {
        let fate = |text| match *of(text).unwrap_err() {
            Fate::Skipped(skipped) => (skipped.reason, skipped.detail),
            Fate::Taken(taken) => panic!("{taken:?}"),
        };
        assert_eq!(fate("#include \"body.c\"\n"), ("its code is in another C file", "a/body.c".into()));
        assert_eq!(fate("#include \"../../out.h\"\n").0, "includes a file from elsewhere");
    }
}
