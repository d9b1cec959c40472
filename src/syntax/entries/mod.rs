//! The functions of a file that can be called with numbers, and how to call them. `recount inputs` starts here.
//!
//! The heads of functions are read from the preprocessed text, where macros are expanded. Only two things
//! matter about a type: the numbers in it, and a spelling that compiles at the end of the file. Each pointer gets a
//! memory area of its own, as large as its type says or its uses suggest.

mod call;
mod functions;
mod main_program;
mod node;
mod parameter;
mod types;
mod uses;

use super::preprocessed::Preprocessed;
use super::words::one_line;
use crate::model::{Line, Number};
use functions::{Head, heads};
use node::At;
use parameter::Parameter;
use types::{Type, Typed, Types};

pub use main_program::{MainProgram, main_program};
pub use parameter::Cell;

/// A search makes no progress on more numbers than this.
const MAX_CELLS: usize = 1024;

/// A function that can be called with numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub name: String,
    /// The line on which its head begins.
    pub line: Line,
    pub end: Line,
    pub is_static: bool,
    parameters: Vec<Parameter>,
    /// The type that it returns, if that is a number.
    pub returns: Option<Number>,
    /// How that type is spelled in C.
    return_type: String,
}

/// A function that cannot be called with numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    pub name: String,
    /// The line on which its head begins.
    pub line: Line,
    /// A sentence that says why.
    pub reason: String,
}

/// Every function that the main file defines, in source order.
pub fn entries(program: &Preprocessed) -> Vec<Result<Entry, Unsupported>> {
    functions::read(program, |types, root| {
        let heads = heads(program, root);
        heads.iter().map(|head| head.with(|at| entry(types, head, at))).collect()
    })
}

/// `at` is the definition of the function, if it can be read.
fn entry<'a>(types: &Types<'a>, head: &Head<'_>, at: Option<At<'a>>) -> Result<Entry, Unsupported> {
    let because =
        |name: &str, reason: String| Unsupported { name: name.to_string(), line: head.line, reason };
    let unread = |name: &str| because(name, "recount cannot read the head of this function".into());
    let at = at.ok_or_else(|| unread(""))?;
    let (returned, function) = functions::function(types, at).ok_or_else(|| unread(""))?;
    let name = function.field("declarator").and_then(types::name_of).map_or("", At::text);
    let list = function.field("parameters").ok_or_else(|| unread(name))?;
    if at.children().iter().any(|at| at.kind() != "compound_statement" && at.node.has_error()) {
        return Err(unread(name));
    }
    if name == "main" {
        let reason =
            "main is the program's entry point; recount chooses its arguments and its standard input";
        return Err(because(name, reason.into()));
    }
    if list.children().iter().any(|at| matches!(at.kind(), "variadic_parameter" | "...")) {
        let reason = "its parameter `...` accepts any number of arguments of any type; recount can pass only a fixed list of numbers";
        return Err(because(name, reason.into()));
    }
    let mut parameters = Vec::new();
    for (index, (at_parameter, typed)) in functions::parameters(types, at, list).into_iter().enumerate() {
        let parameter = typed.and_then(|(named, typed)| Parameter::new(at, index, &named, typed));
        parameters.push(parameter.map_err(|why| because(name, sentence(at_parameter, &why)))?);
    }
    let count = parameters.iter().map(Parameter::count).fold(0, usize::saturating_add);
    if count > MAX_CELLS {
        let reason = format!("its parameters hold {count} numbers; recount accepts at most {MAX_CELLS}");
        return Err(because(name, reason));
    }
    let (returns, return_type) = match returned {
        Ok(Typed { kind: Type::Number(number, spelling), .. }) => (Some(number), spelling),
        _ => (None, String::new()),
    };
    let is_static =
        at.children().iter().any(|at| at.kind() == "storage_class_specifier" && at.text() == "static");
    let (line, end) = (head.line, head.end);
    Ok(Entry { name: name.into(), line, end, is_static, parameters, returns, return_type })
}

/// Why a function cannot be called: because of one parameter.
fn sentence(parameter: At<'_>, why: &str) -> String {
    let declared: String = one_line(parameter.written().trim_end_matches(';')).chars().take(80).collect();
    format!(
        "the parameter `{declared}` is {why}; recount can pass numbers, and pointers to numbers, arrays of numbers \
         and structs of numbers"
    )
}

#[cfg(test)]
mod tests;
