//! The state of probing one text: the text, the probes so far, and the C code to insert for them.

use std::ops::Range;

use tree_sitter::Node;

use super::super::nodes::NodeExt;
use super::super::preprocessed::Preprocessed;
use super::Probes;
use super::purity::Purity;

/// The beginning of the probed text: macros and functions. The text that generated callers of a function need.
pub const PRELUDE: &str = include_str!("prelude.h");

/// Declarations of the harness's functions that probed code calls.
const HARNESS: &str = "\
extern int recount_visit(unsigned int, int, int, int, unsigned long long, unsigned long long, int);
extern void recount_switch(unsigned int, unsigned int, unsigned int, const long long *, long long);
extern int recount_setjmp(void *) __asm__(\"_setjmp\") __attribute__((__returns_twice__));
extern void *recount_shadow_begin(void);
extern void recount_shadow_end(void);
#define RECOUNT_VISIT(id, kind, l, r, outcome) \\
    recount_visit(id, kind, RECOUNT_TYPE(l), RECOUNT_TYPE(r), RECOUNT_BITS(l), RECOUNT_BITS(r), outcome)
";

/// The probes in addition to those of branches.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProbeOptions {
    /// The lines on which statements begin.
    pub lines: bool,
    /// Comparisons that are returned, although they are no branches.
    pub returned_comparisons: bool,
}

pub(super) struct ProbeInserter<'a> {
    pub program: &'a Preprocessed,
    pub masked: &'a str,
    pub options: ProbeOptions,
    pub purity: Purity<'a>,
    pub probes: Probes,
    /// Position, whether the text opens a construct, and the text.
    pub inserts: Vec<(usize, bool, String)>,
    removed: Vec<Range<usize>>,
    pub cases: usize,
}

impl<'a> ProbeInserter<'a> {
    pub fn new(program: &'a Preprocessed, masked: &'a str, root: Node<'_>, options: ProbeOptions) -> Self {
        ProbeInserter {
            program,
            masked,
            options,
            purity: Purity::of(root, masked),
            probes: Probes::default(),
            inserts: Vec::new(),
            removed: Vec::new(),
            cases: 0,
        }
    }

    /// The line of `node` in the main file; 0 if it is elsewhere.
    pub fn line(&self, node: Node<'_>) -> u32 {
        self.program.line(node.start_position().row).unwrap_or(0)
    }

    pub fn operator(&self, node: Node<'_>) -> &str {
        node.field("operator").map_or("", |operator| operator.text(self.masked))
    }

    /// Whether `node` is `a && b` or `a || b`.
    pub fn is_chain(&self, node: Node<'_>) -> bool {
        let node = node.without_parentheses();
        node.kind() == "binary_expression" && matches!(self.operator(node), "&&" | "||")
    }

    pub fn open(&mut self, at: usize, text: impl Into<String>) {
        self.inserts.push((at, true, text.into()));
    }

    pub fn close(&mut self, at: usize, text: impl Into<String>) {
        self.inserts.push((at, false, text.into()));
    }

    pub fn remove(&mut self, range: Range<usize>) {
        self.removed.push(range);
    }

    /// The probed text.
    pub fn finish(mut self) -> (String, Probes) {
        // The sort is stable: at one place, inner ends come before outer ends, and outer beginnings before inner ones.
        self.inserts.sort_by_key(|(at, opens, _)| (*at, *opens));
        let mut text = self.program.text.clone().into_bytes();
        for removed in self.removed {
            text[removed].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        }
        let text = String::from_utf8(text).expect("only whole characters are removed");
        let mut source = format!("{PRELUDE}{HARNESS}");
        let mut at = 0;
        for (position, _, insert) in self.inserts {
            source += &text[at..position];
            source += &insert;
            at = position;
        }
        source += &text[at..];
        (source, self.probes)
    }
}
