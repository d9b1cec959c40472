//! Several files of one preprocessed text, instrumented as one program: a unit of a package with its headers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::super::points::{Instrumented, InstrumentedFunction};
use super::source::COUNTERS;

/// What no compiler accepts.
const DIFFERENT: &str = "_Static_assert(0, \"two files count one function differently\");";

/// An increment of a counter, or the address of one that is incremented at the end of a scope; or several that count the same.
static INCREMENTS: LazyLock<Regex> = LazyLock::new(|| {
    let (increment, address) = (format!(r"\b{COUNTERS}\[\d+\]\+\+"), format!(r"&{COUNTERS}\[\d+\]"));
    let several = |one: &str| format!("{one}(?:,{one})*");
    Regex::new(&format!("{}|{}", several(&increment), several(&address))).expect("a constant")
});

/// The instrumented `files` of one preprocessed text as one program: each file's counters follow those of the file before,
/// and its points stay with it. A function with rows of several files, as `#line` makes them, increments the counters of each.
/// None without files.
pub fn joined(files: &[Instrumented]) -> Option<Instrumented> {
    static NUMBER: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(&format!(r"\b{COUNTERS}\[(\d+)")).expect("a constant"));
    let first = files.first()?;
    let mut inserts: Vec<(usize, String)> = Vec::new();
    let mut functions: Vec<InstrumentedFunction> = Vec::new();
    let mut counters = 0;
    for file in files {
        let renumbered = |found: &Captures<'_>| {
            let number: u32 = found[1].parse().expect("digits");
            format!("{COUNTERS}[{}", number + counters)
        };
        let moved =
            |(offset, text): &(usize, String)| (*offset, NUMBER.replace_all(text, renumbered).into_owned());
        let mut new: Vec<(usize, String)> = file.inserts.iter().map(moved).collect();
        for function in &file.functions {
            if functions.iter().any(|known| known.range == function.range) {
                share(&mut inserts, &mut new, &function.range);
            } else {
                functions.push(function.clone());
            }
        }
        inserts.append(&mut new);
        counters += file.counters;
    }
    // The sort is stable, and no two files have insertions in one function, so the order within a function stays.
    inserts.sort_by_key(|(offset, _)| *offset);
    Some(Instrumented {
        text: first.text.clone(),
        bare_text: first.bare_text.clone(),
        inserts,
        counters,
        points: Vec::new(),
        lines: BTreeMap::new(),
        typed: BTreeMap::new(),
        inner_points: BTreeMap::new(),
        expansions: BTreeMap::new(),
        partial_definitions: BTreeSet::new(),
        evaluated_lines: BTreeSet::new(),
        inclusions: BTreeMap::new(),
        directives: BTreeSet::new(),
        blank_lines: BTreeSet::new(),
        compiler_names: BTreeSet::new(),
        is_expanded_elsewhere: false,
        elsewhere: Vec::new(),
        functions,
        chains: Vec::new(),
        has_vectors: false,
    })
}

/// Move the increments of `new` in the function at `range` to those of `known` there. Equal insertions are at the same
/// places, since the text is the same. If they differ, the program must not compile: its counts would be wrong.
fn share(known: &mut [(usize, String)], new: &mut Vec<(usize, String)>, range: &Range<usize>) {
    let is_inside = |(offset, _): &(usize, String)| range.contains(offset);
    let mut ours: Vec<&mut (usize, String)> = known.iter_mut().filter(|insert| is_inside(insert)).collect();
    let theirs: Vec<&(usize, String)> = new.iter().filter(|insert| is_inside(insert)).collect();
    // One of the files may refuse the function, or have shared a function around it.
    if ours.is_empty() || theirs.is_empty() {
        return;
    }
    let shape = |(offset, text): &(usize, String)| (*offset, INCREMENTS.replace_all(text, "").into_owned());
    let is_same = ours.iter().map(|insert| shape(insert)).eq(theirs.iter().map(|insert| shape(insert)));
    if !is_same {
        ours[0].1.insert_str(0, DIFFERENT);
        return;
    }
    for (ours, theirs) in ours.iter_mut().zip(theirs) {
        let mut added = INCREMENTS.find_iter(&theirs.1);
        let both =
            |found: &Captures<'_>| format!("{},{}", &found[0], added.next().map_or("", |new| new.as_str()));
        ours.1 = INCREMENTS.replace_all(&ours.1, both).into_owned();
    }
    new.retain(|insert| !is_inside(insert));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Preprocessed, Uncounted, instrument};

    #[test]
    fn files_of_one_text_have_counters_one_after_the_other() {
        let text = "# 1 \"p.c\"\n# 1 \"h.h\" 1\nint g(int a);\nint f(int a) { return g(g(a)) && 1; }\n# 2 \"p.c\" 2\nint main(void) { return f(0); }\n";
        let of = |name: &str| instrument(&Preprocessed::new(text.into(), name), false).unwrap();
        let (program, header) = (of("p.c"), of("h.h"));
        let both = joined(&[program, header]).unwrap();
        let (program, header) = (of("p.c"), of("h.h"));
        assert_eq!(both.counters, program.counters + header.counters);
        let counting = both.counting(false);
        let plain = |text: &str| text.replace(char::is_numeric, "");
        // What was inserted for the header comes first in the text, with the later counters.
        assert!(counting.contains(&format!("{COUNTERS}[{}]", both.counters - 1)), "{counting}");
        let address = Regex::new(&format!(r"&{COUNTERS}\[(\d+)\]")).unwrap();
        let first = |text: &str| address.captures(text).unwrap()[1].parse::<u32>().unwrap();
        assert_eq!(first(&counting), first(&header.counting(false)) + program.counters);
        for line in header.counting(false).lines().filter(|line| line.contains("int f(")) {
            assert!(plain(&counting).contains(&plain(line)), "{counting}");
        }
        for line in program.counting(false).lines().filter(|line| line.contains("int main(")) {
            assert!(counting.contains(line), "{counting}");
        }
        assert!(joined(&[]).is_none());
    }
    #[test]
    fn a_function_with_rows_of_two_files_increments_the_counters_of_both() {
        let text = "# 1 \"p.c\"\nint f(int a, int b)\n{\n# 8 \"p.y\"\n    if (a && b && a > 1)\n        return f(f(a, b), 1);\n# 5 \"p.c\"\n    return 0;\n}\n";
        let of = |name: &str| instrument(&Preprocessed::new(text.into(), name), false).unwrap();
        let (program, grammar) = (of("p.c"), of("p.y"));
        let both = joined(&[of("p.c"), of("p.y")]).unwrap();
        assert_eq!((both.functions.len(), both.counters), (1, program.counters + grammar.counters));
        // Each counter is incremented next to that of the other file, and in the same place.
        let mut counting = both.counting(false);
        for counter in 0..program.counters {
            let other = counter + program.counters;
            let pair = format!("{COUNTERS}[{counter}]++,{COUNTERS}[{other}]++");
            let addresses = format!("&{COUNTERS}[{counter}],&{COUNTERS}[{other}]");
            assert!(counting.contains(&pair) || counting.contains(&addresses), "{counting}");
            counting = counting.replace(&pair, &format!("{COUNTERS}[{counter}]++"));
            counting = counting.replace(&addresses, &format!("&{COUNTERS}[{counter}]"));
        }
        assert_eq!(counting, program.counting(false));
        for remains in [Uncounted::Shape, Uncounted::Values, Uncounted::Tests] {
            assert_eq!(both.without_counters(remains), program.without_counters(remains));
        }
    }
}
