//! The numbers that a whole program reads from its arguments and from its standard input.
//!
//! The calls that convert a number show its type. An argument that no call converts is read as an `int`; standard input
//! that no call converts is read as text.

mod formats;

use serde::{Deserialize, Serialize};

use super::super::preprocessed::Preprocessed;
use super::functions::{self, heads};
use super::node::At;
use super::parameter::Cell;
use super::types::constants::literal;
use super::types::name_of;
use crate::model::{Line, Number};
use formats::{Conversion, conversions};

/// Arguments of a program that takes any number of them, and rounds of a loop that reads.
const ROUNDS: usize = 4;
/// Bytes of standard input for a program that reads text.
const BYTES: usize = 16;
/// At most this many arguments, and as many numbers on the standard input.
const MAX_NUMBERS: usize = 64;

/// A character of the standard input.
const CHARACTER: Number = Number::Integer { bits: 8, signed: true };
/// How many arguments a program gets, or how many numbers its standard input lacks.
const COUNT: Number = Number::Integer { bits: 8, signed: false };

/// A program with a `main`, and the numbers that it reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MainProgram {
    /// The lines of `main`.
    pub line: Line,
    pub end: Line,
    arguments: Vec<Number>,
    /// Whether it looks at `argc`.
    counts_arguments: bool,
    input: StandardInput,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum StandardInput {
    /// None if the program reads no standard input.
    Numbers(Vec<Conversion>),
    Text,
}

impl MainProgram {
    /// The numbers of one input, in order.
    pub fn cells(&self) -> Vec<Cell> {
        let cell = |number, label: String| Cell { number, label };
        let mut cells = Vec::new();
        if self.counts_arguments {
            cells.push(cell(COUNT, "argc - 1".into()));
        }
        cells.extend(self.arguments.iter().zip(1..).map(|(number, n)| cell(*number, format!("argv[{n}]"))));
        match &self.input {
            StandardInput::Text => {
                cells.extend((1..=BYTES).map(|n| cell(CHARACTER, format!("stdin byte {n}"))));
            }
            StandardInput::Numbers(reads) if reads.is_empty() => {}
            StandardInput::Numbers(reads) => {
                cells.push(cell(COUNT, "stdin numbers left out".into()));
                let reads = reads.iter().zip(1..);
                cells.extend(reads.map(|(read, n)| cell(read.number, format!("stdin number {n}"))));
            }
        }
        cells
    }

    /// The arguments, without the program's name, and the standard input that the values of the cells mean.
    /// Missing values are 0.
    pub fn text(&self, values: &[u64]) -> (Vec<String>, String) {
        let mut values = values.iter().copied().chain(std::iter::repeat(0));
        let mut next = |number: Number| number.wrap(values.next().unwrap_or(0));
        let modulo = |bits: u64, most: usize| usize::try_from(bits).unwrap_or(0) % (most + 1);
        let all = self.arguments.len();
        let count = if self.counts_arguments { modulo(next(COUNT), all) } else { all };
        let mut arguments: Vec<String> =
            self.arguments.iter().map(|number| number.decimal(next(*number))).collect();
        arguments.truncate(count);
        let input = match &self.input {
            // Seven bits are text in every encoding.
            StandardInput::Text => (0..BYTES)
                .map(|_| char::from((next(CHARACTER) & 0x7f) as u8))
                .take_while(|c| *c != '\0')
                .collect(),
            StandardInput::Numbers(reads) if reads.is_empty() => String::new(),
            StandardInput::Numbers(reads) => {
                let count = reads.len() - modulo(next(COUNT), reads.len());
                reads.iter().take(count).map(|read| read.text(next(read.number)) + "\n").collect()
            }
        };
        (arguments, input)
    }
}

/// The program, if its file defines `main`.
pub fn main_program(program: &Preprocessed) -> Option<MainProgram> {
    functions::read(program, |types, root| {
        let heads = heads(program, root);
        heads.iter().find_map(|head| {
            let names = head.with(|at| {
                let at = at?;
                let (_, function) = functions::function(types, at)?;
                let is_main = name_of(function)?.text() == "main";
                is_main.then(|| functions::names(function))
            })?;
            let (arguments, counts_arguments) = arguments(root, &names);
            let input = standard_input(program, root, &names);
            Some(MainProgram { line: head.line, end: head.end, arguments, counts_arguments, input })
        })
    })
}

/// The arguments that the file uses, and whether it uses their number. `names` are the names of the parameters of `main`.
fn arguments(root: At<'_>, names: &[String]) -> (Vec<Number>, bool) {
    let [argc, rest @ ..] = names else { return (Vec::new(), false) };
    let mut found: Vec<Option<Number>> = Vec::new();
    let (mut counts, mut is_variable, mut usual, mut least) = (false, false, None, 0);
    for at in root.all() {
        if at.kind() != "identifier" || is_declared(at) {
            continue;
        }
        if at.text() == argc {
            counts = true;
            least = least.max(compared_with(at));
        }
        if rest.first().is_none_or(|argv| at.text() != argv) {
            continue;
        }
        let place = subscript(at);
        let index = place.and_then(|at| literal(at.field("index")?.text()));
        match index.and_then(|index| usize::try_from(index).ok()) {
            Some(0) => {}
            Some(index) if index <= MAX_NUMBERS => {
                found.resize(found.len().max(index), None);
                found[index - 1] = found[index - 1].or_else(|| place.and_then(conversion));
            }
            _ => {
                is_variable = true;
                usual = usual.or_else(|| conversion(place.unwrap_or(at)));
            }
        }
    }
    if is_variable || counts && found.is_empty() {
        found.resize(found.len().max(ROUNDS), None);
    }
    found.resize(found.len().max(least), None);
    (found.into_iter().map(|number| number.or(usual).unwrap_or(Number::INT)).collect(), counts)
}

/// The number of arguments that the program needs so that `argc`, the node `at`, can be on either side of the number
/// with which it is compared.
fn compared_with(at: At<'_>) -> usize {
    let at = at.with_parentheses();
    let Some(parent) = at.parent().filter(|parent| parent.kind() == "binary_expression") else { return 0 };
    let is_left = at.is_field("left");
    let other = parent.field(if is_left { "right" } else { "left" });
    let number = other.and_then(|other| usize::try_from(literal(other.text())?).ok()).unwrap_or(0);
    let beyond = match parent.operator() {
        ">" | "<=" => is_left,
        "<" | ">=" => !is_left,
        _ => false,
    };
    // `argc` counts the program's name too.
    let arguments = if beyond { number } else { number.saturating_sub(1) };
    if arguments <= MAX_NUMBERS { arguments } else { 0 }
}

/// The subscript expression whose array is `at`.
fn subscript(at: At<'_>) -> Option<At<'_>> {
    let at = at.with_parentheses();
    at.parent().filter(|parent| parent.kind() == "subscript_expression" && at.is_field("argument"))
}

/// Whether `at` is the name in a declaration.
fn is_declared(at: At<'_>) -> bool {
    at.parent().is_some_and(|parent| {
        parent.kind().ends_with("declarator") && at.is_field("declarator")
            || matches!(parent.kind(), "parameter_declaration" | "parameter_list" | "declaration")
    })
}

/// The type of the number to which the call around `at` converts it.
fn conversion(at: At<'_>) -> Option<Number> {
    let is_outside = |at: &At<'_>| {
        !matches!(
            at.kind(),
            "parenthesized_expression"
                | "cast_expression"
                | "argument_list"
                | "pointer_expression"
                | "update_expression"
        )
    };
    let around = at.ancestors().find(is_outside)?;
    if around.kind() == "call_expression" { converted(around) } else { None }
}

/// The type of the number that a call of a library function reads from a text.
fn converted(call: At<'_>) -> Option<Number> {
    let integer = |signed| Number::Integer { bits: 64, signed };
    match called(call)? {
        "atoi" => Some(Number::INT),
        "atol" | "atoll" | "strtol" | "strtoll" | "strtoq" | "strtoimax" => Some(integer(true)),
        "strtoul" | "strtoull" | "strtouq" | "strtoumax" => Some(integer(false)),
        "atof" | "strtod" => Some(Number::Double),
        "strtof" => Some(Number::Float),
        "strtold" => Some(Number::LongDouble),
        "sscanf" => conversions(&format_of(call, 1)?).first().map(|found| found.number),
        _ => None,
    }
}

/// The name of the function that is called.
fn called(call: At<'_>) -> Option<&str> {
    let name = call.field("function")?.text();
    Some(name.strip_prefix("__isoc99_").or(name.strip_prefix("__isoc23_")).unwrap_or(name))
}

fn argument(call: At<'_>, index: usize) -> Option<At<'_>> {
    let list = call.field("arguments")?;
    list.named().into_iter().filter(|at| at.kind() != "comment").nth(index)
}

/// The format in argument `index`, if it is a literal.
fn format_of(call: At<'_>, index: usize) -> Option<String> {
    let literal = argument(call, index)?;
    let parts = literal.all().into_iter().filter(|at| at.kind() == "string_content");
    matches!(literal.kind(), "string_literal" | "concatenated_string").then(|| parts.map(At::text).collect())
}

fn standard_input(program: &Preprocessed, root: At<'_>, names: &[String]) -> StandardInput {
    let is_ours = |at: &At<'_>| program.line(at.node.start_position().row).is_some();
    let calls: Vec<At<'_>> =
        root.all().into_iter().filter(|at| at.kind() == "call_expression" && is_ours(at)).collect();
    let reads_text = calls.iter().any(|call| is_text(*call).unwrap_or(false));
    // In its next iteration, a loop makes the same calls again.
    let mut groups: Vec<(Option<usize>, Vec<Conversion>)> = Vec::new();
    for call in calls {
        let Some(format) = format_read(call, reads_text, names) else { continue };
        let numbers = conversions(&format);
        let around = outermost_loop(call);
        match groups.last_mut() {
            Some((last, group)) if *last == around => group.extend(numbers),
            _ => groups.push((around, numbers)),
        }
    }
    let repeated = groups.into_iter().flat_map(|(around, group)| {
        let rounds = if around.is_some() { ROUNDS } else { 1 };
        std::iter::repeat_n(group, rounds).flatten()
    });
    let numbers: Vec<Conversion> = repeated.take(MAX_NUMBERS).collect();
    if numbers.is_empty() && reads_text { StandardInput::Text } else { StandardInput::Numbers(numbers) }
}

/// The format with which a call reads from the standard input, or from text that was read from it.
fn format_read(call: At<'_>, reads_text: bool, names: &[String]) -> Option<String> {
    match called(call)? {
        "scanf" => format_of(call, 0),
        "fscanf" if argument(call, 0)?.text() == "stdin" => format_of(call, 1),
        "sscanf" if reads_text => {
            let from = argument(call, 0)?;
            let is_argument = |at: &At<'_>| names.get(1).is_some_and(|argv| at.text() == argv);
            if from.all().iter().any(is_argument) { None } else { format_of(call, 1) }
        }
        _ => None,
    }
}

/// Whether a call reads text from the standard input.
fn is_text(call: At<'_>) -> Option<bool> {
    let from = |index: usize, wanted: &str| Some(argument(call, index)?.text() == wanted);
    match called(call)? {
        "getchar" | "getchar_unlocked" | "gets" | "scanf" => Some(true),
        "fgetc" | "getc" | "fscanf" => from(0, "stdin"),
        "fgets" | "getline" => from(2, "stdin"),
        "fread" | "getdelim" => from(3, "stdin"),
        "read" => Some(from(0, "0")? || from(0, "STDIN_FILENO")?),
        _ => Some(false),
    }
}

/// Where the outermost loop around a call begins.
fn outermost_loop(call: At<'_>) -> Option<usize> {
    let is_loop = |at: &At<'_>| matches!(at.kind(), "for_statement" | "while_statement" | "do_statement");
    call.ancestors().filter(is_loop).last().map(|at| at.node.start_byte())
}
