//! `recount inputs` on the command line, with our own programs whose answers are known (`tests/data/inputs`). The
//! inputs that it finds are checked here by recomputation; targets that no input can meet must be reported as
//! infeasible.

#[path = "inputs/answer.rs"]
mod answer;
#[path = "inputs/arrays.rs"]
mod arrays;
#[path = "inputs/ends.rs"]
mod ends;
#[path = "inputs/findings.rs"]
mod findings;
#[path = "inputs/goals.rs"]
mod goals;
#[path = "inputs/kinds.rs"]
mod kinds;
#[path = "inputs/paths.rs"]
mod paths;
#[path = "inputs/programs.rs"]
mod programs;
#[path = "inputs/seeds.rs"]
mod seeds;
mod support;
