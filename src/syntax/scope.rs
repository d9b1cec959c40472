//! Names in scope: the integer variables that code at a place may use, and the functions that it may call.
//!
//! A name refers to the innermost declaration before the place; a declaration that we do not understand hides the
//! others. A variable is `set` if it has a value on every path: a parameter, a variable with static storage, or a
//! variable with an initialiser that no jump can skip.

use std::ops::Range;

use tree_sitter::Node;

use super::nodes::NodeExt;
use super::{Function, Program, StatementKind};

/// The words of an integer type.
const INTEGER: [&str; 6] = ["int", "char", "short", "long", "signed", "unsigned"];

/// Nodes of a declaration whose variables are not plain ones.
const SPECIAL: [&str; 5] = [
    "type_qualifier",
    "attribute_specifier",
    "attribute_declaration",
    "gnu_asm_expression",
    "ms_declspec_modifier",
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Integer {
    pub name: String,
    /// Its type, without storage class.
    pub spelt: String,
    /// Whether it has a value.
    pub set: bool,
}

#[derive(Debug)]
struct Declared {
    name: String,
    scope: Range<usize>,
    integer: Option<Integer>,
}

/// The names of a program.
#[derive(Debug)]
pub struct Scopes<'a> {
    program: &'a Program,
    declared: Vec<Declared>,
}

impl Program {
    pub fn scopes(&self) -> Scopes<'_> {
        let mut scopes = Scopes { program: self, declared: Vec::new() };
        for node in self.tree.root_node().subtree() {
            if matches!(node.kind(), "declaration" | "type_definition" | "parameter_declaration") {
                scopes.declare(node);
            }
        }
        scopes
    }
}

impl Scopes<'_> {
    /// The integer variables that code at `offset` may name, by name.
    pub fn integers_at(&self, offset: usize) -> Vec<&Integer> {
        let mut seen: Vec<&Declared> =
            self.declared.iter().filter(|declared| declared.scope.contains(&offset)).collect();
        // The innermost declaration of a name is the one whose scope begins last.
        seen.sort_by(|a, b| (&a.name, b.scope.start).cmp(&(&b.name, a.scope.start)));
        seen.dedup_by(|later, first| later.name == first.name);
        let known = seen.into_iter().filter_map(|declared| declared.integer.as_ref());
        known.filter(|integer| !self.program.macros.names.contains(&integer.name)).collect()
    }

    /// Calls that code at `offset` may make, as statements: of functions that take nothing or integers.
    pub fn calls_at(&self, offset: usize) -> Vec<String> {
        let is_hidden = |name: &str| {
            let mut declared = self.declared.iter();
            declared.any(|found| found.name == name && found.scope.contains(&offset) && found.scope.start > 0)
                || self.program.macros.names.contains(name)
        };
        let functions = self.program.functions.iter().filter(|function| function.range.start < offset);
        let visible = functions.filter(|function| !is_hidden(&function.name));
        visible.filter_map(|function| self.call(function)).collect()
    }

    fn call(&self, function: &Function) -> Option<String> {
        let (words, list) = head(self.program, function)?;
        let whole = 0..self.program.source.len();
        let is_odd = function.name == "main"
            || words.contains(&"extern")
            || words.iter().any(|word| word.contains("inline")) && !function.is_static
            // An unused function may contain code that does not link.
            || !self.program.words.elsewhere(&function.name, &whole, &function.range);
        let parameters: Vec<&str> = list.split(',').map(str::trim).collect();
        let is_integer = |parameter: &&str| {
            let mut words = parameter.split_whitespace();
            words.next().is_some_and(|word| INTEGER.contains(&word))
                && words.clone().count() <= 3
                && words.all(|word| word.chars().all(|c| c.is_alphanumeric() || c == '_'))
        };
        let arguments = match parameters.as_slice() {
            ["" | "void"] => String::new(),
            _ if parameters.iter().all(is_integer) => {
                (1..=parameters.len()).map(|n| n.to_string()).collect::<Vec<_>>().join(", ")
            }
            _ => return None,
        };
        (!is_odd).then(|| format!("{} ({arguments});", function.name))
    }

    /// The statement that returns from the function around `offset`, if its type is a plain one.
    pub fn leave_at(&self, offset: usize) -> Option<&'static str> {
        let (words, _) = head(self.program, self.program.function_at(offset)?)?;
        let is_type = |word: &&str| !["static", "inline", "__inline__", "__inline"].contains(word);
        let types: Vec<&str> = words.into_iter().filter(is_type).collect();
        match types.as_slice() {
            [] => None,
            ["void"] => Some("return;"),
            _ => types.iter().all(|word| INTEGER.contains(word)).then_some("return 0;"),
        }
    }

    fn declare(&mut self, node: Node<'_>) {
        let Some((scope, is_set)) = self.scope(node) else { return };
        let source = &self.program.source;
        let is_special = node.all_children().into_iter().any(|child| {
            SPECIAL.contains(&child.kind())
                || child.kind() == "storage_class_specifier" && child.text(source) != "static"
        });
        let is_static = node.text(source).starts_with("static");
        let words: Vec<&str> =
            node.field("type").map_or("", |of| of.text(source)).split_whitespace().collect();
        let is_integer = node.kind() != "type_definition"
            && !is_special
            && !node.has_error()
            && !words.is_empty()
            && words.iter().all(|word| INTEGER.contains(word));
        for declarator in node.fields("declarator") {
            let is_init = declarator.kind() == "init_declarator";
            let plain = if is_init { declarator.field("declarator") } else { Some(declarator) };
            let is_plain = plain.is_some_and(|node| node.kind() == "identifier")
                && declarator.named_child_count() <= if is_init { 2 } else { 0 };
            let Some(name) = declarator.declared_name().map(|name| name.text(source)) else { continue };
            let set = is_static || is_set.unwrap_or(is_init && self.is_always_passed(node));
            let integer = Integer { name: name.to_string(), spelt: words.join(" "), set };
            let integer = (is_integer && is_plain).then_some(integer);
            self.declared.push(Declared { name: name.to_string(), scope: scope.clone(), integer });
        }
    }

    /// The scope of a declaration, and whether its variables have values for that reason alone, if that is known.
    /// None for names that cannot be used.
    fn scope(&self, node: Node<'_>) -> Option<(Range<usize>, Option<bool>)> {
        let parent = node.parent()?;
        if node.kind() == "parameter_declaration" {
            let mut at = parent.parent()?;
            let direct = at.field("declarator")?;
            if direct.kind() != "identifier" {
                return None;
            }
            while at.kind() != "function_definition" {
                at = at.parent().filter(|_| at.kind().ends_with("declarator"))?;
            }
            return Some((at.field("body")?.byte_range(), Some(true)));
        }
        let blocks = ["compound_statement", "for_statement", "function_definition", "translation_unit"];
        let block = node.ancestors().find(|node| blocks.contains(&node.kind()))?;
        let is_direct = block == parent;
        let set = match block.kind() {
            "translation_unit" => {
                // Parameters of an old-style definition are outside of it.
                let end = self.program.function_at(node.start_byte()).map(|function| function.range.end);
                return Some((node.end_byte()..end.unwrap_or(self.program.source.len()), Some(is_direct)));
            }
            "function_definition" => Some(true),
            _ if is_direct => None,
            _ => Some(false),
        };
        Some((node.end_byte()..block.end_byte(), set))
    }

    /// Whether control cannot enter the scope of a local declaration without passing it.
    fn is_always_passed(&self, node: Node<'_>) -> bool {
        let at = node.start_byte();
        let Some(function) = self.program.function_at(at) else { return false };
        let in_function =
            |range: &Range<usize>| function.range.start <= range.start && range.end <= function.range.end;
        let statements = || self.program.statements.iter();
        let is_label = |kind| kind == StatementKind::Labeled;
        let block =
            statements().filter(|found| found.kind == StatementKind::Block && found.range.contains(&at));
        !statements().any(|found| is_label(found.kind) && in_function(&found.range))
            && block.max_by_key(|block| block.range.start).is_some_and(|block| !block.foreign_case)
    }
}

/// The words before a function's name, and the text between its parentheses; none if the header is not a plain one.
fn head<'p>(program: &'p Program, function: &Function) -> Option<(Vec<&'p str>, &'p str)> {
    let text = &program.source[function.range.clone()];
    let (head, _) = text.split_once('{')?;
    let (before, after) = head.split_once('(')?;
    let (list, rest) = after.split_once(')')?;
    let before = before.trim_end().strip_suffix(&function.name)?;
    let is_plain = |c: char| c.is_alphanumeric() || c == '_' || c.is_whitespace();
    let is_simple = !function.name.is_empty() && before.chars().all(is_plain) && rest.trim().is_empty();
    is_simple.then(|| (before.split_whitespace().collect(), list))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(source: &str, at: &str) -> (Vec<String>, Vec<String>) {
        let program = Program::parse(source.into());
        let scopes = program.scopes();
        let offset = source.find(at).expect("it is there");
        let (set, unset): (Vec<_>, Vec<_>) =
            scopes.integers_at(offset).into_iter().cloned().partition(|found| found.set);
        let names = |found: Vec<Integer>| found.into_iter().map(|found| found.name).collect();
        (names(set), names(unset))
    }

    #[test]
    fn the_meaning_of_a_name_depends_on_the_place() {
        let source = "int g; const int c = 1; float h; int f(int a, char *p) {\n int b = 1, u; volatile int v = 2;\n\
                      { float a; int w = 1; HERE(); }\n int late; THERE();\n}\nint after;\n";
        assert_eq!(names(source, "HERE"), (["b", "g", "w"].map(String::from).into(), vec!["u".into()]));
        let (set, unset) = names(source, "THERE");
        assert_eq!(set, ["a", "b", "g"]);
        assert_eq!(unset, ["late", "u"]);
    }

    #[test]
    fn a_variable_whose_initialiser_may_be_skipped_is_not_set() {
        let source = "void f(int x) { switch (x) { int a = 1; case 1: HERE(); } for (int i = 0; i < 2; i++) THERE(); }";
        assert_eq!(names(source, "HERE"), (vec!["x".into()], vec!["a".into()]));
        assert_eq!(names(source, "THERE").0, ["i", "x"]);
        let source = "void f(int x) { int a = 1; l: HERE(); goto l; }";
        assert_eq!(names(source, "HERE"), (vec!["x".into()], vec!["a".into()]));
    }

    #[test]
    fn old_style_parameters_are_known_in_no_other_function() {
        let source = "int w;\nf (a, b) int a, b; {\n HERE();\n}\nmain () {\n THERE();\n}\n";
        assert!(names(source, "HERE").0.iter().all(|name| ["a", "b", "w"].contains(&name.as_str())));
        assert_eq!(names(source, "THERE").0, ["w"]);
    }

    #[test]
    fn calls_and_returns_fit_their_functions() {
        let source = "static int f(void) { return 1; }\nvoid g(int a, unsigned b) { f(); }\nint h(char *p) { g(1, 2); h(p); }\n\
                      long m(void) { int f = 1; HERE(); g(f, 1); }\n";
        let program = Program::parse(source.into());
        let scopes = program.scopes();
        let at = |word: &str| source.find(word).expect("it is there");
        assert_eq!(scopes.calls_at(at("HERE")), ["g (1, 2);"]);
        assert_eq!(scopes.leave_at(at("HERE")), Some("return 0;"));
        assert_eq!(scopes.leave_at(at("f(); }")), Some("return;"));
    }
}
