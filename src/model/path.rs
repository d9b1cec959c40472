//! Paths by their text alone: nothing here reads files.

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

/// The name under which a program is compiled, and so that in reports.
pub const SOURCE: &str = "p.c";

/// The name of the journal in the folder of a run.
pub const JOURNAL: &str = "journal.jsonl";

/// `path` without `.` and `..`; none if it leaves its root.
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

/// `path` without `.`, and with `..` only at its beginning, as in `../lib/a.c`.
pub fn shortened(path: &Utf8Path) -> Utf8PathBuf {
    let mut out = Utf8PathBuf::new();
    for part in path.components() {
        match part {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir
                if matches!(out.components().next_back(), Some(Utf8Component::Normal(_))) =>
            {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// Whether two names are the same path.
pub fn is_same_path(one: &str, other: &str) -> bool {
    let (one, other) = (Utf8Path::new(one), Utf8Path::new(other));
    // Most names differ in their last part, and a preprocessed program has thousands.
    one.file_name() == other.file_name() && shortened(one) == shortened(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_path_may_begin_with_its_parents() {
        assert!(is_same_path("../lib/a.c", "../lib/a.c"));
        assert!(is_same_path("../lib/./b/../a.c", "../lib/a.c"));
        assert!(!is_same_path("../../lib/a.c", "../lib/a.c"));
        assert!(!is_same_path("../lib/a.c", "lib/a.c"));
        assert!(is_same_path("./a.c", "a.c"));
    }
}
