//! The instrumenter: from a preprocessed program to one that counts its points.
//!
//! All edits are insertions: an increment before a statement (in braces where a
//! single statement has to stand), after a label, at the head of a block, before
//! the step of a `for`; and around what is tested, `C` becomes
//! `((C)?(t++,1):(f++,0))`. So every operand is evaluated once, in its order, and
//! nothing whose type or value is used is touched: the arms of `?:` are counted by
//! the outcomes of its condition, since `(n++,0)` is no null pointer. What has to
//! be constant (sizes, `case`s, `sizeof`, `__builtin_constant_p`) is left alone.

mod constants;
mod decisions;
mod expressions;
mod statements;

use tree_sitter::Node;

use super::points::{Chain, Instrumented, Mark, MarkKind, Point, PointId, PointKind, Slot, Traced};
use super::preprocessed::Preprocessed;
use super::walk::old_style_start;
use crate::model::Line;
use constants::Names;

/// The name of the counters.
const COUNTERS: &str = "recount_truth";

/// Deeper than this nothing is instrumented: compilers limit nesting too (clang: 256 brackets).
const DEEPEST: u32 = 200;

/// Instrument `program`, so that it writes its counters to `output` as it exits; `follows` says whether the
/// test vectors of its decisions are counted too. None where it is [too deep](super::Program::is_too_deep).
pub fn instrument(program: &Preprocessed, output: &str, follows: bool) -> Option<Instrumented> {
    let masked = program.masked();
    let tree = program.tree(&masked)?;
    let mut weaver = Weaver {
        program,
        masked: &masked,
        inserts: Vec::new(),
        points: Vec::new(),
        marks: Vec::new(),
        functions: Vec::new(),
        chains: Vec::new(),
        follows,
        path: None,
        names: Names::of(tree.root_node(), &masked),
        slots: 0,
        function: 0,
        leaves: 0,
        labels: 0,
        failed: false,
    };
    weaver.file(tree.root_node());
    Some(weaver.finish(output))
}

/// An insertion. At one offset what closes stands before what opens.
struct Insert {
    offset: usize,
    opens: bool,
    text: String,
}

struct Weaver<'a> {
    program: &'a Preprocessed,
    masked: &'a str,
    inserts: Vec<Insert>,
    points: Vec<Point>,
    marks: Vec<(Line, Mark)>,
    functions: Vec<Traced>,
    chains: Vec<Chain>,
    /// Whether chains are followed.
    follows: bool,
    /// The chain whose operands are at hand.
    path: Option<usize>,
    names: Names<'a>,
    slots: u32,
    function: usize,
    /// Calls and statement expressions seen so far: ways in which an evaluation may not complete.
    leaves: usize,
    /// Labels and `case`s seen so far: ways into what is around them.
    labels: usize,
    /// Whether the function at hand cannot be instrumented.
    failed: bool,
}

/// How a statement stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// In a sequence, where another may stand before it.
    Item,
    /// The last of a statement expression, whose value it is.
    Value,
    /// Where there is room for one statement.
    Sole,
}

impl<'a> Weaver<'a> {
    fn file(&mut self, root: Node<'_>) {
        let mut cursor = root.walk();
        for node in root.children(&mut cursor) {
            match node.kind() {
                "function_definition" => {
                    if let Some(body) = node.child_by_field_name("body") {
                        self.function(node, node.start_byte(), body, 0);
                    }
                }
                "compound_statement" => self.function(node, old_style_start(node), node, 0),
                _ => {}
            }
        }
    }

    /// A function whose head begins at `start`. What cannot be instrumented is undone.
    fn function(&mut self, node: Node<'_>, start: usize, body: Node<'_>, depth: u32) {
        let head_rows = self.masked[start..body.start_byte()].matches('\n').count();
        let (first, last) = (body.start_position().row - head_rows, body.end_position().row);
        let outer = (self.function, self.failed);
        let (inserts, points, marks) = (self.inserts.len(), self.points.len(), self.marks.len());
        let (chains, path) = (self.chains.len(), self.path.take());
        let lines = (first..=last).filter_map(|row| self.program.line(row));
        let lines: Vec<Line> = lines.collect();
        let (Some(&from), Some(&to)) = (lines.iter().min(), lines.iter().max()) else { return };
        self.function = self.functions.len();
        self.functions.push(Traced { lines: (from, to), counted: true });
        // A head with a body in it is one that the parser took for a type.
        let head = &self.masked[start..body.start_byte()];
        self.failed = node.has_error() || body.kind() != "compound_statement" || head.contains(['{', '}']);
        if !self.failed {
            let entry = self.counted(PointKind::Entry, None);
            for (row, text) in (first..).zip(self.masked[start..body.start_byte()].split('\n')) {
                if !text.trim().is_empty() {
                    self.mark_at((row, None), entry, MarkKind::Code);
                }
            }
            self.block(body, entry, false, depth);
        }
        if self.failed {
            self.inserts.truncate(inserts);
            self.points.truncate(points);
            self.marks.truncate(marks);
            self.chains.truncate(chains);
            for function in &mut self.functions[self.function..] {
                function.counted = false;
            }
        }
        self.path = path;
        (self.function, self.failed) = outer;
    }
    /// The mark of the keyword that `node` begins with. Its parentheses and semicolons belong
    /// to nobody, nor does `else`.
    fn keyword(&mut self, node: Node<'_>, point: PointId) {
        if let Some(keyword) = node.child(0) {
            self.mark(keyword, point);
        }
    }

    fn mark(&mut self, token: Node<'_>, point: PointId) {
        if matches!(token.kind(), ")" | "]") {
            self.mark_at((token.start_position().row, None), point, MarkKind::Ends);
        }
        if matches!(token.kind(), ";" | "(" | ")" | "," | "{" | "}" | ":" | "?" | "]") {
            return;
        }
        self.mark_start(token, point, MarkKind::Code);
        for row in token.start_position().row + 1..=token.end_position().row {
            self.mark_at((row, None), point, MarkKind::Code);
        }
    }

    /// The mark of the first row of `node`.
    fn mark_start(&mut self, node: Node<'_>, point: PointId, kind: MarkKind) {
        let start = node.start_position();
        self.mark_at((start.row, Some(start.column)), point, kind);
    }

    /// A mark on a row, at a column where that is known.
    fn mark_at(&mut self, (row, column): (usize, Option<usize>), point: PointId, kind: MarkKind) {
        let Some(line) = self.program.line(row) else { return };
        let kind = match kind {
            MarkKind::Code
                if self.points[point].constant && self.points[point].kind == PointKind::Operand =>
            {
                MarkKind::Folded
            }
            other => other,
        };
        let is_end = matches!(kind, MarkKind::Closes | MarkKind::Ends);
        let begins = !is_end && self.points[point].line.is_none();
        if begins {
            self.points[point].line = Some(line);
            self.points[point].column = column.and_then(|column| self.program.column(row, column));
        }
        self.marks.push((line, Mark { point, begins, kind }));
    }

    /// A piece begins where its first token stands, be that punctuation.
    fn begin(&mut self, node: Node<'_>, point: PointId) {
        self.mark_start(node, point, MarkKind::Code);
    }

    /// The increment before a statement.
    fn start(&mut self, node: Node<'_>, point: PointId) {
        self.begin(node, point);
        let slots = self.points[point].slots.clone().unwrap_or_default();
        self.insert(node.start_byte(), true, increment(slots[0]));
    }

    fn insert(&mut self, offset: usize, opens: bool, text: String) {
        self.inserts.push(Insert { offset, opens, text });
    }

    fn slot(&mut self) -> Slot {
        self.slots += 1;
        self.slots - 1
    }

    /// A point with a counter of its own.
    fn counted(&mut self, kind: PointKind, within: Option<PointId>) -> PointId {
        let slot = self.slot();
        self.point(kind, Some(vec![slot]), within)
    }

    fn point(&mut self, kind: PointKind, slots: Option<Vec<Slot>>, within: Option<PointId>) -> PointId {
        self.points.push(Point {
            kind,
            slots,
            outcomes: None,
            completed: None,
            holds_block: false,
            constant: false,
            function: self.function,
            within,
            line: None,
            column: None,
            folded: false,
            calls: false,
        });
        self.points.len() - 1
    }

    fn text(&self, node: Node<'_>) -> &'a str {
        &self.masked[node.byte_range()]
    }

    fn finish(mut self, output: &str) -> Instrumented {
        // The sort is stable: inner ends and outer beginnings come first, as they were made.
        self.inserts.sort_by_key(|insert| (insert.offset, insert.opens));
        let mut source = format!("static unsigned long long {COUNTERS}[{}];\n", self.slots.max(1));
        let mut at = 0;
        for insert in &self.inserts {
            source.push_str(&self.program.text[at..insert.offset]);
            source.push_str(&insert.text);
            at = insert.offset;
        }
        source.push_str(&self.program.text[at..]);
        source.push_str(&epilogue(output));
        let mut lines = std::collections::BTreeMap::<Line, Vec<Mark>>::new();
        for (line, mark) in self.marks {
            let marks = lines.entry(line).or_default();
            if marks.last() != Some(&mark) {
                marks.push(mark);
            }
        }
        Instrumented {
            source,
            slots: self.slots,
            points: self.points,
            lines,
            arguments: self.program.arguments(),
            functions: self.functions,
            chains: self.chains,
        }
    }
}

fn increment(slot: Slot) -> String {
    format!("{COUNTERS}[{slot}]++;")
}

/// Puts a 1 behind what is in the file when the program begins, and the counters when everything that it registered for its
/// exit has run. Of several processes each leaves something, and so does a program that executes itself. The
/// names are glibc's own, which a program does not define.
fn epilogue(output: &str) -> String {
    format!(
        "\nextern int __open(const char *, int, ...);\nextern long __write(int, const void *, unsigned long);\n\
         extern int __close(int);\n\
         static void recount_append(const void *what, unsigned long size) {{\n\
         int file = __open(\"{output}\", 02101, 0600);\n\
         if (file >= 0) {{ __write(file, what, size); __close(file); }}\n}}\n\
         __attribute__((constructor(0))) static void recount_begin(void) {{\n\
         unsigned long long one = 1;\nrecount_append(&one, sizeof one);\n}}\n\
         __attribute__((destructor(0))) static void recount_write(void) {{\n\
         recount_append({COUNTERS}, sizeof {COUNTERS});\n}}\n"
    )
}
