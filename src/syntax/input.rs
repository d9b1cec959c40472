//! Whether a program reads input: its arguments or its standard input.

use super::Program;

/// Names by which a program reads its standard input.
const STANDARD_INPUT: [&str; 5] = ["stdin", "getchar", "scanf", "gets", "STDIN_FILENO"];

/// The usual names of the parameters of `main`.
const ARGUMENTS: [&str; 2] = ["argc", "argv"];

/// Whether the program reads its arguments or its standard input, as far as the usual names show it.
pub fn reads_input(program: &Program) -> bool {
    let uses = |name: &&str| program.in_code(name).len();
    // The first use of an argument is its declaration.
    STANDARD_INPUT.iter().any(|name| uses(name) > 0) || ARGUMENTS.iter().any(|name| uses(name) > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_ignores_its_parameters_reads_no_input() {
        let reads = |text: &str| reads_input(&Program::parse(text.into()));
        assert!(!reads("/* argc, argc, stdin */ int main(int argc, char **argv) { return 0; }"));
        assert!(reads("int main(int argc, char **argv) { return argc - 1; }"));
        assert!(reads("int main(void) { return getchar(); }"));
        assert!(!reads("int main(void) { puts(\"stdin\"); }"));
    }
}
