//! Names at file scope: those that are private to the file, and those that other files can use too.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use tree_sitter::Node;

use super::Program;
use super::comments::blanked;
use super::edits::replaced;
use super::nodes::NodeExt;
use super::words::identifiers;
use crate::model::TextEdit;

/// The names that a text declares at file scope, its headers aside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileScope {
    /// Names that belong to this file alone: static functions and variables, types, tags, constants.
    pub own: BTreeSet<String>,
    /// Functions and variables that other files can name.
    pub linked: BTreeSet<String>,
    /// Those of them that have their body or value here.
    pub defined: BTreeSet<String>,
    /// Macros that are defined anywhere.
    pub macros: BTreeSet<String>,
}

/// The nodes whose names have a scope; fields and labels have none.
const SCOPED: [&str; 3] = ["identifier", "type_identifier", "preproc_arg"];

const TAGGED: [&str; 3] = ["struct_specifier", "union_specifier", "enum_specifier"];

impl Program {
    pub fn file_scope(&self) -> FileScope {
        let mut found = FileScope::default();
        let mut stack = vec![self.tree.root_node()];
        while let Some(node) = stack.pop() {
            match node.kind() {
                "function_definition" | "declaration" => self.add_declared(node, &mut found),
                "type_definition" => {
                    found.own.extend(self.declared_names(node).chain(self.tags_and_constants(node)));
                }
                "preproc_def" | "preproc_function_def" => {
                    found.macros.extend(node.field("name").map(|name| self.text(name)));
                }
                kind if TAGGED.contains(&kind) => found.own.extend(self.tags_and_constants(node)),
                _ => stack.extend(node.elements()),
            }
        }
        // A function may be declared static first and be defined without the word.
        found.linked.retain(|name| !found.own.contains(name));
        found.defined.retain(|name| !found.own.contains(name));
        found
    }

    /// The parameters of old-style function definitions: names alone in a parameter list that are declared somewhere.
    /// A name that is a tag too is left out.
    pub fn old_parameters(&self) -> BTreeSet<String> {
        let (mut listed, mut declared, mut tags) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for node in self.tree.root_node().subtree() {
            match (node.kind(), &node.elements()[..]) {
                ("parameter_list", names) => {
                    let names = names.iter().filter(|name| name.kind() == "identifier");
                    listed.extend(names.map(|name| self.text(*name)));
                }
                ("parameter_declaration", [name]) if name.kind() == "type_identifier" => {
                    listed.insert(self.text(*name));
                }
                ("declaration" | "parameter_declaration", _) => declared.extend(self.declared_names(node)),
                (kind, _) if TAGGED.contains(&kind) => {
                    tags.extend(node.field("name").map(|name| self.text(name)));
                }
                _ => {}
            }
        }
        &(&listed & &declared) - &tags
    }

    /// The text with new names: `names` maps each old one to its new one. Fields and labels stay.
    pub fn renamed(&self, names: &BTreeMap<String, String>) -> String {
        let uses = self.scoped_uses(|name| names.contains_key(name)).into_iter();
        let edits = uses.map(|range| TextEdit::replace(range.clone(), &names[&self.source[range]]));
        replaced(&self.source, &edits.collect::<Vec<_>>())
    }

    /// Whether the text uses `name` as more than a field or a label.
    pub fn binds(&self, name: &str) -> bool {
        self.mentions(name) && !self.scoped_uses(|other| other == name).is_empty()
    }

    /// The places of names that are `wanted` and have a scope.
    fn scoped_uses(&self, wanted: impl Fn(&str) -> bool) -> Vec<Range<usize>> {
        let code = blanked(&self.source);
        let has_scope = |range: &Range<usize>| {
            let before = code[..range.start].trim_end();
            let node = self.tree.root_node().descendant_for_byte_range(range.start, range.end);
            node.is_some_and(|node| SCOPED.contains(&node.kind()))
                && !(before.ends_with('.') || before.ends_with("->"))
        };
        identifiers(&code).filter(|range| wanted(&code[range.clone()])).filter(has_scope).collect()
    }

    fn text(&self, node: Node<'_>) -> String {
        self.source[node.byte_range()].to_string()
    }

    fn declared_names(&self, node: Node<'_>) -> impl Iterator<Item = String> {
        node.fields("declarator").into_iter().filter_map(NodeExt::declared_name).map(|name| self.text(name))
    }

    fn add_declared(&self, node: Node<'_>, found: &mut FileScope) {
        let is_static = node.elements().into_iter().any(|child| self.text(child) == "static");
        if is_static {
            found.own.extend(self.declared_names(node));
        } else {
            let mut defined = node.fields("declarator");
            defined.retain(|one| node.kind() == "function_definition" || one.kind() == "init_declarator");
            let defined = defined.into_iter().filter_map(NodeExt::declared_name);
            found.defined.extend(defined.map(|name| self.text(name)));
            found.linked.extend(self.declared_names(node));
        }
        found.own.extend(node.field("type").into_iter().flat_map(|of| self.tags_and_constants(of)));
    }

    /// The tags and constants that `node` defines.
    fn tags_and_constants(&self, node: Node<'_>) -> impl Iterator<Item = String> {
        let is_defined = |node: &Node<'_>| {
            node.kind() == "enumerator" || TAGGED.contains(&node.kind()) && node.field("body").is_some()
        };
        let defined = node.subtree().into_iter().filter(is_defined);
        defined.filter_map(|node| node.field("name")).map(|name| self.text(name))
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
    fn names_are_distinguished_by_the_files_that_can_use_them() {
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
