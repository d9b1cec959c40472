//! `expand`: adds or expands macros, inlines functions, and adds compiler flags that must not change a count.
//!
//! The variant has a statement in a macro, a macro or type name expanded, a value in a statement expression, a function
//! that is always inlined, or an additional flag. Counts must not change because the tokens that are compiled are the
//! same or mean the same, and because gcov and llvm-cov add up the copies of an inlined function. `DebCovDiff` (ASE
//! 2025) found both among its triggers. All tokens of an expansion are on the line of the macro's name, so that line
//! has several points. Ground truth contains all of them.
//!
//! The flags change how counters are stored, or what is counted besides lines: atomic counters count the same in one
//! thread, and conditions and paths are counted in addition to lines (the manuals of gcc and clang on each flag).
//!
//! Left out are programs that depend on their own text (`__LINE__`, `assert`, `__COUNTER__`), constructs that the parser
//! did not understand, and functions that cannot be inlined: those that call themselves, take variable arguments, or
//! look at their frame.

use std::ops::Range;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::mutation::{Grounds, Mutation};
use crate::model::{Family, TextEdit};
use crate::syntax::{
    Function, Pass, Program, Slot, StatementId, StatementKind, candidate_edits, one_line, values,
    without_comments,
};
use crate::toolchain::CONDITION_FLAGS;

/// Flags, each with its family and the first major version that has it.
const FLAGS: [(Family, &str, u32); 8] = [
    (Family::Gcov, "-fprofile-update=atomic", 7),
    CONDITION_FLAGS[0],
    CONDITION_FLAGS[1],
    (Family::Gcov, "-g3", 0),
    (Family::LlvmCov, "-fprofile-update=atomic", 12),
    CONDITION_FLAGS[2],
    (Family::LlvmCov, "-g3", 0),
    (Family::LlvmCov, "-ffunction-sections", 0),
];

/// Words of functions that cannot be inlined, or that can detect it.
const NOT_INLINABLE: [&str; 16] = [
    "va_start",
    "__builtin_va_start",
    "setjmp",
    "_setjmp",
    "__builtin_setjmp",
    "alloca",
    "__builtin_alloca",
    "__builtin_apply_args",
    "__builtin_return",
    "__builtin_return_address",
    "__builtin_frame_address",
    "__builtin_va_arg_pack",
    "__builtin_va_arg_pack_len",
    "__label__",
    "__attribute__",
    "__attribute",
];

/// The longest statement that is put into a macro, in bytes.
const LONGEST_STATEMENT: usize = 400;

pub(super) fn mutations(grounds: &Grounds<'_>, rng: &mut ChaCha8Rng) -> Vec<Mutation> {
    let program = grounds.program;
    let mut found = flags(grounds);
    if program.knows_lines() || program.mentions("__COUNTER__") {
        return found;
    }
    found.extend(program.ids().filter_map(|id| into_macro(program, id)));
    found.extend(expansions(program));
    found.extend(values(program).into_iter().map(|range| into_statement(program, &range, rng)));
    found.extend(inlined(program));
    found
}

fn flags(grounds: &Grounds<'_>) -> Vec<Mutation> {
    let Some(info) = grounds.profiler else { return Vec::new() };
    let known = FLAGS.iter().filter(|(family, _, first)| *family == info.profiler && *first <= info.major());
    known.map(|(_, flag, _)| Mutation::of_flag(flag)).collect()
}

/// The statement becomes a macro, which is defined right before its line.
fn into_macro(program: &Program, id: StatementId) -> Option<Mutation> {
    let statement = program.statement(id);
    let range = &statement.range;
    let text = &program.source[range.clone()];
    let is_left = statement.broken
        || statement.directive
        || statement.conditional
        || statement.kind == StatementKind::Empty
        || statement.slot == Slot::Fixed
        || text.len() > LONGEST_STATEMENT
        || text.contains(['#', '\\', '"']);
    let start = program.line_start(statement.lines.0)?;
    // Within a macro or a comment a definition would not be one.
    let before = program.source[..start].trim_end_matches(['\n', '\r']);
    let indent = &program.source[start..range.start];
    if is_left || before.ends_with('\\') || !indent.trim_matches([' ', '\t']).is_empty() {
        return None;
    }
    let name = format!("recount_{}", range.start);
    let definition = format!("#define {name} {}\n", one_line(&without_comments(text)));
    Some(Mutation::of_text(
        format!("put the {} on line {} into a macro", statement.kind.name(), statement.lines.0),
        vec![TextEdit::insert(start, definition), TextEdit::replace(range.clone(), name)],
    ))
}

/// Macros and type names are replaced by their definitions.
fn expansions(program: &Program) -> Vec<Mutation> {
    let mutation = |mut edits: Vec<TextEdit>| {
        edits.sort();
        let line = edits.first().map_or(0, |edit| program.line_of(edit.start));
        for edit in edits.iter_mut().filter(|edit| edit.with.contains('\n')) {
            edit.with = one_line(&edit.with.replace("\\\n", " "));
        }
        Mutation::of_text(format!("expand what is defined near line {line}"), edits)
    };
    candidate_edits(&program.source, Pass::Expand).into_iter().map(mutation).collect()
}

/// The value becomes the value of a statement expression, on a line of its own or not.
fn into_statement(program: &Program, range: &Range<usize>, rng: &mut ChaCha8Rng) -> Mutation {
    let (open, close) = if rng.random_bool(0.5) { ("({\n", ";\n})") } else { ("({ ", "; })") };
    Mutation::of_text(
        format!("put a value on line {} into a statement expression", program.line_of(range.start)),
        vec![TextEdit::insert(range.start, open), TextEdit::insert(range.end, close)],
    )
}

/// Functions of which every call gets a copy.
fn inlined(program: &Program) -> Vec<Mutation> {
    let inlinable = program.functions.iter().filter(|function| may_be_inlined(program, function));
    let mutation = |function: &Function| {
        let at = function.range.start;
        let linkage = if function.is_static { "" } else { "static " };
        let with = format!("{linkage}inline __attribute__((always_inline)) ");
        Mutation::of_text(
            format!("make the function on line {} always_inline", program.line_of(at)),
            vec![TextEdit::insert(at, with)],
        )
    };
    inlinable.map(mutation).collect()
}

fn may_be_inlined(program: &Program, function: &Function) -> bool {
    let Function { name, range, is_static, .. } = function;
    let text = &program.source[range.clone()];
    let head = &text[..text.find('{').unwrap_or(0)];
    let is_used = program.mentions_within(name, &(range.end..program.source.len()));
    // An earlier prototype has external linkage.
    let is_undeclared = *is_static || !program.mentions_within(name, &(0..range.start));
    let is_nested = |one: &Range<usize>, outer: &Range<usize>| outer.start < one.start && one.end < outer.end;
    let is_apart = |other: &Function| !is_nested(range, &other.range) && !is_nested(&other.range, range);
    is_used
        && is_undeclared
        && !NOT_INLINABLE.iter().any(|word| program.mentions_within(word, range))
        && program.functions.iter().all(is_apart)
        && !name.is_empty()
        && name != "main"
        && !text.contains("&&") // perhaps the address of a label
        && !text.contains("extern")
        && !head.contains(['#', '.'])
        && !head.contains("inline")
        && !reaches(program, function, name, &mut Vec::new())
}

/// Whether a call in `from` may lead to the function `name`.
fn reaches<'a>(program: &'a Program, from: &Function, name: &str, seen: &mut Vec<&'a str>) -> bool {
    let text = &program.source[from.range.clone()];
    let body = from.range.start + text.find('{').unwrap_or(0)..from.range.end;
    program.functions.iter().any(|callee| {
        let is_new = !callee.name.is_empty() && !seen.contains(&callee.name.as_str());
        if !is_new || !program.mentions_within(&callee.name, &body) {
            return false;
        }
        seen.push(&callee.name);
        callee.name == name || reaches(program, callee, name, seen)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::render;
    use rand::SeedableRng;

    fn texts(source: &str) -> Vec<String> {
        let program = Program::parse(source.into());
        let mutations = mutations(&Grounds::not_run(&program), &mut ChaCha8Rng::seed_from_u64(3));
        mutations.iter().map(|mutation| render(source, &mutation.edits)).collect()
    }

    #[test]
    fn a_statement_becomes_a_macro_on_its_line() {
        let head = "int x;\nvoid f(void)\n{\n";
        let found = texts(&format!("{head}  if (x)\n    x = 2; // why\n  g(\"s\");\n}}\n"));
        let whole = format!(
            "{head}#define recount_24 if (x) x = 2;\n  recount_24\n           // why\n  g(\"s\");\n}}\n"
        );
        let inner =
            format!("{head}  if (x)\n#define recount_35 x = 2;\n    recount_35 // why\n  g(\"s\");\n}}\n");
        assert_eq!(found, [whole, inner]);
    }

    #[test]
    fn a_function_that_calls_itself_or_has_a_prototype_is_not_inlined() {
        let inlined = |source: &str| texts(source).iter().any(|text| text.contains("always_inline"));
        assert!(inlined("static int f(int x) { return x; }\nint main(void) { return f(0); }\n"));
        assert!(inlined("int f(x) { return x; }\nint main(void) { return f(0); }\n"));
        assert!(!inlined("int f(int);\nint f(int x) { return x; }\nint main(void) { return f(0); }\n"));
        assert!(!inlined(
            "static int f(int x) { return x ? f(x - 1) : 0; }\nint main(void) { return f(0); }\n"
        ));
        assert!(!inlined(
            "int g(int);\nstatic int f(int x) { return g(x); }\nint g(int x) { return x ? f(x - 1) : 0; }\nint main(void) { return 0; }\n"
        ));
        assert!(!inlined("static int f(int x, ...) { return x; }\nint main(void) { return f(0); }\n"));
    }

    #[test]
    fn a_program_that_depends_on_its_lines_is_left_out() {
        assert_eq!(texts("int f(int x) { x = x + 1; return x + __LINE__; }\n"), [""; 0]);
    }
}
