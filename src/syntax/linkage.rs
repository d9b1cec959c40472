//! Names at file scope: what a file has to itself, and what it shares with those that it is linked with.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use tree_sitter::Node;

use super::Program;
use super::comments::blanked;
use super::shrink::outline::{declarators, name_of, words};
use super::shrink::replaced;
use crate::model::TextEdit;

/// The names that a text declares at file scope, its headers aside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileScope {
    /// Those that mean something in this file alone: static functions and variables, types, tags, constants.
    pub own: BTreeSet<String>,
    /// Functions and variables that other files can name.
    pub linked: BTreeSet<String>,
    /// Those of them that have their body or value here.
    pub defined: BTreeSet<String>,
    /// Macros that are defined anywhere.
    pub macros: BTreeSet<String>,
}

/// What an identifier can be that is bound by its scope: fields and labels are not.
const BOUND: [&str; 3] = ["identifier", "type_identifier", "preproc_arg"];

impl Program {
    /// What the text declares at file scope.
    pub fn file_scope(&self) -> FileScope {
        let mut found = FileScope::default();
        let mut open = vec![self.tree.root_node()];
        while let Some(node) = open.pop() {
            match node.kind() {
                "function_definition" | "declaration" => self.declared(node, &mut found),
                "type_definition" => {
                    found.own.extend(self.names(node));
                    self.tags(node, &mut found);
                }
                "struct_specifier" | "union_specifier" | "enum_specifier" => self.tags(node, &mut found),
                "preproc_def" | "preproc_function_def" => {
                    found.macros.extend(node.child_by_field_name("name").map(|name| self.of(name)));
                }
                _ => {
                    let mut cursor = node.walk();
                    open.extend(node.named_children(&mut cursor));
                }
            }
        }
        // A function may be declared static first and be defined without the word.
        found.linked.retain(|name| !found.own.contains(name));
        found.defined.retain(|name| !found.own.contains(name));
        found
    }

    /// The parameters of functions that are defined as before ANSI C: what stands alone in a list of
    /// parameters and is declared somewhere. Such a list is none where a name in it is that of a type.
    pub fn old_parameters(&self) -> BTreeSet<String> {
        let (mut listed, mut declared, mut tags) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut open = vec![self.tree.root_node()];
        while let Some(node) = open.pop() {
            let mut cursor = node.walk();
            let children: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
            match (node.kind(), &children[..]) {
                ("parameter_list", names) => {
                    let names = names.iter().filter(|name| name.kind() == "identifier");
                    listed.extend(names.map(|name| self.of(*name)));
                }
                ("parameter_declaration", [name]) if name.kind() == "type_identifier" => {
                    listed.insert(self.of(*name));
                }
                ("declaration" | "parameter_declaration", _) => declared.extend(self.names(node)),
                ("struct_specifier" | "union_specifier" | "enum_specifier", _) => {
                    tags.extend(node.child_by_field_name("name").map(|name| self.of(name)));
                }
                _ => {}
            }
            open.extend(children);
        }
        &(&listed & &declared) - &tags
    }

    /// The text with other names: `names` has the new one of each old one. Fields and labels stay.
    pub fn renamed(&self, names: &BTreeMap<String, String>) -> String {
        let edits = self.bound(|name| names.contains_key(name));
        let edits = edits.into_iter().map(|range| {
            let with = names[&self.source[range.clone()]].clone();
            TextEdit { start: range.start, end: range.end, with }
        });
        replaced(&self.source, &edits.collect::<Vec<_>>())
    }

    /// Whether `name` stands in the text for what its scope says: as more than a field or a label.
    pub fn binds(&self, name: &str) -> bool {
        self.mentions(name) && !self.bound(|other| other == name).is_empty()
    }

    /// Where the names that are `wanted` stand for what their scope says.
    fn bound(&self, wanted: impl Fn(&str) -> bool) -> Vec<Range<usize>> {
        let code = blanked(&self.source);
        let is_bound = |range: &Range<usize>| {
            let before = code[..range.start].trim_end();
            let node = self.tree.root_node().descendant_for_byte_range(range.start, range.end);
            node.is_some_and(|node| BOUND.contains(&node.kind()))
                && !(before.ends_with('.') || before.ends_with("->"))
        };
        words(&code).filter(|range| wanted(&code[range.clone()])).filter(is_bound).collect()
    }

    fn of(&self, node: Node<'_>) -> String {
        self.source[node.byte_range()].to_string()
    }

    fn names(&self, node: Node<'_>) -> Vec<String> {
        declarators(node).into_iter().filter_map(name_of).map(|name| self.of(name)).collect()
    }

    fn declared(&self, node: Node<'_>, found: &mut FileScope) {
        let mut cursor = node.walk();
        let is_static = node
            .children(&mut cursor)
            .any(|child| child.kind() == "storage_class_specifier" && self.of(child) == "static");
        let names = self.names(node);
        if is_static {
            found.own.extend(names);
        } else {
            let is_defined = |declarator: &Node<'_>| {
                node.kind() == "function_definition" || declarator.kind() == "init_declarator"
            };
            let defined = declarators(node).into_iter().filter(is_defined).filter_map(name_of);
            found.defined.extend(defined.map(|name| self.of(name)));
            found.linked.extend(names);
        }
        found.own.extend(node.child_by_field_name("type").into_iter().flat_map(|kind| {
            let mut inside = FileScope::default();
            self.tags(kind, &mut inside);
            inside.own
        }));
    }

    /// The tags and constants that `node` defines.
    fn tags(&self, node: Node<'_>, found: &mut FileScope) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let is_defined = match node.kind() {
                "struct_specifier" | "union_specifier" | "enum_specifier" => {
                    node.child_by_field_name("body").is_some()
                }
                kind => kind == "enumerator",
            };
            let name = node.child_by_field_name("name").filter(|_| is_defined);
            found.own.extend(name.map(|name| self.of(name)));
            let mut cursor = node.walk();
            open.extend(node.named_children(&mut cursor));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "#include <stdio.h>\n#define TWICE(x) (help(x) + s.help)\nstruct node { int help; } s;\n\
        typedef enum { RED } colour;\n#ifdef A\nstatic int help(int);\n#endif\nint help(int a) { return a; }\n\
        extern int shared, also;\nint main(void)\n{\n    struct other *o;\n    /* help */\n    goto help;\nhelp:\n    \
        return help(s.help) + TWICE(RED);\n}\n";

    #[test]
    fn names_are_told_apart_by_who_can_use_them() {
        let scope = Program::parse(TEXT.into()).file_scope();
        let of = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(" ");
        assert_eq!(of(&scope.own), "RED colour help node");
        assert_eq!(of(&scope.linked), "also main s shared");
        assert_eq!(of(&scope.defined), "main");
        assert_eq!(of(&scope.macros), "TWICE");
        let old = "int f(code, n, s) unsigned code; char **n; struct s *s;\n{ int i, *p = g(code); return s.field + i; }\n\
            int h(size);\n";
        let old = Program::parse(old.into());
        assert_eq!(of(&old.old_parameters()), "code n");
        assert!(old.binds("code") && old.binds("s") && !old.binds("field") && !old.binds("cod"));
    }

    #[test]
    fn fields_labels_comments_and_headers_keep_their_names() {
        let names = [("help", "aid"), ("node", "knot"), ("stdio", "no"), ("RED", "BLUE")];
        let names = names.map(|(old, new)| (old.to_string(), new.to_string())).into();
        let expected = TEXT
            .replace("(help(x)", "(aid(x)")
            .replace("struct node", "struct knot")
            .replace("RED", "BLUE")
            .replace("int help(int", "int aid(int")
            .replace("return help(", "return aid(");
        assert_eq!(Program::parse(TEXT.into()).renamed(&names), expected);
    }
}
