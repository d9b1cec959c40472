//! What a sanitizer or valgrind reports: undefined behaviour of a program that can change counts.

use std::fmt;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::model::Line;
use crate::model::SOURCE;

/// A report of undefined behaviour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    pub tool: &'static str,
    /// The kind of fault, in the words of the tool.
    pub what: String,
    /// The line of the program that the tool names first.
    pub line: Option<Line>,
}

/// How reports begin. What valgrind and the sanitizers report besides (leaks, for example) changes no count.
static BEGIN: LazyLock<Regex> = LazyLock::new(|| {
    let parts = [
        r"runtime error: (?P<ub>.*)",
        r"ERROR: AddressSanitizer: (?P<asan>(?:heap|stack|global|dynamic-stack|negative-size-param)[\w-]*)",
        r"ERROR: AddressSanitizer: (?P<free>attempting [\w-]+|[\w-]+-param-overlap)",
        r"WARNING: MemorySanitizer: (?P<msan>use-of-uninitialized-value)",
        r"(?P<valgrind>Conditional jump or move depends on uninitialised value|Use of uninitialised value)",
    ];
    Regex::new(&parts.join("|")).expect("a constant")
});

/// The flags with which clang says whether a conditional cleanup is due, which it leaves uninitialised where a jump leads past them
/// (`createCleanupActiveFlag` in CGCleanup.cpp): they are not of the program.
const OF_COMPILER: &str = "created by an allocation of 'cleanup.cond'";

impl Complaint {
    /// The first complaint about the program in what it printed on its standard error.
    pub fn first(stderr: &str) -> Option<Complaint> {
        let all: Vec<_> = BEGIN.captures_iter(stderr).collect();
        let starts = all.iter().skip(1).filter_map(|next| Some(next.get(0)?.start()));
        let ends = starts.chain([stderr.len()]);
        let is_of_program = |found: &Captures<'_>, end: usize| {
            found.get(0).is_some_and(|start| !stderr[start.start()..end].contains(OF_COMPILER))
        };
        let found = all.iter().zip(ends).find(|(found, end)| is_of_program(found, *end))?.0;
        let tools = [
            ("ub", "UndefinedBehaviorSanitizer"),
            ("asan", "AddressSanitizer"),
            ("free", "AddressSanitizer"),
            ("msan", "MemorySanitizer"),
            ("valgrind", "valgrind"),
        ];
        let (tool, what) =
            tools.into_iter().find_map(|(group, tool)| Some((tool, found.name(group)?.as_str())))?;
        let begins = stderr[..found.get(0)?.start()].rfind('\n').map_or(0, |at| at + 1);
        // UndefinedBehaviorSanitizer names the place on the same line, the others list the calls on the lines below.
        let lines = if found.name("ub").is_some() { 1 } else { usize::MAX };
        let line = stderr[begins..].lines().take(lines).find_map(place);
        Some(Complaint { tool, what: what.to_lowercase(), line })
    }
}

/// The line of the program that `text` names.
fn place(text: &str) -> Option<Line> {
    static PLACE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(&format!(r"(?m)(?:^|[/(\s]){}:(\d+)", regex::escape(SOURCE))).expect("a constant")
    });
    PLACE.captures(text)?[1].parse().ok()
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Complaint { tool, what, .. } = self;
        match self.line {
            Some(line) => write!(f, "{tool} reports on line {line}: {what}"),
            None => write!(f, "{tool} reports: {what}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tool_the_fault_and_the_line_are_read() {
        let said = |stderr: &str| Complaint::first(stderr).map(|found| found.to_string());
        let ub = "p.c:7:9: runtime error: shift exponent 40 is too large for 32-bit type 'int'\n";
        assert_eq!(
            said(ub).as_deref(),
            Some(
                "UndefinedBehaviorSanitizer reports on line 7: shift exponent 40 is too large for 32-bit type 'int'"
            )
        );
        let asan = "==9==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x55\nREAD of size 4\n    \
                    #0 0x55 in memcpy /x/y.c:3\n    #1 0x55 in main /w/p.c:12\n";
        assert_eq!(said(asan).as_deref(), Some("AddressSanitizer reports on line 12: heap-buffer-overflow"));
        let valgrind = "==7== Conditional jump or move depends on uninitialised value(s)\n==7==    at 0x1: main (p.c:5)\n";
        assert_eq!(
            said(valgrind).as_deref(),
            Some("valgrind reports on line 5: conditional jump or move depends on uninitialised value")
        );
        let msan =
            "==1==WARNING: MemorySanitizer: use-of-uninitialized-value\n    #0 0x4 in main (/tmp/p+0x4)\n";
        assert_eq!(said(msan).as_deref(), Some("MemorySanitizer reports: use-of-uninitialized-value"));
        let of_compiler = "==1==WARNING: MemorySanitizer: use-of-uninitialized-value\n  Uninitialized value was created by an \
                           allocation of 'cleanup.cond' in the stack frame\n";
        let both = format!("{of_compiler}{msan}");
        assert_eq!(said(&both).as_deref(), Some("MemorySanitizer reports: use-of-uninitialized-value"));
        for silent in [
            "",
            of_compiler,
            "p.c:3: note\n",
            "==1==ERROR: LeakSanitizer: detected memory leaks\n",
            "==1==ERROR: AddressSanitizer: SEGV on unknown address\n",
        ] {
            assert_eq!(said(silent), None, "{silent}");
        }
    }
}
