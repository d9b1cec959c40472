//! scratch
#[path = "../tests/support/random_c/mod.rs"]
mod random_c;
fn main() { print!("{}", random_c::random_program(std::env::args().nth(1).unwrap().parse().unwrap()).source); }
