//! Random C programs whose counts are all known, for `make:SEED`.
//!
//! A program is generated as a syntax tree (`program`, `statements`, `loops`, `expressions`; the tree is in `tree`),
//! printed as C in a random layout (`print`), and run by an interpreter (`interpret`). So the expected counts depend
//! neither on a parser nor on a compiler.

mod build;
mod draw;
mod expressions;
mod interpret;
mod loops;
mod print;
mod program;
mod rare;
mod statements;
mod tree;

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use crate::config::MakeSettings;

use interpret::Ran;
use print::Printed;

/// One random program.
///
/// These things are counted:
///
/// - entries of a function, on the line of its name and, if that is another line, on the line of its `{`;
/// - starts of statements, except blocks, `;` and labels; of declarations only those that have an initialiser and are
///   not static;
/// - evaluations of the operands of `&&` and `||`, of the condition and the arms of `?:`, of the conditions of `if` and of
///   loops, and of the initialisation and the step of a `for` (a declaration there counts as the initialisation only);
/// - arrivals at a label, `case` or `default`.
///
/// Several things that begin with the same token are counted separately: in `if (a && b && c)`, `a` is the condition,
/// the left operand of the last `&&` and the left operand of the first. The expansion of a macro is on the line of its
/// use; an argument is counted once for each of its copies.
#[derive(Debug)]
pub struct RandomProgram {
    /// The C source.
    pub source: String,
    /// Its output, according to the interpreter.
    pub stdout: String,
    /// Its exit status, according to the interpreter.
    pub status: i32,
    /// For each line, how often each counted thing that *begins* on it ran (a multiset, sorted).
    /// Lines on which nothing begins are absent.
    pub counts: BTreeMap<u32, Vec<u64>>,
}

/// The smallest number of lines of a program.
const LEAST_LINES: usize = 20;

/// The program for this seed and these settings, which is always the same.
pub fn random_program(seed: u64, settings: &MakeSettings) -> RandomProgram {
    let mut attempt = 0;
    loop {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(attempt);
        attempt += 1;
        let program = program::draw(&mut rng, settings);
        let Printed { source, lines } = print::print(&program, &mut rng, settings);
        if !(LEAST_LINES..=settings.lines).contains(&source.lines().count()) {
            continue;
        }
        let Some(Ran { stdout, status, counts }) = interpret::run(&program, lines.len()) else { continue };
        let mut by_line: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for (&line, count) in lines.iter().zip(counts).filter(|(line, _)| **line > 0) {
            by_line.entry(line).or_default().push(count);
        }
        for counts in by_line.values_mut() {
            counts.sort_unstable();
        }
        return RandomProgram { source, stdout, status, counts: by_line };
    }
}
