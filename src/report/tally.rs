//! Job records grouped by compiler, in the order of the version numbers: gcc-9 before gcc-12.

use std::collections::{BTreeMap, BTreeSet};

use crate::journal::JobRecord;

/// The key that sorts compilers: shorter names first.
pub fn compiler_order(compiler: &str) -> (usize, &str) {
    (compiler.len(), compiler)
}

/// The different `compilers` in order.
pub fn in_order<'a>(compilers: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let all: BTreeSet<(usize, &str)> = compilers.into_iter().map(compiler_order).collect();
    all.into_iter().map(|(_, compiler)| compiler).collect()
}

pub fn by_compiler<'a>(
    records: impl IntoIterator<Item = &'a JobRecord>,
) -> Vec<(&'a str, Vec<&'a JobRecord>)> {
    let mut groups: BTreeMap<(usize, &str), Vec<&JobRecord>> = BTreeMap::new();
    for record in records {
        groups.entry(compiler_order(&record.compiler)).or_default().push(record);
    }
    groups.into_iter().map(|((_, compiler), records)| (compiler, records)).collect()
}
