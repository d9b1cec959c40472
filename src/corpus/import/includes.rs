//! The files in the imported folder that a program includes with `#include "…"`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use camino::{Utf8Path, Utf8PathBuf};
use regex::Regex;

use super::{Skipped, skip};
use crate::model::normal;
use crate::syntax::without_comments;

/// An include by quotes.
pub(super) static INCLUDE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"(?m)^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)""#).expect("a fixed pattern"));

/// The headers that the program `file` includes by quotes, directly or through others, by their paths relative to
/// `root`. A file that does not exist is left to the compiler, as with `"stdio.h"`.
///
/// # Errors
/// The program includes a C file, or a header that is not below `root`.
pub fn included(root: &Utf8Path, file: &Utf8Path, text: &str) -> Result<BTreeSet<Utf8PathBuf>, Skipped> {
    let mut found = BTreeSet::new();
    let mut open = vec![(file.to_path_buf(), text.to_string())];
    while let Some((from, text)) = open.pop() {
        for name in INCLUDE.captures_iter(&without_comments(&text)).map(|found| found[1].to_string()) {
            let folder = from.parent().unwrap_or(Utf8Path::new(""));
            let Some(path) = normal(&folder.join(&name)) else {
                if root.join(folder).join(&name).is_file() {
                    return Err(skip("includes a file outside the imported folder", name));
                }
                continue;
            };
            if !root.join(&path).is_file() || found.contains(&path) {
                continue;
            }
            if path.extension() == Some("c") {
                return Err(skip("includes another C file", path));
            }
            let text = fs_err::read(root.join(&path)).unwrap_or_default();
            open.push((path.clone(), String::from_utf8_lossy(&text).into_owned()));
            found.insert(path);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<BTreeSet<Utf8PathBuf>, Skipped> {
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
    fn a_program_that_includes_other_code_is_skipped() {
        let reason = |text| of(text).unwrap_err().to_string();
        assert_eq!(reason("#include \"body.c\"\n"), "includes another C file: a/body.c");
        let outside = "includes a file outside the imported folder: ../../out.h";
        assert_eq!(reason("#include \"../../out.h\"\n"), outside);
    }
}
