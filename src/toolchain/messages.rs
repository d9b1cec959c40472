//! The message of a compiler or linker that says what is wrong.

use crate::model::OF_SEVERAL_FILES;

/// Lines in which a driver reports that another program failed, after that program's own messages.
const SUMMARIES: [&str; 2] = ["ld returned ", "linker command failed"];

const NO_MAIN: &str = "the program has no function main";

/// The first line of `stderr` that says what is wrong, at most 300 characters of it.
pub fn first_error(stderr: &str) -> String {
    // A crash lists the arguments, `-Werror` among them.
    let is_quoted = |line: &&str| line.contains("warning: ") || line.contains("Program arguments: ");
    let lines = || stderr.lines().filter(|line| !is_quoted(line));
    let is_summary = |line: &&str| SUMMARIES.iter().any(|summary| line.contains(summary));
    // A line that names the function or the including file of the next message ends with a colon.
    let is_message = |line: &&str| line.contains(": ") && !line.ends_with(':');
    let is_error = |line: &&str| {
        (line.contains("error") || line.contains("undefined reference")) && !line.ends_with(':')
    };
    let found = lines().filter(|line| !is_summary(line)).find(is_error);
    let found = found.or_else(|| {
        lines().find(is_summary)?;
        lines().take_while(|line| !is_summary(line)).find(is_message)
    });
    let found = found.or_else(|| lines().find(is_summary)).or_else(|| stderr.lines().next());
    let found = found.unwrap_or("no message").trim();
    // The linker names a place in the code that starts the program.
    let is_reference = found.contains("undefined reference");
    let found = if found.ends_with("undefined reference to `main'") { NO_MAIN } else { found };
    let found: String = found.chars().take(300).collect();
    if is_reference { format!("{found}; {OF_SEVERAL_FILES}") } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_is_reported_and_not_the_first_warning() {
        let stderr = "p.c:1:1: warning: x\np.c:2:3: error: y\np.c:3:1: error: z\n";
        assert_eq!(first_error(stderr), "p.c:2:3: error: y");
        let unknown = "warning: unknown warning option '-Werror=x'\np.c:2:3: error: y\n";
        assert_eq!(first_error(unknown), "p.c:2:3: error: y");
        assert_eq!(first_error(""), "no message");
        assert_eq!(first_error("p.c:1:1: warning: x\n"), "p.c:1:1: warning: x");
    }

    #[test]
    fn a_program_without_main_is_called_so() {
        let stderr =
            "/usr/bin/ld: Scrt1.o: in function `_start':\n(.text+0x17): undefined reference to `main'\n";
        assert_eq!(first_error(stderr), format!("{NO_MAIN}; {OF_SEVERAL_FILES}"));
    }

    #[test]
    fn the_linker_s_own_message_is_reported_and_not_the_driver_s() {
        let summary = "collect2: error: ld returned 1 exit status\n";
        let messages = [
            "/usr/bin/ld: q.o:(.data+0x0): multiple definition of `x'; p.o:(.data+0x0): first defined here",
            "/usr/bin/ld: p.o: relocation R_X86_64_32 against `.rodata' can not be used when making a PIE \
             object; recompile with -fPIE",
            "/usr/bin/ld: cannot find -lnowhere: No such file or directory",
        ];
        for message in messages {
            assert_eq!(first_error(&format!("{message}\n{summary}")), message);
        }
        let with_place =
            "/usr/bin/ld: p.o: in function `main':\np.c:(.text+0x5): undefined reference to `f'\n";
        let expected = format!("p.c:(.text+0x5): undefined reference to `f'; {OF_SEVERAL_FILES}");
        assert_eq!(first_error(&format!("{with_place}{summary}")), expected);
        let clang = "clang: error: linker command failed with exit code 1 (use -v to see invocation)\n";
        assert_eq!(first_error(&format!("{}\n{clang}", messages[0])), messages[0]);
        assert_eq!(first_error(summary), summary.trim());
    }
}
