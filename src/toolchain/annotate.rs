//! The profiler's part of a bug report: the commands as a person would type them in an empty folder, and their output,
//! for a file with a neutral name.
//!
//! The commands in the report and those that recount runs are equivalent, but not the same: recount runs a program
//! under test in its sandbox and never through a shell. `tests/filing.rs` compares the two.

use std::fmt::Write;

use camino::Utf8Path;

use super::attempt::{Attempt, no_compiler};
use super::flags::{compile_flags, is_condition_flag};
use super::profiler::Annotated;
use super::request::{Perturbation, Request};
use super::steps::{Build, Tools};
use super::worker::Worker;
use crate::corpus::Input;
use crate::model::Metric;
use crate::sys::shell_word;

/// The name of a program in a bug report.
pub const REPORTED_SOURCE: &str = "small.c";

/// Build, run and report as the maintainers will; the first step that fails is the outcome.
pub fn annotate(
    tools: &dyn Tools,
    worker: &mut Worker,
    request: &Request<'_>,
    metric: Metric,
) -> Attempt<Annotated> {
    let compiler = tools.compiler().ok_or_else(no_compiler)?;
    worker.prepare(request)?;
    fs_err::write(worker.scratch.at(REPORTED_SOURCE), request.source)?;
    let flags = compile_flags(tools.info().profiler, request, request.dialect.unwrap_or(0));
    let perturbation = Perturbation::Nothing;
    tools.build(worker, Build { stem: "small", flags: flags.clone(), link_flags: &flags, perturbation })?;
    let environment = tools.environment(worker, 0)?;
    worker.run_program(request, environment)?;
    let report = tools.annotated_report(worker, metric)?.replace(worker.scratch.root.as_str(), ".");
    let words: String = flags.iter().map(|flag| format!(" {}", word(portable(flag)))).collect();
    let mapping = tools.mapping(worker, &flags, &words)?;
    // clang rejects these flags without those of coverage.
    let without_conditions = flags.iter().filter(|flag| !is_condition_flag(flag)).cloned();
    let plain = without_conditions.chain(["-fsyntax-only".into(), REPORTED_SOURCE.into()]).collect();
    let warnings = worker.run_tool(compiler, plain)?.stderr;
    Ok(Annotated {
        compiler: file_name(compiler),
        verbose: verbose(worker, compiler)?,
        commands: tools.shell_commands(&words, run_command(request.source, request.input), metric),
        others: tools.other_format_commands(),
        report,
        warnings,
        mapping,
    })
}

/// The command name of a tool, wherever it is installed.
pub fn file_name(tool: &Utf8Path) -> String {
    tool.file_name().unwrap_or_default().to_string()
}

/// The output of `compiler -v`, as it is when the compiler is on PATH.
fn verbose(worker: &mut Worker, compiler: &Utf8Path) -> Attempt<String> {
    let printed = worker.run_tool(compiler, vec!["-v".into()])?.stderr;
    // With a configuration file, `clang -v` also tries to link.
    let lines: Vec<&str> = printed.lines().take_while(|line| !line.starts_with(" \"")).collect();
    let text = lines.join("\n").replace(compiler.as_str(), &file_name(compiler));
    let home = std::env::var("HOME").unwrap_or_default();
    Ok(if home.len() > 1 { text.replace(&home, "~") } else { text })
}

/// Other machines do not have this folder, so the report assumes headers in the program's folder.
fn portable(flag: &str) -> &str {
    if flag.starts_with("-I/") { "-I." } else { flag }
}

/// The shell command that runs `./a.out`.
fn run_command(source: &str, input: &Input) -> String {
    let args: String = input.args.iter().map(|arg| format!(" {}", word(arg))).collect();
    // Without a pipe such a program would wait for the terminal.
    let reads = ["stdin", "getchar", "scanf", "gets", "getline", "read"];
    let (pipe, redirection) = match input.stdin.as_str() {
        "" if reads.iter().any(|call| source.contains(call)) => (String::new(), " < /dev/null"),
        "" => (String::new(), ""),
        text => (format!("printf '{}' | ", printf_format(text)), ""),
    };
    format!("{pipe}./a.out{args}{redirection} > /dev/null")
}

/// `text` as one word of a shell, on one line and without control characters.
fn word(text: &str) -> String {
    if text.chars().any(char::is_control) {
        format!("\"$(printf '{}')\"", printf_format(text))
    } else {
        shell_word(text)
    }
}

/// `text` as the format of `printf`, between single quotes.
fn printf_format(text: &str) -> String {
    let mut out = String::new();
    for (at, c) in text.char_indices() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            '%' => out.push_str("%%"),
            '\'' => out.push_str(r"'\''"),
            // A leading `-` would begin an option.
            '-' if at == 0 => out.push_str("\\055"),
            c if c.is_control() => {
                for byte in c.to_string().bytes() {
                    let _ = write!(out, "\\{byte:03o}");
                }
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_typed_on_one_line_with_all_its_arguments_and_input() {
        let typed = |args: &[&str], stdin: &str, source: &str| {
            let args = args.iter().map(ToString::to_string).collect();
            run_command(source, &Input { name: "n".into(), args, stdin: stdin.into() })
        };
        assert_eq!(typed(&[], "", ""), "./a.out > /dev/null");
        assert_eq!(
            typed(&["a", "it's", ""], "", "getchar()"),
            r#"./a.out a "it's" '' < /dev/null > /dev/null"#
        );
        assert_eq!(typed(&["\x1b["], "", ""), "./a.out \"$(printf '\\033[')\" > /dev/null");
        assert_eq!(typed(&[], "-5% \\'\n", ""), r"printf '\0555%% \\'\''\n' | ./a.out > /dev/null");
    }

    #[test]
    fn a_folder_of_this_machine_is_not_shown() {
        assert_eq!(
            [portable("-I/home/me/x"), portable("-DX=/y"), portable("-I..")],
            ["-I.", "-DX=/y", "-I.."]
        );
    }
}
