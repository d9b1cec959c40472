//! Names: alpha-renaming to short ones.
//!
//! One old name becomes one new name, wherever it stands and whatever it names there: scopes stay
//! as they are, and nothing has to be resolved. What a directive mentions keeps its name, but for a macro
//! that one directive defines and no other mentions.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use tree_sitter::Node;

use super::layout::plain::Plain;
use super::layout::tokens::{Kind, Token};
use super::{EditSet, Text};
use crate::model::TextEdit;

/// What a name stands for where it is declared first.
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
    /// The letters that its names begin with; no two roles share one.
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
}

/// Functions of libc that compilers know, among the names that are given here.
const KNOWN: [&str; 4] = ["j0", "j1", "y0", "y1"];

/// Words that the parser takes for names next to ones that it does not know.
const KEYWORDS: [&str; 24] = [
    "auto", "char", "const", "double", "extern", "float", "inline", "int", "long", "register", "restrict",
    "short", "signed", "static", "struct", "union", "enum", "typedef", "unsigned", "void", "volatile",
    "typeof", "return", "_Bool",
];

/// One candidate that renames everything, then one for each name.
pub(super) fn names(text: &Text<'_>) -> Vec<EditSet> {
    let plain = Plain::of(text.source);
    let new = targets(text.source, &plain);
    let mut places: BTreeMap<&str, Vec<Range<usize>>> = BTreeMap::new();
    for token in &plain.tokens {
        let place = match token.kind {
            Kind::Word => Some(token.start..token.end),
            Kind::Directive => defined(text.source, token),
            _ => None,
        };
        if let Some(place) = place {
            places.entry(&text.source[place.clone()]).or_default().push(place);
        }
    }
    let edits = |from: &str, to: &str| -> EditSet {
        let edit = |place: &Range<usize>| TextEdit { start: place.start, end: place.end, with: to.into() };
        places.get(from).into_iter().flatten().map(edit).collect()
    };
    let changed: Vec<&(&str, String)> = new.iter().filter(|(from, to)| from != to).collect();
    let mut found: Vec<EditSet> = vec![changed.iter().flat_map(|(from, to)| edits(from, to)).collect()];
    for (from, to) in changed {
        // A name that stands in the way takes the one that becomes free: each candidate that is
        // kept puts one more name in its place, so trying them again comes to an end.
        found.push([edits(from, to), edits(to, from)].concat());
    }
    for edits in &mut found {
        edits.sort_unstable();
    }
    found.dedup();
    found.retain(|edits| !edits.is_empty());
    found
}

/// Each name that may be changed with what it becomes, in order of appearance.
fn targets<'a>(source: &'a str, plain: &Plain) -> Vec<(&'a str, String)> {
    let found = Found::of(source, plain);
    let mut order: Vec<&'a str> = Vec::new();
    let mut avoided: BTreeSet<&str> = found.fixed.clone();
    for token in plain.tokens.iter().filter(|token| token.kind == Kind::Word) {
        let word = &source[token.start..token.end];
        if !found.is_free(word) {
            avoided.insert(word);
        } else if !order.contains(&word) {
            order.push(word);
        }
    }
    // A macro that nothing uses keeps its name.
    avoided.extend(found.declared.keys().filter(|name| !order.contains(name)));
    avoided.extend(KNOWN);
    let mut given: HashMap<Role, usize> = HashMap::new();
    let mut next = |role: Role| loop {
        let nth = given.entry(role).or_default();
        let letters = role.letters();
        let letter = &letters[*nth % letters.len()..=*nth % letters.len()];
        let round = *nth / letters.len();
        let name = if round == 0 { letter.to_string() } else { format!("{letter}{round}") };
        *nth += 1;
        if !avoided.contains(name.as_str()) {
            return name;
        }
    };
    order.into_iter().map(|name| (name, next(found.declared[name][0]))).collect()
}

/// The names of a text, as far as renaming has to know.
#[derive(Default)]
struct Found<'a> {
    /// What each name is declared as, in order.
    declared: HashMap<&'a str, Vec<Role>>,
    /// Functions that are declared and perhaps not defined.
    announced: BTreeSet<&'a str>,
    /// Names that are called.
    called: BTreeSet<&'a str>,
    /// Words in places where a name means something that no compiler checks.
    fixed: BTreeSet<&'a str>,
}

impl<'a> Found<'a> {
    fn of(source: &'a str, plain: &Plain) -> Found<'a> {
        let mut found = Found::default();
        found.fixed.insert("main");
        for token in &plain.tokens {
            let text = &source[token.start..token.end];
            match token.kind {
                Kind::Directive => {
                    let mut rest = text;
                    if let Some(name) = defined(source, token) {
                        rest = &source[name.end..token.end];
                        found.define(&source[name]);
                    }
                    found.fixed.extend(words(rest));
                }
                Kind::Other => found.fixed.extend(words(text)),
                // `alias("f")`, `asm("f")`, and what is compared with `__func__`.
                Kind::Literal => {
                    found.fixed.insert(text.trim_matches('"').trim_start_matches('*'));
                }
                _ => {}
            }
        }
        let place = |node: Node<'_>| -> &'a str {
            let from = plain.parsed.partition_point(|token| token.start < node.start_byte());
            let to = plain.parsed.partition_point(|token| token.start < node.end_byte());
            if from == to { "" } else { &source[plain.tokens[from].start..plain.tokens[to - 1].end] }
        };
        for node in plain.nodes() {
            found.node(node, &place);
        }
        found.fixed.remove("");
        found
    }

    fn node(&mut self, node: Node<'_>, text: &impl Fn(Node<'_>) -> &'a str) {
        let name = node.child_by_field_name("name");
        match node.kind() {
            "function_definition" => self.declarators(node, Role::Function, text),
            "declaration" => {
                let mut cursor = node.walk();
                let is_extern = node.children(&mut cursor).any(|child| text(child) == "extern");
                self.variables(node, is_extern, text);
            }
            "parameter_declaration" => self.declarators(node, Role::Variable, text),
            // Parameters of an old-style definition whose types are not told.
            "parameter_list" => {
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor).filter(|child| child.kind() == "identifier") {
                    self.declare(text(child), Role::Variable);
                }
            }
            "type_definition" => self.declarators(node, Role::Type, text),
            "field_declaration" => self.declarators(node, Role::Field, text),
            "struct_specifier" | "union_specifier" | "enum_specifier"
                if node.child_by_field_name("body").is_some() =>
            {
                if let Some(name) = name {
                    self.declare(text(name), Role::Type);
                }
            }
            "enumerator" => name.into_iter().for_each(|name| self.declare(text(name), Role::Constant)),
            "labeled_statement" => {
                let label = node.child_by_field_name("label");
                if let Some(label) = label {
                    self.declare(text(label), Role::Label);
                }
            }
            "call_expression" => self.called.extend(node.child_by_field_name("function").map(text)),
            "attribute_specifier"
            | "gnu_asm_output_operand"
            | "gnu_asm_input_operand"
            | "gnu_asm_expression" => self.fix(node, text),
            _ => {}
        }
    }

    fn define(&mut self, name: &'a str) {
        // Which of two definitions a place means depends on where it stands.
        if self.declared.contains_key(name) {
            self.fixed.insert(name);
        }
        self.declare(name, Role::Macro);
    }

    fn declare(&mut self, name: &'a str, role: Role) {
        if KEYWORDS.contains(&name) {
            return;
        }
        self.declared.entry(name).or_default().push(role);
    }

    fn declarators(&mut self, node: Node<'_>, role: Role, text: &impl Fn(Node<'_>) -> &'a str) {
        let mut cursor = node.walk();
        if node.children(&mut cursor).any(|child| child.is_error()) {
            // `MACRO type name(…)`: which of them is the name is a guess.
            return;
        }
        for declarator in node.children_by_field_name("declarator", &mut cursor) {
            if let Some((name, _)) = innermost(declarator) {
                self.declare(text(name), role);
            }
        }
    }

    fn variables(&mut self, node: Node<'_>, is_extern: bool, text: &impl Fn(Node<'_>) -> &'a str) {
        let mut cursor = node.walk();
        for declarator in node.children_by_field_name("declarator", &mut cursor) {
            let Some((name, is_function)) = innermost(declarator) else { continue };
            if is_function {
                self.announced.insert(text(name));
            } else if !is_extern || declarator.kind() == "init_declarator" {
                self.declare(text(name), Role::Variable);
            }
        }
    }

    /// What attributes and assembly name is theirs.
    fn fix(&mut self, node: Node<'_>, text: &impl Fn(Node<'_>) -> &'a str) {
        if node.kind() == "gnu_asm_expression" {
            let code = node.child_by_field_name("assembly_code").map(text);
            self.fixed.extend(code.into_iter().flat_map(words));
        } else if node.kind() == "attribute_specifier" {
            self.fixed.extend(words(text(node)));
        } else {
            self.fixed.extend(node.child_by_field_name("symbol").map(text));
        }
    }

    /// Whether `name` may become another one.
    fn is_free(&self, name: &str) -> bool {
        let Some(roles) = self.declared.get(name) else { return false };
        let is = |role: Role| roles.contains(&role);
        // A function that is only called, or declared, is somebody else's.
        let is_foreign = self.announced.contains(name) && !is(Role::Function)
            || self.called.contains(name) && !is(Role::Function) && !is(Role::Variable);
        (!is_foreign || is(Role::Macro)) && !self.fixed.contains(name) && !name.starts_with("__")
    }
}

/// The name in a declarator, and whether it is that of a function.
fn innermost(mut node: Node<'_>) -> Option<(Node<'_>, bool)> {
    let mut is_function = false;
    loop {
        match node.kind() {
            "identifier" | "type_identifier" | "field_identifier" => return Some((node, is_function)),
            "function_declarator" => is_function = true,
            "parenthesized_declarator" | "attributed_declarator" => {}
            _ => is_function = false,
        }
        node = node.child_by_field_name("declarator").or_else(|| {
            let mut cursor = node.walk();
            node.named_children(&mut cursor)
                .find(|child| child.kind().ends_with("declarator") || child.kind() == "identifier")
        })?;
    }
}

/// Where the name stands that the directive `token` defines.
fn defined(source: &str, token: &Token) -> Option<Range<usize>> {
    let blank = [' ', '\t'];
    let text = source[token.start..token.end].strip_prefix('#')?;
    let behind = text.trim_start_matches(blank).strip_prefix("define")?;
    let name = behind.trim_start_matches(blank);
    let start = token.end - name.len();
    let length = words(name).next().filter(|word| name.starts_with(word))?.len();
    (name.len() < behind.len()).then_some(start..start + length)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::{Pass, candidate_edits, replaced};

    fn renamed(source: &str) -> String {
        let found = candidate_edits(source, Pass::Names);
        found.first().map_or(source.to_string(), |edits| replaced(source, edits))
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
    fn what_others_know_keeps_its_name() {
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
    fn a_new_name_is_nobodys() {
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
        let found = candidate_edits(source, Pass::Names);
        let texts: Vec<String> = found.iter().map(|edits| replaced(source, edits)).collect();
        assert_eq!(texts, ["int a, b, c;\n", "int a, foo, b;\n", "int foo, b, a;\n", "int b, foo, c;\n"]);
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
