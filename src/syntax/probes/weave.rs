//! Weaving the probes into a preprocessed text.
//!
//! A condition `a < b` becomes a statement expression that evaluates `a` and `b` once, in order, into
//! variables of their own types, reports both, and compares the variables. Literals are left where they
//! stand, so that a null pointer constant stays one.

use std::collections::BTreeSet;
use std::ops::Range;

use tree_sitter::Node;

use super::super::empty_tree;
use super::super::preprocessed::Preprocessed;
use super::conditions::bare;
use super::purity::{Purity, function_name};
use super::{Case, Comparison, Probes, Switch};

/// What the probed text begins with: macros, and what the harness defines.
const PRELUDE: &str = include_str!("prelude.h");

/// What probed code calls of the harness.
const HARNESS: &str = "\
extern int recount_visit(unsigned int, int, int, int, unsigned long long, unsigned long long, int);
extern void recount_switch(unsigned int, unsigned int, unsigned int, const long long *, long long);
extern int recount_setjmp(void *) __asm__(\"_setjmp\") __attribute__((__returns_twice__));
extern void *recount_shadow_begin(void);
extern void recount_shadow_end(void);
#define RECOUNT_VISIT(id, kind, l, r, outcome) \\
    recount_visit(id, kind, RECOUNT_TYPE(l), RECOUNT_TYPE(r), RECOUNT_BITS(l), RECOUNT_BITS(r), outcome)
";

/// A text with probes.
#[derive(Debug)]
pub struct Woven {
    /// The text, preprocessed C.
    pub source: String,
    /// What reports.
    pub probes: Probes,
}

/// Everything that code behind the prelude may use, for callers that are not probed.
pub fn prelude() -> &'static str {
    PRELUDE
}

/// What is to report.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    /// The lines on which statements begin.
    pub lines: bool,
    /// A comparison that is returned, which is no branch.
    pub returned: bool,
}

/// Put probes into the functions of `program` that are named.
pub fn probe(program: &Preprocessed, functions: &[String], asked: Asked) -> Woven {
    let masked = program.masked();
    let tree = program.tree(&masked).unwrap_or_else(empty_tree);
    let mut weaver = Weaver {
        program,
        masked: &masked,
        asked,
        purity: Purity::of(tree.root_node(), &masked),
        inserts: Vec::new(),
        cuts: Vec::new(),
        probes: Probes::default(),
        bounds: 0,
    };
    let root = tree.root_node();
    let mut cursor = root.walk();
    for node in root.children(&mut cursor).filter(|node| node.kind() == "function_definition") {
        let is_asked =
            function_name(node, &masked).is_some_and(|name| functions.iter().any(|wanted| wanted == name));
        if let Some(body) = node.child_by_field_name("body").filter(|_| is_asked && !node.has_error()) {
            weaver.node(body);
        }
    }
    weaver.finish()
}

/// The text, and what is put into it.
pub(super) struct Weaver<'a> {
    pub(super) program: &'a Preprocessed,
    pub(super) masked: &'a str,
    pub(super) asked: Asked,
    pub(super) purity: Purity<'a>,
    pub(super) inserts: Vec<(usize, bool, String)>,
    pub(super) cuts: Vec<Range<usize>>,
    pub(super) probes: Probes,
    pub(super) bounds: usize,
}

impl Weaver<'_> {
    pub(super) fn text(&self, node: Node<'_>) -> &str {
        &self.program.text[node.byte_range()]
    }

    pub(super) fn operator(&self, node: Node<'_>) -> &str {
        node.child_by_field_name("operator").map_or("", |operator| &self.masked[operator.byte_range()])
    }

    /// Whether `node` joins conditions.
    pub(super) fn is_chain(&self, node: Node<'_>) -> bool {
        let node = bare(node);
        node.kind() == "binary_expression" && matches!(self.operator(node), "&&" | "||")
    }

    pub(super) fn open(&mut self, at: usize, text: String) {
        self.inserts.push((at, true, text));
    }

    pub(super) fn close(&mut self, at: usize, text: String) {
        self.inserts.push((at, false, text));
    }

    /// Whatever stands below `node`.
    fn below(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        for child in children {
            self.node(child);
        }
    }

    pub(super) fn node(&mut self, node: Node<'_>) {
        match node.kind() {
            // What has to be constant, or is never evaluated.
            "sizeof_expression"
            | "alignof_expression"
            | "offsetof_expression"
            | "generic_expression"
            | "type_descriptor"
            | "array_declarator"
            | "enum_specifier"
            | "struct_specifier"
            | "union_specifier"
            | "gnu_asm_expression"
            | "attribute_specifier"
            | "function_definition"
            | "static_assert_declaration"
            | "ERROR" => {}
            "declaration" if self.text(node).trim_start().starts_with("static") => {}
            "call_expression" if self.is_unevaluated(node) => {}
            "if_statement" | "while_statement" | "do_statement" | "for_statement" => self.statement(node),
            "switch_statement" => self.switch(node),
            "conditional_expression" => self.choice(node),
            "return_statement" => self.returned(node),
            "case_statement" => {
                let value = node.child_by_field_name("value");
                let mut cursor = node.walk();
                let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
                for child in children.into_iter().filter(|child| Some(*child) != value) {
                    self.item(child);
                }
            }
            "compound_statement" | "labeled_statement" => {
                let mut cursor = node.walk();
                let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
                for child in children {
                    self.item(child);
                }
            }
            "binary_expression" if self.is_chain(node) => self.decision(node, false),
            _ => self.below(node),
        }
    }

    fn is_unevaluated(&self, call: Node<'_>) -> bool {
        const NAMES: [&str; 5] = [
            "__builtin_constant_p",
            "__builtin_types_compatible_p",
            "__builtin_choose_expr",
            "__builtin_offsetof",
            "typeof",
        ];
        call.child_by_field_name("function").is_some_and(|called| NAMES.contains(&self.text(called)))
    }

    /// A statement in a sequence.
    fn item(&mut self, node: Node<'_>) {
        if let Some(line) = self.line_of_statement(node) {
            self.open(node.start_byte(), format!("{line} "));
        }
        self.node(node);
    }

    /// A statement where there is room for one.
    fn sole(&mut self, node: Node<'_>) {
        match self.line_of_statement(node) {
            Some(line) => {
                self.open(node.start_byte(), format!("{{ {line} "));
                self.node(node);
                self.close(node.end_byte(), " }".into());
            }
            None => self.node(node),
        }
    }

    /// The probe of the line on which `node` begins, where lines are asked for and it is a statement.
    fn line_of_statement(&mut self, node: Node<'_>) -> Option<String> {
        let kinds = ["compound_statement", "labeled_statement", "case_statement"];
        let is_statement = node.kind().ends_with("_statement") && !kinds.contains(&node.kind());
        let is_empty = node.kind() == "expression_statement" && node.named_child_count() == 0;
        if !self.asked.lines || !is_statement || is_empty {
            return None;
        }
        let line = self.program.line(node.start_position().row)?;
        let known = self.probes.lines.iter().position(|known| *known == line);
        let index = known.unwrap_or_else(|| {
            self.probes.lines.push(line);
            self.probes.lines.len() - 1
        });
        Some(format!("recount_visit({index}, 5, 0, 0, 0, 0, 0);"))
    }

    fn statement(&mut self, node: Node<'_>) {
        let condition = node.child_by_field_name("condition");
        let bodies: Vec<Node<'_>> =
            ["consequence", "body"].into_iter().filter_map(|name| node.child_by_field_name(name)).collect();
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        for child in children {
            if Some(child) == condition {
                self.decision(child, false);
            } else if bodies.contains(&child) {
                self.sole(child);
            } else if child.kind() == "else_clause" {
                let mut cursor = child.walk();
                let inner: Vec<Node<'_>> = child.named_children(&mut cursor).collect();
                for body in inner.into_iter().filter(|body| body.kind() != "comment") {
                    self.sole(body);
                }
            } else {
                self.node(child);
            }
        }
    }

    fn choice(&mut self, node: Node<'_>) {
        let field = |name| node.child_by_field_name(name);
        let (Some(condition), Some(other)) = (field("condition"), field("alternative")) else { return };
        if let Some(chosen) = field("consequence") {
            self.decision(condition, false);
            self.node(chosen);
        } else {
            // `a ?: b` has a's value, which a probe would make 0 or 1.
            self.node(condition);
        }
        self.node(other);
    }

    fn returned(&mut self, node: Node<'_>) {
        let Some(value) = node.named_child(0).filter(|value| value.kind() != "comment") else { return };
        let inner = bare(value);
        let is_comparison =
            inner.kind() == "binary_expression" && Comparison::read(self.operator(inner)).is_some();
        let is_not = inner.kind() == "unary_expression" && self.operator(inner) == "!";
        if self.is_chain(value) || self.asked.returned && (is_comparison || is_not) {
            self.decision(value, true);
        } else {
            self.node(value);
        }
    }

    fn switch(&mut self, node: Node<'_>) {
        let (Some(condition), Some(body)) =
            (node.child_by_field_name("condition"), node.child_by_field_name("body"))
        else {
            return;
        };
        let Some(value) = condition.named_child(0) else { return };
        let cases = self.cases(body);
        let id = self.probes.switches.len();
        let first = self.bounds;
        self.bounds += cases.len();
        let table: Vec<String> =
            cases.iter().map(|(_, low, high)| format!("(long long)({low}), (long long)({high})")).collect();
        let line = self.program.line(node.start_position().row).unwrap_or(0);
        let named = cases.iter().map(|(line, low, high)| {
            let text = if low == high { low.clone() } else { format!("{low} ... {high}") };
            Case { line: *line, text }
        });
        self.probes.switches.push(Switch { line, cases: named.collect(), first });
        self.open(value.start_byte(), "({ __auto_type recount_l = (0,(".into());
        self.node(value);
        let count = table.len();
        let table = if table.is_empty() { "0".to_string() } else { table.join(", ") };
        self.close(
            value.end_byte(),
            format!(
                ")); static const long long recount_b[] = {{ {table} }}; \
                 recount_switch({id}, {first}, {count}, recount_b, (long long)recount_l); recount_l; }})"
            ),
        );
        self.node(body);
    }

    /// The cases of a switch's body, without those of switches in it: line, least and greatest value.
    fn cases(&self, body: Node<'_>) -> Vec<(u32, String, String)> {
        let mut found = Vec::new();
        let mut stack = vec![body];
        while let Some(node) = stack.pop() {
            if node.kind() == "switch_statement" {
                continue;
            }
            if let Some(value) = node.child_by_field_name("value").filter(|_| node.kind() == "case_statement")
            {
                let line = self.program.line(node.start_position().row).unwrap_or(0);
                let (low, high) = self.bounds_of(value);
                found.push((line, low, high));
            }
            let mut cursor = node.walk();
            let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
            stack.extend(children.into_iter().rev());
        }
        found
    }

    /// The ends of a case's value: of `1 ... 5`, which the parser sees as a sum.
    fn bounds_of(&self, value: Node<'_>) -> (String, String) {
        let text = self.text(value);
        match text.split_once("...") {
            Some((low, high)) => (low.trim().to_string(), high.trim().to_string()),
            None => (text.to_string(), text.to_string()),
        }
    }

    fn finish(mut self) -> Woven {
        // The sort is stable: inner ends and outer beginnings come first, as they were made.
        self.inserts.sort_by_key(|(at, opens, _)| (*at, *opens));
        self.cuts.sort_by_key(|cut| cut.start);
        let mut source = format!("{PRELUDE}{HARNESS}");
        let text = &self.program.text;
        let edges: BTreeSet<usize> = self.inserts.iter().map(|insert| insert.0).collect();
        let mut inserts = self.inserts.iter().peekable();
        let mut at = 0;
        let copy = |from: usize, to: usize, source: &mut String| {
            let mut from = from;
            for cut in self.cuts.iter().filter(|cut| cut.start < to) {
                if cut.end <= from {
                    continue;
                }
                source.push_str(&text[from..cut.start.max(from)]);
                // A marker of the preprocessor that stands in what is cut keeps its row.
                source.extend(text[cut.start.max(from)..cut.end.min(to)].chars().filter(|c| *c == '\n'));
                from = cut.end.min(to);
            }
            source.push_str(&text[from..to]);
        };
        for edge in edges {
            copy(at, edge, &mut source);
            while let Some((_, _, insert)) = inserts.next_if(|insert| insert.0 == edge) {
                source.push_str(insert);
            }
            at = edge;
        }
        copy(at, text.len(), &mut source);
        Woven { source, probes: self.probes }
    }
}
