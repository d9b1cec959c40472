//! The numbers that a whole program reads: from its arguments and from its standard input.
//!
//! What is read shows in the calls that convert it. What shows in none is read as an `int`, or, of
//! the standard input, as text.

mod formats;

use serde::{Deserialize, Serialize};

use super::super::preprocessed::Preprocessed;
use super::functions::{self, heads};
use super::node::At;
use super::types::constants::literal;
use super::types::name_of;
use crate::model::{Line, Number};
use formats::{Conversion, conversions};

/// Arguments of a program that takes any number of them, and rounds of a loop that reads.
const ROUNDS: usize = 4;
/// Bytes of text for a program that reads text.
const BYTES: usize = 16;
/// More arguments, or numbers on the standard input, are not offered.
const MOST: usize = 64;

/// A character of the standard input.
const CHARACTER: Number = Number::Integer { bits: 8, signed: true };

/// A program with a `main`, and what it reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MainProgram {
    /// The line on which `main` begins.
    pub line: Line,
    /// The last line of `main`.
    pub end: Line,
    /// The numbers on its command line.
    pub arguments: Vec<Number>,
    /// The numbers, or the bytes, on its standard input.
    pub reads: Vec<Number>,
    /// How formats spell the numbers on its standard input.
    spelt: Vec<Conversion>,
    /// Whether it looks at how many arguments there are.
    pub counts_arguments: bool,
    /// Whether its standard input is text, of which `reads` are the bytes.
    pub reads_text: bool,
}

impl MainProgram {
    /// The numbers of one input, in order, with their labels: `argc - 1`, `argv[1]`, `stdin number 1`.
    pub fn cells(&self) -> Vec<(Number, String)> {
        let count = (Number::Integer { bits: 8, signed: false }, "argc - 1".to_string());
        let what = if self.reads_text { "byte" } else { "number" };
        let arguments = self.arguments.iter().zip(1..).map(|(number, n)| (*number, format!("argv[{n}]")));
        let reads = self.reads.iter().zip(1..).map(|(number, n)| (*number, format!("stdin {what} {n}")));
        let length = (Number::Integer { bits: 8, signed: false }, "stdin numbers left out".to_string());
        let length = (!self.reads_text && !self.reads.is_empty()).then_some(length);
        self.counts_arguments
            .then_some(count)
            .into_iter()
            .chain(arguments)
            .chain(length)
            .chain(reads)
            .collect()
    }

    /// The arguments, without the program's name, and the standard input that `cells` stand for.
    /// Cells that are missing are 0.
    pub fn text(&self, cells: &[u64]) -> (Vec<String>, String) {
        let mut cells = cells.iter().copied().chain(std::iter::repeat(0));
        let mut next = |number: Number| number.wrap(cells.next().unwrap_or(0));
        let all = self.arguments.len();
        let count = if self.counts_arguments {
            let bits = next(Number::Integer { bits: 8, signed: false });
            usize::try_from(bits).unwrap_or(0) % (all + 1)
        } else {
            all
        };
        let mut arguments: Vec<String> =
            self.arguments.iter().map(|number| number.decimal(next(*number))).collect();
        arguments.truncate(count);
        let all = self.reads.len();
        let left_out = if self.reads_text || all == 0 {
            0
        } else {
            usize::try_from(next(Number::Integer { bits: 8, signed: false })).unwrap_or(0) % (all + 1)
        };
        let reads = self.reads.iter().map(|number| next(*number));
        let input = if self.reads_text {
            // Seven bits, so that it is text for everybody.
            let characters = reads.map(|bits| char::from((bits & 0x7f) as u8));
            characters.take_while(|c| *c != '\0').collect()
        } else {
            let spelt = self.spelt.iter().zip(reads).take(all - left_out);
            spelt.map(|(spelt, bits)| spelt.text(bits) + "\n").collect()
        };
        (arguments, input)
    }
}

/// The program, if its file defines `main`, and the numbers that it reads.
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
            let (spelt, reads_text) = standard_input(program, root, &names);
            let numbers = spelt.iter().map(|spelt| spelt.number).collect();
            let reads = if reads_text { vec![CHARACTER; BYTES] } else { numbers };
            let (line, end) = (head.line, head.end);
            Some(MainProgram { line, end, arguments, reads, spelt, counts_arguments, reads_text })
        })
    })
}

/// The arguments that the file looks at, and whether it counts them. `names` are those of the
/// parameters of `main`.
fn arguments(root: At<'_>, names: &[String]) -> (Vec<Number>, bool) {
    let [argc, rest @ ..] = names else { return (Vec::new(), false) };
    let mut found: Vec<Option<Number>> = Vec::new();
    let (mut counts, mut any, mut usual, mut least) = (false, false, None, 0);
    for at in root.all("") {
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
            Some(index) if index <= MOST => {
                found.resize(found.len().max(index), None);
                found[index - 1] = found[index - 1].or_else(|| place.and_then(conversion));
            }
            _ => {
                any = true;
                usual = usual.or_else(|| conversion(place.unwrap_or(at)));
            }
        }
    }
    if any || counts && found.is_empty() {
        found.resize(found.len().max(ROUNDS), None);
    }
    found.resize(found.len().max(least), None);
    (found.into_iter().map(|number| number.or(usual).unwrap_or(Number::INT)).collect(), counts)
}

/// How many arguments it takes for `argc`, which is `at`, to be on both sides of the number that it is compared with.
fn compared_with(at: At<'_>) -> usize {
    let at = at.bare();
    let Some(parent) = at.parent().filter(|parent| parent.kind() == "binary_expression") else { return 0 };
    let is_left = at.is_field("left");
    let other = parent.field(if is_left { "right" } else { "left" });
    let number = other.and_then(|other| usize::try_from(literal(other.text())?).ok()).unwrap_or(0);
    let beyond = match parent.field("operator").map_or("", At::text) {
        ">" | "<=" => is_left,
        "<" | ">=" => !is_left,
        _ => false,
    };
    // The program's name counts too.
    let arguments = if beyond { number } else { number.saturating_sub(1) };
    if arguments <= MOST { arguments } else { 0 }
}

/// The element that `at` is the array of.
fn subscript(at: At<'_>) -> Option<At<'_>> {
    at.bare()
        .parent()
        .filter(|parent| parent.kind() == "subscript_expression" && at.bare().is_field("argument"))
}

/// Whether `at` is the name in a declaration.
fn is_declared(at: At<'_>) -> bool {
    at.parent().is_some_and(|parent| parent.kind().ends_with("declarator") && at.is_field("declarator"))
        || at.parent().is_some_and(|parent| {
            matches!(parent.kind(), "parameter_declaration" | "parameter_list" | "declaration")
        })
}

/// The number that the call around `at` makes of it.
fn conversion(at: At<'_>) -> Option<Number> {
    let mut inner = at;
    while let Some(parent) = inner.parent() {
        match parent.kind() {
            "parenthesized_expression"
            | "cast_expression"
            | "argument_list"
            | "pointer_expression"
            | "update_expression" => inner = parent,
            "call_expression" => return converted(parent),
            _ => return None,
        }
    }
    None
}

/// The number that a call of one of the system's functions reads from a text.
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
    let parts = literal.all("string_content").into_iter().filter(|at| at.kind() == "string_content");
    matches!(literal.kind(), "string_literal" | "concatenated_string").then(|| parts.map(At::text).collect())
}

/// What the file reads from its standard input, and whether that is text.
fn standard_input(program: &Preprocessed, root: At<'_>, names: &[String]) -> (Vec<Conversion>, bool) {
    let is_ours = |at: &At<'_>| program.line(at.node.start_position().row).is_some();
    let calls: Vec<At<'_>> =
        root.all("").into_iter().filter(|at| at.kind() == "call_expression" && is_ours(at)).collect();
    let reads_text = calls.iter().any(|call| is_text(*call).unwrap_or(false));
    // What is read in one loop is read again in its next round.
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
    let numbers: Vec<Conversion> = repeated.take(MOST).collect();
    let is_text = numbers.is_empty() && reads_text;
    (numbers, is_text)
}

/// The format by which a call reads from the standard input, or from text that came from there.
fn format_read(call: At<'_>, reads_text: bool, names: &[String]) -> Option<String> {
    match called(call)? {
        "scanf" => format_of(call, 0),
        "fscanf" if argument(call, 0)?.text() == "stdin" => format_of(call, 1),
        "sscanf" if reads_text => {
            let from = argument(call, 0)?;
            let is_argument = |at: &At<'_>| names.get(1).is_some_and(|argv| at.text() == argv);
            if from.all("").iter().any(is_argument) { None } else { format_of(call, 1) }
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
    let mut found = None;
    let mut at = call;
    while let Some(parent) = at.parent() {
        if matches!(parent.kind(), "for_statement" | "while_statement" | "do_statement") {
            found = Some(parent.node.start_byte());
        }
        at = parent;
    }
    found
}
