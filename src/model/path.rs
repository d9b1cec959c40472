//! Paths by their text alone: nothing here reads files.

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

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

/// Whether two names are the same path.
pub fn is_same_path(one: &str, other: &str) -> bool {
    let (one, other) = (Utf8Path::new(one), Utf8Path::new(other));
    // Most names differ in their last part, and a preprocessed program has thousands.
    one.file_name() == other.file_name() && normal(one).is_some_and(|path| Some(path) == normal(other))
}
