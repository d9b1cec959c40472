//! Names whose meaning the instrumenter must know: constants, labels, and functions that are certainly called.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;
use tree_sitter::Node;

use super::super::comments::without_comments;
use super::super::nodes::NodeExt;
use super::super::unevaluated::is_unevaluated;
use super::super::words::identifiers;
use super::integers::Integers;

/// Functions that end a program.
const ENDS: [&str; 4] = ["abort", "exit", "__builtin_abort", "__builtin_exit"];

/// Built-ins of which compilers know that they do not return, and that may have no code.
const ENDLESS: [&str; 3] = ["__builtin_unreachable", "__builtin_trap", "__builtin_longjmp"];

/// Attributes of functions in which no profiler can count, or in which no counter may be.
const UNPROFILED: [&str; 2] = ["no_profile_instrument_function", "naked"];

/// The attribute with which gcc does not optimise a function.
static UNOPTIMISED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"optimize(?:__)?\s*\(\s*(?:"-?O?0"|0)\s*\)"#).expect("a constant"));

/// The first words of the types and functions of <stdatomic.h> and of the built-ins of GNU C, after `atomic_`.
const ATOMIC: [&str; 39] = [
    "add", "and", "always", "bool", "char", "char16", "char32", "char8", "clear", "compare", "exchange",
    "fetch", "flag", "init", "int", "intmax", "intptr", "is", "llong", "load", "long", "nand", "or",
    "ptrdiff", "schar", "short", "size", "store", "sub", "test", "uchar", "uint", "uintmax", "uintptr",
    "ullong", "ulong", "ushort", "wchar", "xor",
];

#[derive(Default)]
pub(super) struct Names<'a> {
    /// The constants of every `enum`.
    pub constants: HashSet<&'a str>,
    /// Variables that are declared `const` anywhere.
    fixed: HashSet<&'a str>,
    /// Arrays whose size may be computed, and the names of their types.
    sized: HashSet<&'a str>,
    /// The labels of every function.
    pub labels: HashSet<&'a str>,
    /// The labels by which a `break` or `continue` names a statement.
    pub jumped: HashSet<&'a str>,
    /// Functions that have a body.
    functions: HashSet<&'a str>,
    /// Functions with an attribute or `inline`: a call of one may be optimised away.
    special: HashSet<&'a str>,
    /// Functions that are declared `always_inline`.
    inlined: HashSet<&'a str>,
    /// Functions that have the attribute `optimize`, but for `optimize("O0")`.
    optimised: HashSet<&'a str>,
    /// Functions that have an attribute of [`UNPROFILED`].
    unprofiled: HashSet<&'a str>,
    /// Functions that have the attribute `noreturn`, which clang makes a part of their type. Headers of the system, which are not
    /// parsed, declare some of them.
    endless: HashSet<String>,
    /// Functions with the specifier `_Noreturn` of C11 or the attribute `[[noreturn]]` of C23.
    specified: HashSet<&'a str>,
    /// Functions that are declared near the word `noreturn` anywhere, headers of the system included.
    unreturned: HashSet<String>,
    /// Functions that are declared `static` anywhere.
    private: HashSet<&'a str>,
    /// The offsets of the expressions that control may leave, and of each `goto *p`, in order.
    left: Vec<usize>,
    pub integers: Integers<'a>,
    /// Whether the program names the type `_Bool`.
    pub has_bool: bool,
    /// Whether the program names an `_Atomic` type.
    pub has_atomic: bool,
    /// Whether a change of an `_Atomic` may have to be repeated, because its old value differs in padding.
    pub may_repeat: bool,
}

impl<'a> Names<'a> {
    /// `text` was parsed; `original` has its attributes too.
    pub fn of(root: Node<'_>, text: &'a str, original: &str) -> Names<'a> {
        // Headers of the system declare both, and are blank in the parsed text.
        let is_own = |(at, word): (usize, &str)| {
            text.get(at..at + word.len()).is_some_and(|text| !text.trim().is_empty())
        };
        // `__atomic_load` too, but not `sig_atomic_t` nor a variable `atomic_addr`.
        let is_atomic = |name: &str| {
            let rest =
                name.trim_start_matches('_').strip_prefix("atomic_").and_then(|rest| rest.split('_').next());
            rest.is_some_and(|word| ATOMIC.contains(&word))
        };
        let has_atomic = identifiers(text).any(|name| is_atomic(&text[name]))
            || original.match_indices("_Atomic").any(is_own);
        let mut names = Names {
            integers: Integers::of(root, text),
            has_bool: text.contains("_Bool") || text.contains("bool"),
            has_atomic,
            may_repeat: has_atomic && text.contains("long double"),
            ..Names::default()
        };
        let name_in = |node: Node<'_>, field| Some(node.field(field)?.text(text));
        // With the name of the function that is called.
        let mut left: Vec<(usize, Option<&str>)> = Vec::new();
        for node in root.subtree() {
            match node.kind() {
                "array_declarator" if names.may_be_computed(node, text) => {
                    names.sized.extend(node.declared_name().map(|name| name.text(text)));
                }
                "call_expression" => {
                    let callee = node.field("function").filter(|callee| callee.kind() == "identifier");
                    left.push((node.start_byte(), callee.map(|callee| callee.text(text))));
                }
                "compound_statement" if is_expression(node) => left.push((node.start_byte(), None)),
                "goto_statement" if is_computed_goto(node.text(text)) => left.push((node.start_byte(), None)),
                // Replaced by `Plain`.
                "goto_statement" if !original[node.start_byte()..].starts_with("goto") => {
                    names.jumped.extend(name_in(node, "label"));
                }
                "enumerator" => names.constants.extend(name_in(node, "name")),
                "declaration" if is_const(node, text) => {
                    let declarators = node.fields("declarator").into_iter();
                    let declarators = declarators.filter(|one| !is_changeable_pointer(*one, text));
                    names.fixed.extend(declarators.filter_map(|one| Some(one.declared_name()?.text(text))));
                    names.add_functions(node, text, original);
                }
                "labeled_statement" => names.labels.extend(name_in(node, "label")),
                "function_definition" | "declaration" => names.add_functions(node, text, original),
                _ => {}
            }
        }
        names.unreturned = unreturned(original);
        names.endless.extend(endless(original));
        let may_end = |name| names.never_returns(name) || names.unreturned.contains(name);
        left.retain(|(_, callee)| callee.is_none_or(may_end));
        names.left = left.into_iter().map(|(offset, _)| offset).collect();
        names
    }

    /// A function with an old-style `head`.
    pub fn add_old_style(&mut self, name: &'a str, head: &str) {
        if head.contains("attribute") || head.contains("inline") {
            self.special.insert(name);
        } else {
            self.functions.insert(name);
        }
        self.add_attributes(name, head);
        self.integers.forget();
    }

    /// The functions that a declaration or a definition declares.
    fn add_functions(&mut self, node: Node<'_>, text: &'a str, original: &str) {
        let body = node.field("body");
        // The tree lacks attributes before the declaration, and some of the declarations before it.
        let after = node.prev_sibling().map_or(0, |before| before.end_byte());
        let before = &original[after..node.start_byte()];
        let start = after + before.rfind([';', '}']).map_or(0, |end| end + 1);
        let head = &original[start..body.map_or(node.end_byte(), |body| body.start_byte())];
        let is_special = head.contains("attribute") || head.contains("inline");
        for name in node.fields("declarator").into_iter().filter_map(function_name) {
            let name = name.text(text);
            self.add_attributes(name, head);
            if is_special {
                self.special.insert(name);
            } else if node.kind() == "function_definition" {
                self.functions.insert(name);
            }
        }
    }

    /// What the `head` of a declaration of the function `name` says about it.
    fn add_attributes(&mut self, name: &'a str, head: &str) {
        let [of_gnu, of_standard] = ["__attribute", "[["].map(|opening| attributes(head, opening));
        let is_specified = of_standard.to_lowercase().contains("noreturn")
            || identifiers(head).any(|place| &head[place] == "_Noreturn");
        let attributes = format!("{of_gnu}{of_standard}");
        let sets = [
            (&mut self.inlined, attributes.contains("always_inline")),
            (&mut self.optimised, attributes.contains("optimize") && !UNOPTIMISED.is_match(&attributes)),
            (&mut self.unprofiled, UNPROFILED.iter().any(|word| attributes.contains(word))),
            (&mut self.specified, is_specified),
            (&mut self.private, head.contains("static")),
        ];
        for (names, _) in sets.into_iter().filter(|(_, is_said)| *is_said) {
            names.insert(name);
        }
        if of_gnu.contains("noreturn") || of_standard.contains("gnu::noreturn") {
            self.endless.insert(name.to_string());
        }
    }

    /// Whether the size of the array that `declarator` declares may be computed: it names something that is no constant.
    pub fn may_be_computed(&self, declarator: Node<'_>, text: &str) -> bool {
        let is_variable =
            |node: &Node<'_>| node.kind() == "identifier" && !self.constants.contains(node.text(text));
        declarator.field("size").is_some_and(|size| size.subtree().iter().any(is_variable))
    }

    /// Whether `name` may be an array whose size is computed, or the type of one.
    pub fn may_be_sized(&self, name: &str) -> bool {
        self.sized.contains(name)
    }

    /// Whether `name` may be a constant: an enumerator, or a variable that is `const`.
    pub fn is_fixed(&self, name: &str) -> bool {
        self.constants.contains(name) || self.fixed.contains(name)
    }

    /// Whether `name` may be a function of the program.
    pub fn is_own(&self, name: &str) -> bool {
        self.functions.contains(name) || self.special.contains(name)
    }

    /// Whether no declaration of the function `name` has an attribute or `inline`.
    pub fn is_plain(&self, name: &str) -> bool {
        self.functions.contains(name) && !self.special.contains(name)
    }

    /// Whether every gcc inlines the function `name`, with the values of constant arguments.
    pub fn is_inlined(&self, name: &str) -> bool {
        self.inlined.contains(name)
    }

    /// Whether a declaration asks gcc to optimise the function `name` in a way of its own.
    pub fn is_optimised(&self, name: &str) -> bool {
        self.optimised.contains(name)
    }

    /// Whether a declaration says that compilers do not count the function `name`.
    pub fn is_unprofiled(&self, name: &str) -> bool {
        self.unprofiled.contains(name)
    }

    /// Whether clang takes it that the function `name` never returns, and counts what follows a call: by its type, or since it
    /// is one of the library that ends the program.
    pub fn never_returns(&self, name: &str) -> bool {
        self.endless.contains(name) || ENDLESS.contains(&name) || ENDS.contains(&name) && !self.is_own(name)
    }

    /// Whether the function `name` never returns by a declaration that `CounterCoverageMappingBuilder::VisitCallExpr` does not
    /// ask for: it asks for the type, which `_Noreturn` and `[[noreturn]]` are no part of.
    pub fn is_said_to_end(&self, name: &str) -> bool {
        self.specified.contains(name) && !self.never_returns(name)
    }

    /// Whether control may leave `node` inside an expression, or by `goto *p`: a call through a pointer, a statement expression.
    pub fn may_leave(&self, node: Node<'_>) -> bool {
        let first = self.left.partition_point(|offset| *offset < node.start_byte());
        self.left.get(first).is_some_and(|offset| *offset < node.end_byte())
    }

    /// Whether other files can call the function `name`.
    pub fn is_external(&self, name: &str) -> bool {
        !self.private.contains(name)
    }

    /// Whether every compiler generates code for the statement `node`: a `return`, an `asm`, a call that it does not optimise
    /// away, or an assignment or an initialiser of something computed. A plain copy may be of an empty structure.
    pub fn has_code(&self, node: Node<'_>, text: &str) -> bool {
        let inner = || node.named_child(0).filter(|_| node.kind() == "expression_statement");
        match node.kind() {
            "return_statement" => true,
            "declaration" => node.fields("declarator").into_iter().any(|one| self.is_computed(one, text)),
            _ => {
                self.is_sure_call(node, text)
                    || inner().is_some_and(|inner| inner.kind() == "gnu_asm_expression" || computes(inner))
            }
        }
    }

    /// Whether the declarator `node` has an initialiser that every compiler generates code for.
    fn is_computed(&self, node: Node<'_>, text: &str) -> bool {
        let is_variable = node.field("declarator").is_some_and(|inner| inner.kind() == "identifier");
        let value = node.field("value").filter(|_| node.kind() == "init_declarator" && is_variable);
        value.is_some_and(|value| is_scalar(value) || self.is_sure_call(value, text))
    }

    /// Whether every evaluation of the expression `node` calls a function or changes a variable, which no compiler
    /// optimises away.
    pub fn has_effect(&self, node: Node<'_>, text: &str) -> bool {
        if is_unevaluated(node, text) {
            return false;
        }
        if computes(node) || node.kind() == "call_expression" && self.is_sure_call(node, text) {
            return true;
        }
        let is_choice = matches!(node.field("operator").map(|found| found.kind()), Some("&&" | "||"));
        match node.kind() {
            "binary_expression" if is_choice => {
                node.field("left").is_some_and(|left| self.has_effect(left, text))
            }
            "binary_expression"
            | "parenthesized_expression"
            | "unary_expression"
            | "assignment_expression"
            | "cast_expression" => node.elements().into_iter().any(|part| self.has_effect(part, text)),
            _ => false,
        }
    }

    /// Whether the value of `node` comes from a call that no compiler optimises away: of a function that has its body
    /// here, or one that ends the program.
    fn is_sure_call(&self, node: Node<'_>, text: &str) -> bool {
        let inner = match node.kind() {
            "expression_statement" | "return_statement" | "parenthesized_expression" => node.named_child(0),
            "assignment_expression" => node.field("right"),
            "cast_expression" => node.field("value"),
            "call_expression" => {
                let callee = node.field("function").map(|callee| callee.text(text));
                return callee.is_some_and(|name| {
                    ENDS.contains(&name) || self.functions.contains(name) && !self.special.contains(name)
                });
            }
            _ => None,
        };
        inner.is_some_and(|inner| self.is_sure_call(inner, text))
    }
}

/// Whether the declaration `node` has the qualifier `const` or `constexpr`.
fn is_const(node: Node<'_>, text: &str) -> bool {
    let qualifiers = node.elements().into_iter().filter(|child| child.kind() == "type_qualifier");
    qualifiers.into_iter().any(|one| one.text(text).contains("const"))
}

/// Whether `declarator` declares a pointer that is not constant: what it points to may be.
fn is_changeable_pointer(declarator: Node<'_>, text: &str) -> bool {
    let declared = declarator.field("declarator").filter(|_| declarator.kind() == "init_declarator");
    let declared = declared.unwrap_or(declarator);
    declared.kind() == "pointer_declarator" && !is_const(declared, text)
}

/// Whether the expression `node` changes a variable to something computed.
fn computes(node: Node<'_>) -> bool {
    match node.kind() {
        "update_expression" => true,
        "assignment_expression" => {
            let is_plain = node.field("operator").is_some_and(|operator| operator.kind() == "=");
            !is_plain || node.field("right").is_some_and(is_scalar)
        }
        _ => false,
    }
}

/// Whether the value of `node` is computed and cannot be an empty structure.
fn is_scalar(node: Node<'_>) -> bool {
    matches!(node.kind(), "binary_expression" | "number_literal" | "char_literal" | "unary_expression")
}

/// The name in the declarator of a function.
fn function_name(declarator: Node<'_>) -> Option<Node<'_>> {
    let functions = declarator.declarators().filter(|node| node.kind() == "function_declarator");
    functions.filter_map(|node| node.field("declarator")).find(|inner| inner.kind() == "identifier")
}

/// Whether the block `node` is that of a statement expression.
fn is_expression(node: Node<'_>) -> bool {
    node.parent().is_some_and(|outer| outer.kind() == "parenthesized_expression")
}

/// The text of all attributes in `head` that begin with `opening`: what is in the parentheses of `__attribute__`, or in `[[` and
/// `]]`.
fn attributes(head: &str, opening: &str) -> String {
    let mut found = String::new();
    for (begun, _) in head.match_indices(opening) {
        let mut depth = 0;
        for character in head[begun..].chars() {
            depth += i32::from(matches!(character, '(' | '[')) - i32::from(matches!(character, ')' | ']'));
            found.push(character);
            if depth == 0 && matches!(character, ')' | ']') {
                break;
            }
        }
    }
    found
}

/// Whether the statement with this `text` is `goto *p`.
pub(super) fn is_computed_goto(text: &str) -> bool {
    text.strip_prefix("goto").is_some_and(|rest| without_comments(rest).trim_start().starts_with('*'))
}

/// The names before a parenthesis in each declaration of `text` that has the word `noreturn`.
fn unreturned(text: &str) -> HashSet<String> {
    let found = noreturn_declarations(text).flat_map(|declaration| {
        declaration.match_indices('(').map(|(before, _)| last_word(&declaration[..before]))
    });
    found.map(str::to_string).collect()
}

/// The functions that `text` declares with the attribute `noreturn` of GNU C.
fn endless(text: &str) -> HashSet<String> {
    noreturn_declarations(text).filter_map(|of| endless_function(of)).map(str::to_string).collect()
}

/// The function that `declaration` declares, if it has that attribute; one of a parameter does not count.
fn endless_function(declaration: &str) -> Option<&str> {
    let (mut depth, mut start) = (0, 0);
    let (mut function, mut is_endless) = (None, false);
    for (at, parenthesis) in declaration.match_indices(['(', ')']) {
        match (parenthesis, depth) {
            ("(", 0) => start = at,
            (")", 1) => match last_word(&declaration[..start]) {
                word if word.starts_with("__attribute") => {
                    is_endless |= declaration[start..at].contains("noreturn");
                }
                "" => {}
                word => function = function.or(Some(word)),
            },
            _ => {}
        }
        depth += if parenthesis == "(" { 1 } else { -1 };
    }
    function.filter(|_| is_endless)
}

/// The heads of the declarations of `text` that have the word `noreturn`.
fn noreturn_declarations(text: &str) -> impl Iterator<Item = &str> {
    static WORD: LazyLock<Regex> = LazyLock::new(|| Regex::new("(?i)noreturn").expect("a constant"));
    WORD.find_iter(text).map(|word| {
        let start = text[..word.start()].rfind([';', '}']).map_or(0, |end| end + 1);
        let end = text[word.start()..].find([';', '{']).map_or(word.end(), |end| word.start() + end);
        &text[start..end]
    })
}

/// The word with which `text` ends, without the blanks after it.
fn last_word(text: &str) -> &str {
    text.trim_end().rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}
