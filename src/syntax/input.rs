//! Whether a program reads input: its arguments or its standard input.

use super::Program;
use super::words::identifiers;

/// Names by which a program reads its standard input.
const STANDARD_INPUT: [&str; 5] = ["stdin", "getchar", "scanf", "gets", "STDIN_FILENO"];

/// The usual names of the parameters of `main`.
const ARGUMENTS: [&str; 2] = ["argc", "argv"];

/// Whether the program reads its arguments or its standard input, as far as the usual names show it.
pub fn reads_input(program: &Program) -> bool {
    let uses = |name: &&str| program.in_code(name).len();
    // The first use of an argument is its declaration.
    let is_read = |name: &&str| is_parameter_of_main(program, name) && uses(name) > 1;
    STANDARD_INPUT.iter().any(|name| uses(name) > 0) || ARGUMENTS.iter().any(is_read)
}

fn is_parameter_of_main(program: &Program, name: &str) -> bool {
    program.in_code("main").into_iter().any(|at| {
        let rest = program.source[at..].trim_start_matches("main").trim_start();
        let parameters = rest.strip_prefix('(').and_then(|rest| rest.split(')').next()).unwrap_or_default();
        identifiers(parameters).any(|parameter| &parameters[parameter] == name)
    })
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
        assert!(!reads("int main(void) { char *argv[] = { \"true\", 0 }; return execvp(argv[0], argv); }"));
    }
}
