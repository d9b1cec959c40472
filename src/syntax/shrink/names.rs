//! Renames everything to short names.
//!
//! One old name becomes one new name everywhere, whatever it names there. So scopes stay as they are, and nothing has
//! to be resolved. Names that a directive mentions stay, except for a macro that one directive defines and no other
//! mentions.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use tree_sitter::Node;

use super::layout::plain::Plain;
use super::text::{EditSet, Text};
use crate::model::TextEdit;
use crate::syntax::nodes::NodeExt;
use crate::syntax::tokens::{Kind, Token};
use crate::syntax::words::words;

/// What a name is declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Role {
    Function,
    Variable,
    Label,
    Type,
    Field,
    Constant,
    Macro,
}

impl Role {
    /// The first letters of its new names; no two roles share one.
    fn letters(self) -> &'static str {
        match self {
            Role::Function => "fgh",
            Role::Variable => "abcdeijkopqrvw",
            Role::Label => "lmn",
            Role::Type => "stu",
            Role::Field => "xyz",
            Role::Constant => "ABCDEFGHJKPQRSTVWXYZ",
            Role::Macro => "MNL",
        }
    }

    /// The name with this number: `a`, `b`, … `a1`, `b1`, …
    fn name(self, number: usize) -> String {
        let letters = self.letters();
        let letter = &letters[number % letters.len()..=number % letters.len()];
        match number / letters.len() {
            0 => letter.to_string(),
            round => format!("{letter}{round}"),
        }
    }
}

/// New names that compilers know as functions of the C library.
const LIBRARY: [&str; 4] = ["j0", "j1", "y0", "y1"];

/// Words that the parser mistakes for names if they follow an unknown word.
const KEYWORDS: [&str; 24] = [
    "auto", "char", "const", "double", "extern", "float", "inline", "int", "long", "register", "restrict",
    "short", "signed", "static", "struct", "union", "enum", "typedef", "unsigned", "void", "volatile",
    "typeof", "return", "_Bool",
];

/// Renames everything, then each name.
pub(super) fn names(text: &Text<'_>) -> Vec<EditSet> {
    let plain = Plain::of(text.source);
    let mut places: BTreeMap<&str, Vec<Range<usize>>> = BTreeMap::new();
    for token in &plain.tokens {
        let place = match token.kind {
            Kind::Word => Some(token.range()),
            Kind::Directive => defined_name(text.source, token),
            _ => None,
        };
        if let Some(place) = place {
            places.entry(&text.source[place.clone()]).or_default().push(place);
        }
    }
    let edits = |from: &str, to: &str| {
        let ranges = places.get(from).into_iter().flatten().cloned();
        ranges.map(|range| TextEdit::replace(range, to)).collect::<EditSet>()
    };
    let new = new_names(&plain).into_iter().filter(|(old, new)| old != new);
    let new: Vec<(&str, String)> = new.collect();
    let mut found: Vec<EditSet> = vec![new.iter().flat_map(|(old, new)| edits(old, new)).collect()];
    // If another name has the new name already, the two are swapped. Each candidate that is kept gives one more name
    // its new form, so that trying them again comes to an end.
    found.extend(new.iter().map(|(old, new)| [edits(old, new), edits(new, old)].concat()));
    for edits in &mut found {
        edits.sort_unstable();
    }
    found.dedup();
    found.retain(|edits| !edits.is_empty());
    found
}

/// Each name that may be changed with its new name, in the order of appearance.
fn new_names<'a>(plain: &Plain<'a>) -> Vec<(&'a str, String)> {
    let names = Names::of(plain);
    let mut order: Vec<&'a str> = Vec::new();
    let mut taken: BTreeSet<&str> = names.fixed.clone();
    for token in plain.tokens.iter().filter(|token| token.kind == Kind::Word) {
        let word = &plain.source[token.range()];
        if !names.is_free(word) {
            taken.insert(word);
        } else if !order.contains(&word) {
            order.push(word);
        }
    }
    // A macro that is not used keeps its name.
    taken.extend(names.declared.keys().filter(|name| !order.contains(name)));
    taken.extend(LIBRARY);
    let mut numbers: HashMap<Role, std::ops::RangeFrom<usize>> = HashMap::new();
    let mut new_name = |role: Role| {
        let mut free = numbers.entry(role).or_insert(0..).map(|number| role.name(number));
        free.find(|name| !taken.contains(name.as_str())).expect("numbers do not end")
    };
    order.into_iter().map(|name| (name, new_name(names.declared[name][0]))).collect()
}

/// The names of a text.
struct Names<'p, 'a> {
    plain: &'p Plain<'a>,
    /// What each name is declared as, in order.
    declared: HashMap<&'a str, Vec<Role>>,
    /// Functions with a prototype.
    prototypes: BTreeSet<&'a str>,
    called: BTreeSet<&'a str>,
    /// Words where no compiler checks the meaning of a name.
    fixed: BTreeSet<&'a str>,
}

impl<'p, 'a> Names<'p, 'a> {
    fn of(plain: &'p Plain<'a>) -> Names<'p, 'a> {
        let mut names = Names {
            plain,
            declared: HashMap::new(),
            prototypes: BTreeSet::new(),
            called: BTreeSet::new(),
            fixed: BTreeSet::from(["main"]),
        };
        for token in &plain.tokens {
            let text = &plain.source[token.range()];
            match token.kind {
                Kind::Directive => {
                    let mut rest = text;
                    if let Some(name) = defined_name(plain.source, token) {
                        rest = &plain.source[name.end..token.end];
                        let name = &plain.source[name];
                        // The meaning of a macro with two definitions depends on the place.
                        if names.declared.contains_key(name) {
                            names.fixed.insert(name);
                        }
                        names.declare_as(name, Role::Macro);
                    }
                    names.fixed.extend(words(rest));
                }
                Kind::Other => names.fixed.extend(words(text)),
                // `alias("f")`, `asm("f")`, and strings that are compared with `__func__`.
                Kind::Literal => {
                    names.fixed.insert(text.trim_matches('"').trim_start_matches('*'));
                }
                _ => {}
            }
        }
        for node in plain.nodes() {
            names.add(node);
        }
        names.fixed.remove("");
        names
    }

    /// Adds the names that `node` declares or fixes.
    fn add(&mut self, node: Node<'_>) {
        let text = |node: Node<'_>| self.plain.text(node);
        match node.kind() {
            "function_definition" => self.declare_declarators(node, Role::Function),
            "declaration" => self.declare_variables(node),
            "parameter_declaration" => self.declare_declarators(node, Role::Variable),
            // The parameters of an old-style definition.
            "parameter_list" => {
                let names = node.elements().into_iter().filter(|child| child.kind() == "identifier");
                self.declare(names, Role::Variable);
            }
            "type_definition" => self.declare_declarators(node, Role::Type),
            "field_declaration" => self.declare_declarators(node, Role::Field),
            "struct_specifier" | "union_specifier" | "enum_specifier" if node.field("body").is_some() => {
                self.declare(node.field("name"), Role::Type);
            }
            "enumerator" => self.declare(node.field("name"), Role::Constant),
            "labeled_statement" => self.declare(node.field("label"), Role::Label),
            "call_expression" => self.called.extend(node.field("function").map(text)),
            "attribute_specifier" => self.fixed.extend(words(text(node))),
            "gnu_asm_expression" => {
                self.fixed.extend(node.field("assembly_code").map(text).into_iter().flat_map(words));
            }
            "gnu_asm_output_operand" | "gnu_asm_input_operand" => {
                self.fixed.extend(node.field("symbol").map(text));
            }
            _ => {}
        }
    }

    fn declare_as(&mut self, name: &'a str, role: Role) {
        if !KEYWORDS.contains(&name) {
            self.declared.entry(name).or_default().push(role);
        }
    }

    fn declare<'t>(&mut self, names: impl IntoIterator<Item = Node<'t>>, role: Role) {
        names.into_iter().for_each(|name| self.declare_as(self.plain.text(name), role));
    }

    fn declare_declarators(&mut self, node: Node<'_>, role: Role) {
        // In `MACRO type name(…)` the parser guesses which of them is the name.
        if !node.all_children().iter().any(Node::is_error) {
            self.declare(node.fields("declarator").into_iter().filter_map(NodeExt::declared_name), role);
        }
    }

    fn declare_variables(&mut self, node: Node<'_>) {
        let is_extern = node.all_children().iter().any(|child| self.plain.text(*child) == "extern");
        for declarator in node.fields("declarator") {
            let Some(name) = declarator.declared_name() else { continue };
            let is_bracket = |kind| matches!(kind, "parenthesized_declarator" | "attributed_declarator");
            let around = name.ancestors().find(|above| !is_bracket(above.kind()));
            if around.is_some_and(|around| around.kind() == "function_declarator") {
                self.prototypes.insert(self.plain.text(name));
            } else if !is_extern || declarator.kind() == "init_declarator" {
                self.declare([name], Role::Variable);
            }
        }
    }

    fn is_free(&self, name: &str) -> bool {
        let Some(roles) = self.declared.get(name) else { return false };
        let is = |role: Role| roles.contains(&role);
        // A function that is only called, or only has a prototype, is defined elsewhere.
        let is_foreign = self.prototypes.contains(name) && !is(Role::Function)
            || self.called.contains(name) && !is(Role::Function) && !is(Role::Variable);
        (!is_foreign || is(Role::Macro)) && !self.fixed.contains(name) && !name.starts_with("__")
    }
}

/// The place of the name that the directive `token` defines.
fn defined_name(source: &str, token: &Token) -> Option<Range<usize>> {
    let blank = [' ', '\t'];
    let text = source[token.range()].strip_prefix('#')?;
    let after = text.trim_start_matches(blank).strip_prefix("define")?;
    let name = after.trim_start_matches(blank);
    let start = token.end - name.len();
    let length = words(name).next().filter(|word| name.starts_with(word))?.len();
    (name.len() < after.len()).then_some(start..start + length)
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, candidate_edits, pass::tests::texts};

    fn renamed(source: &str) -> String {
        texts(source, Pass::Names).into_iter().next().unwrap_or(source.to_string())
    }

    #[test]
    fn every_name_of_the_text_becomes_a_short_one() {
        let source = "struct pair { int left; } one;\nenum { RED };\ntypedef int number;\nextern int far;\n\
            void abort(void);\nstatic number twice(number n) { return n + RED; }\n\
            int main(void) { struct pair *p = &one; again: if (twice(p->left)) goto again; far = 1; abort(); }\n";
        let expected = "struct s { int x; } a;\nenum { A };\ntypedef int t;\nextern int far;\n\
            void abort(void);\nstatic t f(t b) { return b + A; }\n\
            int main(void) { struct s *c = &a; l: if (f(c->x)) goto l; far = 1; abort(); }\n";
        assert_eq!(renamed(source), expected);
        assert!(candidate_edits(expected, Pass::Names).is_empty());
    }

    #[test]
    fn names_that_are_known_elsewhere_stay() {
        for source in [
            "#define M(v) v + wide\nint wide;\n",
            "#define WIDE 1\n#undef WIDE\n#define WIDE 2\nint a = WIDE;\n",
            "#define TWO (ONE + 1)\n#define ONE 1\n#ifdef TWO\nint a = TWO + ONE;\n#endif\n",
            "int add;\nvoid f(void) { asm(\"call add\"); }\n",
            "void f(void) __attribute__((alias(\"real\")));\nvoid real(void) {}\n",
            "void f(int a) { asm(\"%[out]\" : [out] \"=r\"(a)); int out; }\n",
            "struct s { int x; int exit; };\nvoid f(void) { exit(0); }\n",
        ] {
            assert_eq!(renamed(source), source);
        }
    }

    #[test]
    fn a_new_name_is_unused() {
        assert_eq!(
            renamed("#define a 1\nint b(void);\nint var = a, c2;\n"),
            "#define M 1\nint b(void);\nint a = M, c;\n"
        );
        assert_eq!(renamed("int b, a;\n"), "int a, b;\n");
        assert_eq!(
            renamed("#define M 1\n#define LONG 2\nint a = LONG;\n"),
            "#define M 1\n#define N 2\nint a = N;\n"
        );
    }

    #[test]
    fn a_macro_is_renamed_where_it_is_defined_too() {
        let source = "#define  ADD(one, two) one + two\n#define DONE return 0;\nint f(int a) { if (a) DONE\n return ADD(a, 1); }\n";
        let expected = "#define  N(one, two) one + two\n#define M return 0;\nint f(int a) { if (a) M\n return N(a, 1); }\n";
        assert_eq!(renamed(source), expected);
    }

    #[test]
    fn each_name_can_be_left_out() {
        let source = "int b, foo, a;\n";
        assert_eq!(
            texts(source, Pass::Names),
            ["int a, b, c;\n", "int a, foo, b;\n", "int foo, b, a;\n", "int b, foo, c;\n"]
        );
    }

    #[test]
    fn old_style_definitions_and_computed_labels_are_renamed() {
        let source =
            "twice(num) int num; { void *to = &&out; goto *to; out: return num; }\nmain() { twice(1); }\n";
        let expected = "f(a) int a; { void *b = &&l; goto *b; l: return a; }\nmain() { f(1); }\n";
        assert_eq!(renamed(source), expected);
    }

    #[test]
    fn renaming_twice_is_renaming_once() {
        for source in super::super::layout::tests::sources() {
            let once = renamed(&source);
            assert!(candidate_edits(&once, Pass::Names).is_empty(), "{once}");
        }
    }
}
