//! What gcc generates of a program without coverage: which lines have machine code, which functions there are, and where it
//! tests. gcov must show all of them.
//!
//! A second witness, which shares nothing with gcov but the locations of statements: lines are those of the table of line
//! numbers (`.loc`), functions those with a `.type`, tests and labels those of gcc's intermediate language
//! (`-fdump-tree-cfg-lineno`, in which `dump_gimple_cond` and `dump_gimple_switch` in gimple-pretty-print.cc print a test
//! after its place, and `dump_gimple_label` a label). It says nothing about counts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use anyhow::Result;
use regex::Regex;

use crate::model::{Family, Line};
use crate::toolchain::{Profiler, Request, SOURCE, Worker, compile_text_with_places, compile_with_places};

/// What gcc generated of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GeneratedCode {
    /// The lines with machine code, and those of labels that gcc keeps.
    pub lines: BTreeSet<Line>,
    /// The names of the functions, without the suffixes of copies.
    pub functions: BTreeSet<String>,
    /// How many arcs leave the tests on each line: two for a condition, one for each target of a `switch`.
    pub arcs: BTreeMap<Line, usize>,
}

impl GeneratedCode {
    /// By the compiler of `profiler`. None with clang, whose regions are those of the source and not of its code, with
    /// optimisation, and if it cannot be compiled like this.
    ///
    /// # Errors
    /// Internal errors, errors of the machine, and interrupts.
    pub fn of(
        profiler: &dyn Profiler,
        worker: &mut Worker,
        request: &Request<'_>,
    ) -> Result<Option<GeneratedCode>> {
        if !says_all(profiler, request.flags) {
            return Ok(None);
        }
        let name = request.file.map_or(SOURCE, |file| file.as_str());
        let compiled = compile_with_places(profiler, worker, request)?;
        Ok(compiled.ok().map(|(assembly, tests)| parse(&assembly, &tests, name)))
    }

    /// The same of the files `names` in the preprocessed text of a unit of a package, in this order.
    ///
    /// # Errors
    /// Internal errors, errors of the machine, and interrupts.
    pub fn of_unit<'a>(
        profiler: &dyn Profiler,
        worker: &mut Worker,
        flags: &[String],
        text: &str,
        names: impl Iterator<Item = &'a str>,
    ) -> Result<Vec<Option<GeneratedCode>>> {
        if !says_all(profiler, flags) {
            return Ok(names.map(|_| None).collect());
        }
        let compiled = compile_text_with_places(profiler, worker, flags, text)?;
        let code = |name| compiled.as_ref().ok().map(|(assembly, tests)| parse(assembly, tests, name));
        Ok(names.map(code).collect())
    }
}

/// Whether what the compiler of `profiler` generates with these flags is all that the profiler counts.
fn says_all(profiler: &dyn Profiler, flags: &[String]) -> bool {
    let level = flags.iter().rfind(|flag| flag.starts_with("-O"));
    profiler.info().profiler == Family::Gcov && level.is_none_or(|level| level == "-O0")
}

/// The code of the file with this name in `assembly` and in the dump `tests` of gcc.
fn parse(assembly: &str, tests: &str, name: &str) -> GeneratedCode {
    static FILE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"^\s*\.file\s+(\d+)\s.*"([^"]*)"\s*$"#).expect("a constant"));
    static PLACE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^\s*\.loc\s+(\d+)\s+(\d+)").expect("a constant"));
    static FUNCTION: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^\s*\.type\s+([^\s,]+),\s*[@%]function").expect("a constant"));
    static TEST: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^\s*\[([^\[\]]+):(\d+):\d+(?: discrim \d+)?\] (if \(|switch \(|<?[\w.]+>?:)(.*)$")
            .expect("a constant")
    });
    static TARGET: LazyLock<Regex> = LazyLock::new(|| Regex::new(r": (<?\w+>?)").expect("a constant"));
    let mut found = GeneratedCode::default();
    let mut numbers = BTreeSet::new();
    for line in assembly.lines() {
        if let Some(file) = FILE.captures(line) {
            numbers.extend((&file[2] == name).then(|| file[1].to_string()));
        } else if let Some(place) = PLACE.captures(line).filter(|place| numbers.contains(&place[1])) {
            found.lines.extend(place[2].parse::<Line>().ok().filter(|line| *line > 0));
        } else if let Some(function) = FUNCTION.captures(line) {
            found.functions.insert(function[1].split('.').next().unwrap_or_default().to_string());
        }
    }
    for test in tests.lines().filter_map(|line| TEST.captures(line)).filter(|test| &test[1] == name) {
        let Ok(line) = test[2].parse() else { continue };
        let arcs = match &test[3] {
            // A label has no machine code, but gcov counts the arrivals at it.
            label if label.ends_with(':') => {
                found.lines.insert(line);
                continue;
            }
            "switch (" => TARGET
                .captures_iter(&test[4])
                .map(|target| target[1].to_string())
                .collect::<BTreeSet<_>>()
                .len(),
            _ => 2,
        };
        *found.arcs.entry(line).or_default() += arcs;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn lines_functions_and_tests_are_those_of_the_file() {
        let assembly = "\t.file\t\"p.c\"\n\t.type\tmain, @function\nmain:\n\t.file 1 \"p.c\"\n\t.loc 1 3 1\n\
                        \t.file 2 \"/usr/include/x.h\"\n\t.loc 2 70 5\n\t.loc 1 5 8 is_stmt 0 discriminator 2\n\
                        \t.type\tcopy.0, @function\n";
        let tests = "  [p.c:9:12] if (i_5 == 3)\n  [p.c:9:20 discrim 1] if (b > 2)\n  [x.h:4:1] if (a != 0)\n  \
                     [p.c:12:9] switch (i) <default: <L8> [INV], case 5: <L5> [INV], case 6 ... 9: <L8> [INV], case 11: out [INV]>\n\
                     [p.c:14:1] out:\n  [p.c:15:3] <L8>:\n  [p.c:16:3] x = f (y);\n";
        let found = parse(assembly, tests, "p.c");
        assert_eq!(found.lines.into_iter().collect::<Vec<_>>(), [3, 5, 14, 15]);
        assert_eq!(found.functions.into_iter().collect::<Vec<_>>(), ["copy", "main"]);
        assert_eq!(found.arcs.into_iter().collect::<Vec<_>>(), [(9, 4), (12, 3)]);
    }
}
