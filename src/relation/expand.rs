//! `expand`: what is only another way of writing, or of asking, must not change a count.
//!
//! *Macros.* A statement is put into a macro, a macro gives way to what it stands for, a value is put
//! into a statement expression: the tokens that are compiled stay the same, or mean the same. *Inlining.*
//! `always_inline` makes a copy of a function in each call of it; gcov and llvm-cov add the copies up.
//! `DebCovDiff` (ASE 2025) found both among its triggers. All tokens of an expansion stand on the line
//! of the macro's name, so several points share the line; truth knows them.
//!
//! *Flags* that change how counters are kept, or what else is counted, leave line counts alone: atomic
//! counters count the same in one thread, and conditions and paths are counted beside the lines, not
//! in their place (the manuals of gcc and clang on each flag).
//!
//! Left alone: programs that know their own text (`__LINE__`, `assert`, `__COUNTER__`), what the parser
//! did not understand, and functions that no compiler can inline: those that call themselves, take
//! variable arguments, or look at their frame.

use std::ops::Range;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::{Grounds, Mutation, Rewrite};
use crate::model::{Family, RelationName, TextEdit};
use crate::syntax::{
    Function, Pass, Program, Slot, Statement, StatementId, StatementKind, shrinks, values, without_comments,
};
use crate::toolchain::CONDITION_FLAGS;

/// The flags, and the first major version of each family that has them.
const FLAGS: [(Family, &str, u32); 8] = [
    (Family::Gcov, "-fprofile-update=atomic", 7),
    CONDITION_FLAGS[0],
    (Family::Gcov, "-fpath-coverage", 15),
    (Family::Gcov, "-g3", 0),
    (Family::LlvmCov, "-fprofile-update=atomic", 12),
    CONDITION_FLAGS[1],
    (Family::LlvmCov, "-g3", 0),
    (Family::LlvmCov, "-ffunction-sections", 0),
];

/// Words of functions that cannot be inlined, or that see when they are.
const BOUND: [&str; 16] = [
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
const LONGEST: usize = 400;

/// The relation.
#[derive(Clone, Copy, Debug)]
pub struct Expand;

impl Rewrite for Expand {
    fn name(&self) -> RelationName {
        RelationName::Expand
    }

    fn mutations(&self, grounds: &Grounds<'_>, rng: &mut ChaCha8Rng) -> Vec<Mutation> {
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
}

fn flags(grounds: &Grounds<'_>) -> Vec<Mutation> {
    let Some(info) = grounds.profiler else { return Vec::new() };
    let taken = FLAGS.iter().filter(|(family, _, first)| *family == info.profiler && *first <= info.major());
    let mutation = |flag: &str| Mutation {
        words: format!("compile it with {flag}"),
        flags: vec![flag.into()],
        ..Mutation::default()
    };
    taken.map(|(_, flag, _)| mutation(flag)).collect()
}

/// The statement becomes a macro, which is defined right before its line.
fn into_macro(program: &Program, id: StatementId) -> Option<Mutation> {
    let Statement { kind, ref range, lines, slot, broken, directive, conditional, .. } =
        *program.statement(id);
    let text = &program.source[range.clone()];
    let is_left = broken || directive || conditional || kind == StatementKind::Empty;
    if is_left || slot == Slot::Fixed || text.len() > LONGEST || text.contains(['#', '\\', '"']) {
        return None;
    }
    let start = program.line_start(lines.0)?;
    // A definition between the lines of a macro, or of a comment, is none.
    let before = program.source[..start].trim_end_matches(['\n', '\r']);
    if before.ends_with('\\') || !is_blank(&program.source[start..range.start]) {
        return None;
    }
    let name = format!("recount_{}", range.start);
    let flat = flat(&without_comments(text));
    Some(Mutation {
        words: format!("put the {} on line {} into a macro", kind.name(), lines.0),
        edits: vec![
            TextEdit { start, end: start, with: format!("#define {name} {flat}\n") },
            TextEdit { start: range.start, end: range.end, with: name },
        ],
        ..Mutation::default()
    })
}

/// `text` on one line.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c == ' ' || c == '\t')
}

/// Macros and names of types give way to what they stand for.
fn expansions(program: &Program) -> Vec<Mutation> {
    let mutation = |mut edits: Vec<TextEdit>| {
        edits.sort();
        let line = edits.first().map_or(0, |edit| program.line_of(edit.start));
        // What is taken over several lines stands on the first of them.
        for edit in &mut edits {
            if edit.with.contains('\n') {
                edit.with = flat(&edit.with.replace("\\\n", " "));
            }
        }
        Mutation { words: format!("expand what is defined near line {line}"), edits, ..Mutation::default() }
    };
    shrinks(&program.source, Pass::Expand).into_iter().map(mutation).collect()
}

/// The value is what a statement expression ends with, on a line of its own or not.
fn into_statement(program: &Program, range: &Range<usize>, rng: &mut ChaCha8Rng) -> Mutation {
    let (open, close) = if rng.random_bool(0.5) { ("({\n", ";\n})") } else { ("({ ", "; })") };
    let insert = |at: usize, with: &str| TextEdit { start: at, end: at, with: with.into() };
    Mutation {
        words: format!("put a value on line {} into a statement expression", program.line_of(range.start)),
        edits: vec![insert(range.start, open), insert(range.end, close)],
        ..Mutation::default()
    }
}

/// Functions that every call takes a copy of.
fn inlined(program: &Program) -> Vec<Mutation> {
    let may_be = |function: &&Function| may_be_inlined(program, function);
    let mutation = |function: &Function| {
        let at = function.range.start;
        let linkage = if function.is_static { "" } else { "static " };
        Mutation {
            words: format!("make the function on line {} always_inline", program.line_of(at)),
            edits: vec![TextEdit {
                start: at,
                end: at,
                with: format!("{linkage}inline __attribute__((always_inline)) "),
            }],
            ..Mutation::default()
        }
    };
    program.functions.iter().filter(may_be).map(mutation).collect()
}

fn may_be_inlined(program: &Program, function: &Function) -> bool {
    let range = &function.range;
    let text = &program.source[range.clone()];
    let body = range.start + text.find('{').unwrap_or(0)..range.end;
    let is_used = program.mentions_within(&function.name, &(range.end..program.source.len()));
    // A prototype before it would make it one of another linkage.
    let is_new = function.is_static || !program.mentions_within(&function.name, &(0..range.start));
    let has_bound = BOUND.iter().any(|word| program.mentions_within(word, range));
    let is_nested =
        program.functions.iter().any(|outer| outer.range.start < range.start && range.end < outer.range.end);
    let holds_nested =
        program.functions.iter().any(|inner| range.start < inner.range.start && inner.range.end < range.end);
    is_used
        && is_new
        && !has_bound
        && !is_nested
        && !holds_nested
        && !function.name.is_empty()
        && function.name != "main"
        && !text.contains("&&") // perhaps the address of a label
        && !text[..body.start - range.start].contains(['#', '.'])
        && !reaches(program, function, function, &mut Vec::new())
        && !text.contains("extern")
        && !text[..body.start - range.start].contains("inline")
}

/// Whether a call in `from` may lead to `to`.
fn reaches<'a>(program: &'a Program, from: &Function, to: &Function, seen: &mut Vec<&'a str>) -> bool {
    let text = &program.source[from.range.clone()];
    let body = from.range.start + text.find('{').unwrap_or(0)..from.range.end;
    program.functions.iter().any(|callee| {
        if callee.name.is_empty() || !program.mentions_within(&callee.name, &body) {
            return false;
        }
        if callee.name == to.name {
            return true;
        }
        if seen.contains(&callee.name.as_str()) {
            return false;
        }
        seen.push(&callee.name);
        reaches(program, callee, to, seen)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::render;
    use rand::SeedableRng;

    fn texts(source: &str) -> Vec<String> {
        let program = Program::parse(source.into());
        let grounds = Grounds { program: &program, profiler: None, ran: None };
        let mutations = Expand.mutations(&grounds, &mut ChaCha8Rng::seed_from_u64(3));
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
    fn what_calls_itself_or_is_declared_before_is_not_inlined() {
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
    fn a_program_that_knows_its_text_is_left_alone() {
        assert_eq!(texts("int f(int x) { x = x + 1; return x + __LINE__; }\n"), [""; 0]);
    }
}
