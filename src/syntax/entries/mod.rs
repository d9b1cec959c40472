//! Functions that can be called with numbers, and how: what `recount inputs` searches the inputs of.
//!
//! The heads of functions are read from the preprocessed text, where macros are
//! expanded. Of a type only the numbers in it matter, and a spelling that compiles at the end of the
//! file. A pointer gets a memory area of its own, which is as large as its type says or its uses suggest.

mod call;
mod functions;
mod main_program;
mod node;
mod types;
mod uses;

use serde::{Deserialize, Serialize};

use super::preprocessed::Preprocessed;
use crate::model::{Line, Number};
use functions::{Head, heads};
use node::{At, one_line};
use types::{Known, Type, Typed, Types};

pub use main_program::{MainProgram, main_program};

/// Elements behind a pointer whose uses do not tell.
const ELEMENTS: usize = 8;
/// Bytes behind a pointer to `char`, the last of which is 0.
const CHARACTERS: usize = 16;
/// More numbers are no input that a search gets anywhere with.
const MOST_CELLS: usize = 1024;

/// A function that can be called with numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// The line on which its head begins.
    pub line: Line,
    /// Its last line.
    pub end: Line,
    /// Whether it is `static`.
    pub is_static: bool,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// What it returns, if that is a number.
    pub returns: Option<Number>,
    /// How the type that it returns is spelt.
    spelt: String,
}

/// A function that cannot be called with numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsupported {
    /// Its name.
    pub name: String,
    /// The line on which its head begins.
    pub line: Line,
    /// A sentence that says why.
    pub reason: String,
}

/// What a function takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name, or `parameter 1` where it has none.
    pub name: String,
    /// The type of the value, or of an element of what is pointed to.
    kind: Type,
    /// The memory behind it, if it is a pointer.
    area: Option<Area>,
}

/// The memory behind a pointer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Area {
    length: usize,
    shape: Shape,
    /// Whether the function may not write to it.
    constant: bool,
    /// Whether it may be null.
    nullable: bool,
}

/// How memory is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Shape {
    /// As one element.
    One,
    /// By index.
    Many,
    /// By index; the last element is always 0.
    Text,
}

/// Every function that is defined in our file, in source order.
pub fn entries(program: &Preprocessed) -> Vec<Result<Entry, Unsupported>> {
    functions::read(program, |types, root| {
        let heads = heads(program, root);
        heads.iter().map(|head| head.with(|at| entry(types, head, at))).collect()
    })
}

/// What the function `head` takes; `at` is its definition, if that can be read.
fn entry<'a>(types: &Types<'a>, head: &Head<'_>, at: Option<At<'a>>) -> Result<Entry, Unsupported> {
    let because =
        |name: &str, reason: String| Unsupported { name: name.to_string(), line: head.line, reason };
    let unread =
        |name: &str| because(name, "the head of the function is not one that recount can read".into());
    let at = at.ok_or_else(|| unread(""))?;
    let (returned, function) = functions::function(types, at).ok_or_else(|| unread(""))?;
    let name = function.field("declarator").and_then(types::name_of).map_or("", At::text);
    let list = function.field("parameters").ok_or_else(|| unread(name))?;
    if at.children().iter().any(|at| at.kind() != "compound_statement" && at.node.has_error()) {
        return Err(unread(name));
    }
    if name == "main" {
        let reason =
            "the program begins in it, so that its arguments and its standard input are what can be chosen";
        return Err(because(name, reason.into()));
    }
    if list.children().iter().any(|at| matches!(at.kind(), "variadic_parameter" | "...")) {
        let reason = "its parameter `...` stands for any number of arguments of any type; a fixed list of numbers would work";
        return Err(because(name, reason.into()));
    }
    let mut parameters = Vec::new();
    for (index, (at_parameter, typed)) in functions::parameters(types, at, list).into_iter().enumerate() {
        let parameter = typed.and_then(|(named, typed)| parameter(at, index, &named, typed));
        parameters.push(parameter.map_err(|why| because(name, sentence(at_parameter, &why)))?);
    }
    let (returns, spelt) = match returned {
        Ok(Typed { kind: Type::Number(number, spelt), .. }) => (Some(number), spelt),
        _ => (None, String::new()),
    };
    let is_static =
        at.children().iter().any(|at| at.kind() == "storage_class_specifier" && at.text() == "static");
    let entry =
        Entry { name: name.into(), line: head.line, end: head.end, is_static, parameters, returns, spelt };
    let count = entry.parameters.iter().map(Parameter::count).fold(0, usize::saturating_add);
    if count > MOST_CELLS {
        let reason = format!("its parameters hold {count} numbers; no more than {MOST_CELLS} would work");
        return Err(because(name, reason));
    }
    Ok(entry)
}

/// Why a function cannot be called, by the parameter that cannot be made.
fn sentence(parameter: At<'_>, why: &str) -> String {
    let declared: String = one_line(parameter.written().trim_end_matches(';')).chars().take(80).collect();
    format!(
        "the parameter `{declared}` is {why}; a number would work, and a pointer to numbers, an array of them, \
         or a struct of them"
    )
}

/// The parameter `name` with its memory, as the body of `function` uses it.
fn parameter(function: At<'_>, index: usize, name: &str, typed: Typed) -> Known<Parameter> {
    let (element, length) = match typed.kind {
        Type::Pointer(to) => (*to, None),
        Type::Array(of, length) => (*of, length),
        kind => {
            let kind = numbers(kind, false)?;
            return Ok(Parameter { name: or_number(name, index), kind, area: None });
        }
    };
    let found = function.field("body").map(|body| uses::uses(body, name));
    let found = found.unwrap_or(uses::Uses { single: false, tested: false });
    let kind = numbers(element.kind, true)?;
    let is_text = matches!(kind, Type::Number(Number::Integer { bits: 8, .. }, _));
    let (guessed, shape) = match (found.single, is_text) {
        _ if length.is_some() => (1, Shape::Many),
        (true, _) => (1, Shape::One),
        (false, true) => (CHARACTERS, Shape::Text),
        (false, false) => (ELEMENTS, Shape::Many),
    };
    let area =
        Area { length: length.unwrap_or(guessed), shape, constant: element.constant, nullable: found.tested };
    Ok(Parameter { name: or_number(name, index), kind, area: Some(area) })
}

/// The type, if it is made of numbers; `behind` a pointer it is told as what that is.
fn numbers(kind: Type, behind: bool) -> Known<Type> {
    let complaint = match &kind {
        Type::Pointer(_) if behind => "a pointer to pointers",
        Type::Void if behind => "a pointer to memory of no type",
        Type::Void | Type::Pointer(_) => "of a type that holds no number",
        Type::Array(of, length) => {
            numbers(of.kind.clone(), true)?;
            if length.is_some() { "" } else { "an array with a length that is not constant" }
        }
        Type::Struct(spelt, _) if spelt.is_empty() => "a struct without a name",
        Type::Number(..) | Type::Struct(..) => "",
    };
    if complaint.is_empty() { Ok(kind) } else { Err(complaint.into()) }
}

fn or_number(name: &str, index: usize) -> String {
    if name.is_empty() { format!("parameter {}", index + 1) } else { name.to_string() }
}

#[cfg(test)]
mod tests;
