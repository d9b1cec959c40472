//! A ready program that runs the inputs again and prints every bit of every result.

use std::fmt::Write;

use super::{Answer, Candidate, Source};
use crate::syntax::search::prelude;

/// The program, behind `head`: the file itself, or what includes it. None for a candidate that is a program already.
pub fn program(head: &str, candidate: &Candidate, found: &Answer) -> Option<String> {
    let Candidate::Function(entry) = candidate else { return None };
    let width = found.cells.len().max(1);
    let mut table = String::new();
    for (at, input) in found.inputs.iter().chain(&found.faults).enumerate() {
        let bits: Vec<String> = input.bits.iter().map(|bits| format!("{bits:#x}ULL")).collect();
        let bits = if bits.is_empty() { "0".to_string() } else { bits.join(", ") };
        let said: Vec<String> =
            found.cells.iter().zip(&input.bits).map(|(cell, bits)| cell.number.literal(*bits)).collect();
        let note = if at < found.inputs.len() { "" } else { " ends badly:" };
        let _ = writeln!(table, "    {{{bits}}}, /*{note} {} */", said.join(", "));
    }
    if table.is_empty() {
        table = "    {0},\n".into();
    }
    let count = found.inputs.len();
    Some(format!(
        "{head}\
         /* The inputs that recount found for {name}. Run without an argument it runs those that end well;\n   \
         with numbers, from 0, it runs these. */\n\
         {prelude}\
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
        name = found.entry,
        prelude = prelude(),
        call = entry.call(),
    ))
}

/// What includes the file of `source`, whose own `main` gets out of the way.
pub fn including(source: &Source) -> String {
    let include = format!("#include \"{}\"\n", source.path);
    if source.program.is_some() {
        format!("#define main recount_main\n{include}#undef main\n")
    } else {
        include
    }
}
