//! Names: alpha-renaming to short ones.

use super::{Shrink, Text};

/// One candidate that renames everything, then one for each name.
pub(super) fn names(_text: &Text<'_>) -> Vec<Shrink> {
    Vec::new()
}
