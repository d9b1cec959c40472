//! What a program runs after a child of its own called exec, if both share the memory.

use super::Blocks;
use crate::model::{Cause, Layer, Symptom};

/// The calls in place of which gcc calls functions of libgcov that write the profile first (`expand_builtin_fork_or_exec` in
/// builtins.cc).
const EXEC: [&str; 6] = ["execl", "execle", "execlp", "execv", "execve", "execvp"];

impl Blocks<'_> {
    /// The fault that a child of vfork wrote the profile, so that the process itself does not write it again. What is lost are
    /// counts; in a function that had not returned, and in main, other counts are derived from them.
    pub(super) fn written_by_child(&self, symptom: &Symptom) -> Option<Cause> {
        // A number that is missing, or that should be, is not one of lost counts.
        let count = symptom.reported.filter(|_| !symptom.expected.is_empty())?;
        let program = self.case.program;
        let call = program.in_code("vfork").into_iter().next()?;
        EXEC.iter().find(|name| !program.in_code(name).is_empty())?;
        let line = program.line_of(call);
        let mut functions = self.case.truth.functions.iter();
        let is_open = functions.any(|function| {
            let holds = |at| (function.lines.0..=function.lines.1).contains(&at);
            holds(symptom.line) && (holds(line) || function.name == "main")
        });
        let is_less = symptom.expected.iter().all(|right| count < *right);
        if !is_less && !is_open {
            return None;
        }
        let evidence = format!("The child of the vfork on line {line} calls exec, which writes the profile.");
        Some(Cause::new(Layer::Counter, "written-by-child", format!("vfork on line {line}"), evidence))
    }
}
