//! Walks a function and finds its decisions and switches.

use tree_sitter::Node;

use super::super::nodes::NodeExt;
use super::super::parse::empty_tree;
use super::super::preprocessed::Preprocessed;
use super::super::unevaluated::is_unevaluated;
use super::inserter::{ProbeInserter, ProbeOptions};
use super::{Case, Comparison, Probes, Switch};

/// The text of `program` with probes in the functions that are named in `functions`.
pub fn probe(program: &Preprocessed, functions: &[String], options: ProbeOptions) -> (String, Probes) {
    let masked = program.masked();
    let tree = program.tree(&masked).unwrap_or_else(empty_tree);
    let root = tree.root_node();
    let mut inserter = ProbeInserter::new(program, &masked, root, options);
    for node in root.all_children().into_iter().filter(|node| node.kind() == "function_definition") {
        let name = node.declared_name().map(|name| name.text(&masked));
        let is_named = functions.iter().any(|wanted| Some(wanted.as_str()) == name);
        if let Some(body) = node.field("body").filter(|_| is_named && !node.has_error()) {
            inserter.node(body);
        }
    }
    inserter.finish()
}

impl ProbeInserter<'_> {
    pub(super) fn node(&mut self, node: Node<'_>) {
        match node.kind() {
            "array_declarator" | "function_definition" | "ERROR" => {}
            _ if is_unevaluated(node, self.masked) => {}
            "declaration" if node.text(&self.program.text).trim_start().starts_with("static") => {}
            "if_statement" | "while_statement" | "do_statement" | "for_statement" => self.statement(node),
            "switch_statement" => self.switch(node),
            "conditional_expression" => self.conditional(node),
            "return_statement" => self.returned(node),
            "case_statement" | "compound_statement" | "labeled_statement" => {
                let value = node.field("value");
                for child in node.all_children().into_iter().filter(|child| Some(*child) != value) {
                    self.item(child);
                }
            }
            "binary_expression" if self.is_chain(node) => self.decision(node, false),
            _ => node.all_children().into_iter().for_each(|child| self.node(child)),
        }
    }

    /// A statement in a sequence.
    fn item(&mut self, node: Node<'_>) {
        if let Some(probe) = self.line_probe(node) {
            self.open(node.start_byte(), format!("{probe} "));
        }
        self.node(node);
    }

    /// A statement where C allows only one.
    fn body(&mut self, node: Node<'_>) {
        let probe = self.line_probe(node);
        if let Some(probe) = &probe {
            self.open(node.start_byte(), format!("{{ {probe} "));
        }
        self.node(node);
        if probe.is_some() {
            self.close(node.end_byte(), " }");
        }
    }

    /// The probe of the line on which `node` begins, if lines are requested and it is a statement.
    fn line_probe(&mut self, node: Node<'_>) -> Option<String> {
        let kinds = ["compound_statement", "labeled_statement", "case_statement"];
        let is_statement = node.kind().ends_with("_statement") && !kinds.contains(&node.kind());
        let is_empty = node.kind() == "expression_statement" && node.named_child_count() == 0;
        if !self.options.lines || !is_statement || is_empty {
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
        let condition = node.field("condition");
        let bodies = ["consequence", "body"].map(|name| node.field(name));
        for child in node.all_children() {
            if Some(child) == condition {
                self.decision(child, false);
            } else if bodies.contains(&Some(child)) {
                self.body(child);
            } else if child.kind() == "else_clause" {
                for body in
                    child.all_children().into_iter().filter(|body| body.is_named() && !body.is_extra())
                {
                    self.body(body);
                }
            } else {
                self.node(child);
            }
        }
    }

    fn conditional(&mut self, node: Node<'_>) {
        let field = |name| node.field(name);
        let (Some(condition), Some(alternative)) = (field("condition"), field("alternative")) else { return };
        if let Some(consequence) = field("consequence") {
            self.decision(condition, false);
            self.node(consequence);
        } else {
            // `a ?: b` has the value of `a`, which a probe would turn into 0 or 1.
            self.node(condition);
        }
        self.node(alternative);
    }

    fn returned(&mut self, node: Node<'_>) {
        let Some(value) = node.named_child(0).filter(|value| value.kind() != "comment") else { return };
        let inner = value.without_parentheses();
        let is_boolean = match inner.kind() {
            "binary_expression" => Comparison::from_operator(self.operator(inner)).is_some(),
            "unary_expression" => self.operator(inner) == "!",
            _ => false,
        };
        if self.is_chain(value) || self.options.returned_comparisons && is_boolean {
            self.decision(value, true);
        } else {
            self.node(value);
        }
    }

    fn switch(&mut self, node: Node<'_>) {
        let (Some(condition), Some(body)) = (node.field("condition"), node.field("body")) else {
            return;
        };
        let Some(value) = condition.named_child(0) else { return };
        let cases = self.cases(node);
        let (id, first, count) = (self.probes.switches.len(), self.cases, cases.len());
        self.cases += count;
        let (cases, bounds): (Vec<Case>, Vec<String>) = cases.into_iter().unzip();
        self.probes.switches.push(Switch { line: self.line(node), cases, first });
        let table = if count == 0 { "0".to_string() } else { bounds.join(", ") };
        self.open(value.start_byte(), "({ __auto_type recount_l = (0,(");
        self.node(value);
        self.close(
            value.end_byte(),
            format!(
                ")); static const long long recount_b[] = {{ {table} }}; \
                 recount_switch({id}, {first}, {count}, recount_b, (long long)recount_l); recount_l; }})"
            ),
        );
        self.node(body);
    }

    /// The cases of a switch's body, without those of nested switches, each with its least and greatest value in C.
    fn cases(&self, switch: Node<'_>) -> Vec<(Case, String)> {
        let inside = switch.subtree_without(|node| node.kind() == "switch_statement").into_iter();
        let cases = inside.filter(|node| node.kind() == "case_statement");
        let found = cases.filter_map(|node| {
            // The parser reads `1 ... 5` as a sum.
            let text = node.field("value")?.text(&self.program.text);
            let (low, high) = text.split_once("...").unwrap_or((text, text));
            let (low, high) = (low.trim(), high.trim());
            let text = if low == high { low.to_string() } else { format!("{low} ... {high}") };
            let bounds = format!("(long long)({low}), (long long)({high})");
            Some((Case { line: self.line(node), text }, bounds))
        });
        found.collect()
    }
}
