//! What a report to a profiler's makers shows: the commands as a person types them in an empty
//! folder, and what they print, for a file of a neutral name.
//!
//! What is typed and what is run here are two command lines of one meaning: a program under test
//! runs under the supervisor, never by a shell. `tests/filing.rs` holds them against each other.

use std::fmt::Write;

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};

use super::steps::Steps;
use super::worker::Worker;
use super::{Profiler, Request, flags};
use crate::corpus::Input;
use crate::model::{Metric, Outcome};

/// The name that a program has in a report to the makers.
pub const NEUTRAL: &str = "small.c";

/// What was typed and what it printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotated {
    /// The compiler's command name.
    pub compiler: String,
    /// What the compiler says of itself by `-v`.
    pub verbose: String,
    /// The commands that print the report and nothing else, in their order.
    pub commands: Vec<String>,
    /// The commands that print, after these, the same in the profiler's other formats.
    pub others: Vec<String>,
    /// The whole annotated report.
    pub report: String,
}

/// What differs from family to family.
pub trait Shows: Steps + Profiler {
    /// Arguments of the compiler's calls that make `p` of [`NEUTRAL`].
    fn builds(flags: &[String]) -> Vec<Vec<String>>;

    /// What a person types to see counts of a metric, with the flags and the program's run as words of a shell.
    fn typed(&self, flags: &str, run: String, metric: Metric) -> Vec<String>;

    /// What a person types for the other formats.
    fn others(&self) -> Vec<String>;

    /// The annotated report with counts of a metric, or why there is none.
    fn shown(&self, worker: &mut Worker, metric: Metric) -> Result<std::result::Result<String, Outcome>>;
}

/// Build, run and report as the makers will; the first step that fails is the outcome.
pub fn annotate<T: Shows>(
    tools: &T,
    worker: &mut Worker,
    request: &Request<'_>,
    metric: Metric,
) -> Result<std::result::Result<Annotated, Outcome>> {
    let Some(compiler) = tools.compiler().map(Utf8Path::to_path_buf) else {
        return Ok(Err(Outcome::CompilerFailed { reason: "the profiler has no compiler".into() }));
    };
    worker.prepare(request)?;
    fs_err::write(worker.scratch.at(NEUTRAL), request.source)?;
    let flags = flags::compile_flags(T::FAMILY, request, request.dialect.unwrap_or(0));
    for args in T::builds(&flags) {
        if let Err(outcome) = worker.compile(&compiler, args)? {
            return Ok(Err(outcome));
        }
    }
    let environment = tools.environment(worker, 0)?;
    if let Err(outcome) = worker.program(request, environment)? {
        return Ok(Err(outcome));
    }
    let report = match tools.shown(worker, metric)? {
        Ok(report) => report.replace(worker.scratch.root().as_str(), "."),
        Err(outcome) => return Ok(Err(outcome)),
    };
    let words: String = flags.iter().map(|flag| format!(" {}", word(portable(flag)))).collect();
    Ok(Ok(Annotated {
        compiler: named(&compiler),
        verbose: verbose(worker, &compiler)?,
        commands: tools.typed(&words, run(request.source, request.input), metric),
        others: tools.others(),
        report,
    }))
}

/// The command name of a tool, wherever it lies.
pub fn named(tool: &Utf8PathBuf) -> String {
    tool.file_name().unwrap_or_default().to_string()
}

/// What `compiler -v` prints, as it does where the compiler is on PATH.
fn verbose(worker: &mut Worker, compiler: &Utf8PathBuf) -> Result<String> {
    let said = worker.tool(compiler, vec!["-v".into()])?.stderr;
    // A clang with a configuration file begins to link.
    let lines: Vec<&str> = said.lines().take_while(|line| !line.starts_with(" \"")).collect();
    let text = lines.join("\n").replace(compiler.as_str(), &named(compiler));
    let home = std::env::var("HOME").unwrap_or_default();
    Ok(if home.len() > 1 { text.replace(&home, "~") } else { text })
}

/// A folder of this machine says nothing to others: headers lie beside the program.
fn portable(flag: &str) -> &str {
    if flag.starts_with("-I/") { "-I." } else { flag }
}

/// The run of `./a.out` as it is typed.
fn run(source: &str, input: &Input) -> String {
    let args: String = input.args.iter().map(|arg| format!(" {}", word(arg))).collect();
    // Without a pipe such a program would wait for the terminal.
    let reads = ["stdin", "getchar", "scanf", "gets", "getline", "read"];
    let (front, behind) = match input.stdin.as_str() {
        "" if reads.iter().any(|call| source.contains(call)) => (String::new(), " < /dev/null"),
        "" => (String::new(), ""),
        text => (format!("printf '{}' | ", format_of(text)), ""),
    };
    format!("{front}./a.out{args}{behind} > /dev/null")
}

/// `text` as one word of a shell, on one line and without anything that a terminal obeys.
fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+%@".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_string()
    } else if text.chars().any(char::is_control) {
        format!("\"$(printf '{}')\"", format_of(text))
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// `text` as the format of `printf`, between single quotes.
fn format_of(text: &str) -> String {
    let mut out = String::new();
    for (at, c) in text.char_indices() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            '%' => out.push_str("%%"),
            '\'' => out.push_str(r"'\''"),
            // It would be an option.
            '-' if at == 0 => out.push_str("\\055"),
            c if c.is_control() => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
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
    fn a_run_is_typed_on_one_line_with_all_that_it_is_given() {
        let typed = |args: &[&str], stdin: &str, source: &str| {
            let args = args.iter().map(ToString::to_string).collect();
            run(source, &Input { name: "n".into(), args, stdin: stdin.into() })
        };
        assert_eq!(typed(&[], "", ""), "./a.out > /dev/null");
        assert_eq!(
            typed(&["a", "it's", ""], "", "getchar()"),
            r"./a.out a 'it'\''s' '' < /dev/null > /dev/null"
        );
        assert_eq!(typed(&["\x1b["], "", ""), "./a.out \"$(printf '\\033[')\" > /dev/null");
        assert_eq!(typed(&[], "-5% \\'\n", ""), r"printf '\0555%% \\'\''\n' | ./a.out > /dev/null");
    }

    #[test]
    fn a_folder_of_this_machine_is_not_told() {
        assert_eq!(
            [portable("-I/home/me/x"), portable("-DX=/y"), portable("-I..")],
            ["-I.", "-DX=/y", "-I.."]
        );
    }
}
