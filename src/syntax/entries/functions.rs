//! The places of the functions of a file, and the types that their heads name.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::super::parse::{empty_tree, if_shallow};
use super::super::preprocessed::Preprocessed;
use super::super::walk::old_style_start;
use super::node::{At, Source};
use super::types::{Known, Type, Typed, Types, inner, name_of};
use crate::model::{Line, Number};

/// Spellings of keywords that the parser does not know.
static SPELLINGS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:__restrict|__volatile__|__volatile|__const__|__const|__signed__|__signed)\b")
        .expect("a constant")
});

/// The text for the parser, which has the same length as the program.
fn seen(program: &Preprocessed) -> String {
    let plain = |found: &Captures<'_>| {
        let word = found[0].trim_matches('_');
        let word = if word == "restrict" { "" } else { word };
        format!("{word:<width$}", width = found[0].len())
    };
    SPELLINGS.replace_all(&program.masked(), plain).into_owned()
}

/// Parse `program` and call `work` with its types and its root.
pub fn read<T>(program: &Preprocessed, work: impl FnOnce(&Types<'_>, At<'_>) -> T) -> T {
    let seen = seen(program);
    let tree = program.tree(&seen).unwrap_or_else(empty_tree);
    let root = At { node: tree.root_node(), source: Source { seen: &seen, written: &program.text } };
    work(&Types::of(root), root)
}

/// A function of the main file.
pub struct Head<'a> {
    pub line: Line,
    pub end: Line,
    /// Its definition. If its type is left out, the text that the parser sees, and the text as it is written.
    at: Result<At<'a>, (String, String)>,
}

impl Head<'_> {
    /// Call `work` with the definition, or with none if it cannot be read.
    pub fn with<T>(&self, work: impl FnOnce(Option<At<'_>>) -> T) -> T {
        let (seen, written) = match &self.at {
            Ok(at) => return work(Some(*at)),
            Err(texts) => texts,
        };
        for prefix in ["", "int "] {
            let (seen, written) = (format!("{prefix}{seen}"), format!("{prefix}{written}"));
            let tree = if_shallow(&seen, &[]).unwrap_or_else(empty_tree);
            let root = At { node: tree.root_node(), source: Source { seen: &seen, written: &written } };
            let is_definition = |at: &At<'_>| at.kind() == "function_definition";
            if let Some(at) =
                root.children().into_iter().find(is_definition).filter(|_| root.children().len() == 1)
            {
                return work(Some(at));
            }
        }
        work(None)
    }
}

/// The functions that the main file defines, in source order.
pub fn heads<'a>(program: &Preprocessed, root: At<'a>) -> Vec<Head<'a>> {
    let mut found = Vec::new();
    let mut stack = vec![root];
    while let Some(at) = stack.pop() {
        match at.kind() {
            "function_definition" => found.extend(head(program, at, at.node.start_byte())),
            "compound_statement" => found.extend(head(program, at, old_style_start(at.node))),
            // Functions are nested deeper only in code that the parser could not read.
            "translation_unit" | "ERROR" | "declaration_list" | "linkage_specification" => {
                stack.extend(at.children().into_iter().rev());
            }
            _ => {}
        }
    }
    found
}

/// The function `at`, whose text begins at `start`, if it is in the main file.
fn head<'a>(program: &Preprocessed, at: At<'a>, start: usize) -> Option<Head<'a>> {
    let range = start..at.node.end_byte();
    let (seen, written) = (at.source.seen.get(range.clone())?, at.source.written.get(range)?);
    let last = at.node.end_position().row;
    let first = last - seen.matches('\n').count().min(last);
    // White space before the first word does not belong to the function.
    let lines: Vec<Line> = (first..=last).filter_map(|row| program.line(row)).collect();
    let (line, end) = (*lines.iter().min()?, *lines.iter().max()?);
    let is_plain = at.kind() == "function_definition";
    let at = if is_plain { Ok(at) } else { Err((seen.to_string(), written.to_string())) };
    Some(Head { line, end, at })
}

/// The return type of the function that `definition` defines, and the declarator of its name and parameters.
pub fn function<'a>(types: &Types<'a>, definition: At<'a>) -> Option<(Known<Typed>, At<'a>)> {
    let whole = definition.field("declarator")?;
    let mut at = whole;
    let mut pointers = false;
    let mut found = None;
    while let Some(next) = inner(at) {
        if at.kind() == "function_declarator" {
            // The innermost list belongs to the function, the others to its return type.
            pointers |= found.is_some();
            found = Some(at);
        }
        pointers |= matches!(at.kind(), "pointer_declarator" | "array_declarator");
        at = next;
    }
    name_of(at)?;
    let returned = if pointers { Err("no number".into()) } else { types.base(definition) };
    Some((returned, found?))
}

/// A parameter with its name and its type.
type Parameter<'a> = (At<'a>, Known<(String, Typed)>);

/// The parameters of a definition. The list `(void)` has none.
pub fn parameters<'a>(types: &Types<'a>, definition: At<'a>, list: At<'a>) -> Vec<Parameter<'a>> {
    let listed: Vec<At<'a>> = list.named().into_iter().filter(|at| at.kind() != "comment").collect();
    if let [only] = listed.as_slice()
        && only.kind() == "parameter_declaration"
        && only.text() == "void"
    {
        return Vec::new();
    }
    let read = |at: At<'a>| match at.kind() {
        "parameter_declaration" => {
            let typed = types.base(at).and_then(|base| match at.field("declarator") {
                Some(declarator) => types.declared(base, declarator),
                None => Ok((String::new(), base)),
            });
            (at, typed)
        }
        "identifier" => old_style(types, definition, at),
        _ => (at, Err("written in a way that recount cannot read".into())),
    };
    listed.into_iter().map(read).collect()
}

/// The parameter `name` of an old-style definition; one that is not declared is an `int`.
fn old_style<'a>(types: &Types<'a>, definition: At<'a>, name: At<'a>) -> Parameter<'a> {
    for declaration in definition.children().into_iter().filter(|at| at.kind() == "declaration") {
        for declarator in declaration.fields("declarator") {
            if name_of(declarator).is_some_and(|at| at.text() == name.text()) {
                let typed = types.base(declaration).and_then(|base| types.declared(base, declarator));
                return (declaration, typed);
            }
        }
    }
    let kind = Type::Number(Number::INT, "int".into());
    (name, Ok((name.text().to_string(), Typed { kind, constant: false })))
}

/// The names of the parameters of a function.
pub fn names(function: At<'_>) -> Vec<String> {
    let listed = function.field("parameters").map(At::named).unwrap_or_default();
    let name = |at: At<'_>| {
        let declarator = if at.kind() == "identifier" { Some(at) } else { at.field("declarator") };
        declarator.and_then(name_of).map(|at| at.text().to_string())
    };
    listed.into_iter().filter_map(name).collect()
}
