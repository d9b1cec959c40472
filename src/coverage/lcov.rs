//! Tracefiles of lcov (geninfo(1) describes the records): a reader of `llvm-cov export -format=lcov`
//! (CoverageExporterLcov.cpp), and a writer for any report. The DA records are llvm-cov's exact line counts: `show`
//! rounds them, and the JSON export contains segments only.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{BranchCount, Coverage, FunctionCount, Unreadable, only_file, totals};
use crate::model::Line;

/// The report on the file `path` in the tracefile `text`. A section without an end is ignored.
pub fn read(text: &str, path: &str) -> Result<Coverage, Unreadable> {
    let whole = text.rfind("end_of_record").map_or("", |end| &text[..end]);
    let section = only_file(whole.split("end_of_record"), |section| name(section), path)?;
    let (mut coverage, mut sums) = (Coverage::default(), Vec::new());
    for line in section.lines() {
        let Some((tag, rest)) = line.split_once(':').filter(|(tag, _)| is_tag(tag)) else {
            if line.trim().is_empty() {
                continue;
            }
            return Err(Unreadable::Format(format!("{line:?} is not a record of a tracefile")));
        };
        let fields: Vec<&str> = rest.split(',').collect();
        match (tag, fields.as_slice()) {
            ("DA", [line, count, ..]) => coverage.add_line(number(line)?, number(count)?),
            ("FN", [line, name]) => {
                let name = (*name).to_string();
                coverage.functions.push(FunctionCount { name, line: number(line)?, count: 0 });
            }
            ("FNDA", [count, name]) => {
                let count = number(count)?;
                let named = coverage.functions.iter_mut().find(|function| function.name == *name);
                if let Some(function) = named {
                    function.count = count;
                }
            }
            ("BRDA", [line, _, _, taken]) => coverage.branches.push(BranchCount {
                line: number(line)?,
                taken: if *taken == "-" { None } else { Some(number(taken)?) },
            }),
            ("LF" | "LH" | "FNF" | "FNH" | "BRF" | "BRH", [sum]) => sums.push((tag, number(sum)?)),
            _ => {}
        }
    }
    coverage.totals = totals::of_tracefile(&sums);
    Ok(coverage)
}

/// `coverage` of the file `path` as the section of test `test` in a tracefile.
pub fn write(coverage: &Coverage, test: &str, path: &str) -> String {
    // The name of a test consists of letters, digits and underscores.
    let test: String = test.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let mut out = format!("TN:{test}\nSF:{path}\n");
    let functions = &coverage.functions;
    for function in functions {
        let _ = writeln!(out, "FN:{},{}", function.line, function.name);
    }
    for function in functions {
        let _ = writeln!(out, "FNDA:{},{}", function.count, function.name);
    }
    let hit = functions.iter().filter(|function| function.count > 0).count();
    let _ = writeln!(out, "FNF:{}\nFNH:{hit}", functions.len());
    // gcov has no numbers for the blocks of lcov's format, so the outcomes of a line are numbered.
    let mut outcomes: BTreeMap<Line, usize> = BTreeMap::new();
    for BranchCount { line, taken } in &coverage.branches {
        let outcome = outcomes.entry(*line).or_default();
        let taken = taken.map_or_else(|| "-".into(), |taken| taken.to_string());
        let _ = writeln!(out, "BRDA:{line},0,{outcome},{taken}");
        *outcome += 1;
    }
    if !coverage.branches.is_empty() {
        let hit = coverage.branches.iter().filter(|branch| branch.taken.is_some_and(|taken| taken > 0));
        let _ = writeln!(out, "BRF:{}\nBRH:{}", coverage.branches.len(), hit.count());
    }
    for (line, count) in coverage.counted() {
        let _ = writeln!(out, "DA:{line},{count}");
    }
    let (all, hit) = (coverage.counted().count(), coverage.counted().filter(|(_, count)| *count > 0).count());
    let _ = writeln!(out, "LF:{all}\nLH:{hit}\nend_of_record");
    out
}

/// Whether `text` may name a kind of record. A record of an unknown kind is skipped, but anything else shows that the file is
/// damaged.
fn is_tag(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// The name of the file that a section is about; empty if there is none.
fn name(section: &str) -> &str {
    section.lines().find_map(|line| line.strip_prefix("SF:")).unwrap_or_default()
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, Unreadable> {
    text.parse().map_err(|_| Unreadable::Format(format!("{text:?} is not a number")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_section_of_our_file_is_read() {
        let text = "SF:/x/q.h\nDA:1,9\nend_of_record\nSF:/x/p.c\nFN:3,f\nFNDA:2,f\nDA:3,2\nDA:4,0\nBRDA:3,0,0,-\n\
                    BRDA:3,0,1,5\nend_of_record\n";
        let coverage = read(text, "/x/p.c").unwrap();
        assert_eq!(coverage.counted().collect::<Vec<_>>(), [(3, 2), (4, 0)]);
        assert_eq!(coverage.functions[0].count, 2);
        assert_eq!(coverage.branches.iter().map(|branch| branch.taken).collect::<Vec<_>>(), [None, Some(5)]);
        assert!(read(text, "p.c").is_err());
    }

    #[test]
    fn a_damaged_tracefile_is_not_read() {
        let text = "SF:/x/p.c\nDA:1,9\nDA:2,9\nDA:3,9\nend_of_record\n";
        assert!(read(text, "/x/p.c").is_ok());
        for garbage in ["DA:1,9\nDgarbage!9\nDA:3", "DA:1,9\ngarbage!A:3"] {
            let damaged = text.replace("DA:1,9\nDA:2,9\nDA:3", garbage);
            assert!(read(&damaged, "/x/p.c").is_err(), "{damaged}");
        }
    }

    #[test]
    fn a_written_tracefile_is_read_back_unchanged() {
        let function = |name: &str, line, count| FunctionCount { name: name.into(), line, count };
        let branch = |line, taken| BranchCount { line, taken };
        let mut coverage: Coverage = [(3, 2), (4, 0), (9, u64::MAX)].into_iter().collect();
        coverage.functions = vec![function("main", 3, 1), function("f", 9, 0)];
        coverage.branches = vec![branch(3, Some(2)), branch(3, Some(0)), branch(4, None)];
        let text = write(&coverage, "a b/p.default.gcc-12", "/x/p.c");
        assert!(text.starts_with("TN:a_b_p_default_gcc_12\nSF:/x/p.c\nFN:3,main\n"), "{text}");
        for record in
            ["FNF:2\nFNH:1\n", "BRDA:3,0,1,0\nBRDA:4,0,0,-\nBRF:3\nBRH:1\n", "LF:3\nLH:2\nend_of_record\n"]
        {
            assert!(text.contains(record), "{text}");
        }
        let again = read(&text, "/x/p.c").unwrap();
        let totals: Vec<(u64, (u64, u64))> =
            again.totals.iter().map(|total| (total.all, total.covered)).collect();
        assert_eq!(totals, [(3, (2, 2)), (2, (1, 1)), (3, (1, 1))], "lines, functions, branches");
        assert_eq!(Coverage { totals: Vec::new(), ..again }, coverage);
    }
}
