//! Random C programs of which every count is known: they are drawn as syntax trees (`generate`,
//! `statements`, `loops`, `expressions`; the tree is in `tree`), written down as C in a random layout
//! (`print`), and run by an interpreter (`interpret`), so that no parser and no compiler has a say in
//! the counts.

mod expressions;
mod generate;
mod interpret;
mod loops;
mod print;
mod statements;
mod tree;

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use interpret::Ran;
use print::Printed;

/// One random program.
///
/// Counted are: the entry of a function (on the line of its name and, if that is another, on the line
/// of its `{`); starts of statements but blocks, `;` and labels, where a declaration is one if it has
/// an initialiser and is not static; evaluations of the operands of `&&` and `||`, of the
/// condition and the arms of `?:`, of the condition of `if` and of loops, of the step and of the init
/// of `for` (a declaration there is only the init); arrivals at a label, `case` or `default`.
/// What begins with the same token counts once for each: in `if (a && b && c)`, `a` is
/// the condition, the left operand of the last `&&` and that of the first.
/// What a macro expands to is on the line of its use, an argument once for each of its copies.
#[derive(Debug)]
pub struct RandomProgram {
    /// The C source.
    pub source: String,
    /// What it prints, by the interpreter.
    pub stdout: String,
    /// Its exit status, by the interpreter.
    pub status: i32,
    /// For each line, how often each counted thing that *begins* on it ran (a multiset, sorted).
    /// Lines on which nothing begins are absent.
    pub counts: BTreeMap<u32, Vec<u64>>,
}

/// Lines that a program may have.
const LINES: std::ops::RangeInclusive<usize> = 20..=120;

/// The program of this seed, always the same.
pub fn random_program(seed: u64) -> RandomProgram {
    let mut attempt = 0;
    loop {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(attempt);
        attempt += 1;
        let program = generate::draw(&mut rng);
        let Printed { source, lines } = print::print(&program, &mut rng);
        if !LINES.contains(&source.lines().count()) {
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
