//! A complete program that runs the inputs again and prints every bit of every result.

use std::fmt::Write;

use super::answer::Answer;
use super::source::{Candidate, Source};
use crate::syntax::search::PRELUDE;

/// The program that replays the inputs of `answer`; none if the candidate is a program itself.
pub fn replay(source: &Source, candidate: &Candidate, answer: &Answer) -> Option<String> {
    let include = format!("#include \"{}\"\n", source.path);
    let head = match source.program {
        Some(_) => format!("#define main recount_main\n{include}#undef main\n"),
        None => include,
    };
    replay_after(&head, candidate, answer)
}

/// The same, where `head` is the text that contains or includes the function.
pub fn replay_after(head: &str, candidate: &Candidate, answer: &Answer) -> Option<String> {
    let Candidate::Function(entry) = candidate else { return None };
    let width = answer.cells.len().max(1);
    let mut table = String::new();
    let count = answer.inputs.len();
    for (at, input) in answer.inputs.iter().chain(&answer.outcome.faults).enumerate() {
        let bits: Vec<String> = input.bits.iter().map(|bits| format!("{bits:#x}ULL")).collect();
        let bits = if bits.is_empty() { "0".to_string() } else { bits.join(", ") };
        let note = if at < count { "" } else { " faulty:" };
        let _ = writeln!(table, "    {{{bits}}}, /*{note} {} */", answer.literals(input).join(", "));
    }
    if table.is_empty() {
        table = "    {0},\n".into();
    }
    Some(format!(
        "{head}\
         /* The inputs that recount found for {name}. Without arguments, this program runs all that end well.\n   \
         Arguments are the numbers of inputs to run, from 0. */\n\
         {PRELUDE}\
         extern int printf(const char *, ...);\n\
         extern int atoi(const char *);\n\
         static void *recount_array(int k, unsigned long bytes)\n\
         {{ static unsigned long long areas[16][8192]; return (char *)areas[k] + sizeof areas[k] - bytes; }}\n\
         static void recount_result(const char *label, unsigned long long bits)\n\
         {{ printf(\"  %s = 0x%016llx\\n\", label, bits); }}\n\
         {call}\n\
         static const unsigned long long recount_inputs[][{width}] = {{\n{table}}};\n\
         int main(int argc, char **argv)\n\
         {{\n    int i;\n    for (i = argc > 1 ? 1 : 0; i < (argc > 1 ? argc : {count}); i++) {{\n        \
         int n = argc > 1 ? atoi(argv[i]) : i;\n        \
         printf(\"input %d\\n\", n);\n        recount_enter(recount_inputs[n]);\n    }}\n    return 0;\n}}\n",
        name = answer.entry,
        call = entry.call(),
    ))
}
