//! Several files of one preprocessed text, instrumented as one program: a unit of a package with its headers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::super::points::Instrumented;
use super::source::COUNTERS;

/// The instrumented `files` of one preprocessed text as one program: each file's counters follow those of the file before,
/// and its points stay with it. None without files.
pub fn joined(files: &[Instrumented]) -> Option<Instrumented> {
    static NUMBER: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(&format!(r"\b{COUNTERS}\[(\d+)")).expect("a constant"));
    let first = files.first()?;
    let (mut inserts, mut counters, mut functions) = (Vec::new(), 0, Vec::new());
    for file in files {
        let renumbered = |found: &Captures<'_>| {
            let number: u32 = found[1].parse().expect("digits");
            format!("{COUNTERS}[{}", number + counters)
        };
        let moved =
            |(offset, text): &(usize, String)| (*offset, NUMBER.replace_all(text, renumbered).into_owned());
        inserts.extend(file.inserts.iter().map(moved));
        functions.extend(file.functions.iter().cloned());
        counters += file.counters;
    }
    // The sort is stable, and files share no function, so the order within a function stays.
    inserts.sort_by_key(|(offset, _)| *offset);
    Some(Instrumented {
        text: first.text.clone(),
        inserts,
        counters,
        points: Vec::new(),
        lines: BTreeMap::new(),
        typed: BTreeMap::new(),
        inner_labels: BTreeMap::new(),
        partial_definitions: BTreeSet::new(),
        directives: BTreeSet::new(),
        functions,
        refusals: Vec::new(),
        chains: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Preprocessed, instrument};

    #[test]
    fn files_of_one_text_have_counters_one_after_the_other() {
        let text = "# 1 \"p.c\"\n# 1 \"h.h\" 1\nint f(int a) { return a && 1; }\n# 2 \"p.c\" 2\nint main(void) { return f(0); }\n";
        let of = |name: &str| instrument(&Preprocessed::new(text.into(), name), false).unwrap();
        let (program, header) = (of("p.c"), of("h.h"));
        let both = joined(&[program, header]).unwrap();
        let (program, header) = (of("p.c"), of("h.h"));
        assert_eq!(both.counters, program.counters + header.counters);
        let counting = both.counting(false);
        let plain = |text: &str| text.replace(char::is_numeric, "");
        // What was inserted for the header comes first in the text, with the later counters.
        assert!(counting.contains(&format!("{COUNTERS}[{}]", both.counters - 1)));
        for line in header.counting(false).lines().filter(|line| line.contains("int f(")) {
            assert!(plain(&counting).contains(&plain(line)), "{counting}");
        }
        for line in program.counting(false).lines().filter(|line| line.contains("int main(")) {
            assert!(counting.contains(line), "{counting}");
        }
        assert!(joined(&[]).is_none());
    }
}
