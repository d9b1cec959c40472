//! Recorders: shell scripts that take the place of compilers while a package is built, and of its programs while it is
//! tested. Every build system calls a script that has the tool's name.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use anyhow::{Result, bail};
use camino::{Utf8Path, Utf8PathBuf};
use regex::Regex;

use super::Folder;
use super::calls::Call;
use crate::corpus::Input;
use crate::model::Termination;
use crate::sys::{CommandOutput, Limits, path_folders, run_in_scratch, shell_word};

/// The most inputs of a program.
const MOST_INPUTS: usize = 16;

/// The most calls of a program that are kept in all.
const MOST_CALLS: usize = 64;

/// The most bytes of an input in a sidecar.
const MOST_BYTES_OF_INPUT: usize = 64 * 1024;

/// The most bytes of standard input, or of a file that is named in an argument.
const MOST_BYTES: usize = 1 << 20;

/// A compiler's recorder: it writes the folder, the name and the arguments, each with a NUL after it.
const COMPILER: &str = r#"
note=$(mktemp "$recount_log/part.XXXXXXXX") && printf '%s\0' "$PWD" "$recount_name" "$@" >"$note" &&
    mv "$note" "$recount_log/call.${note##*.}"
exec "$recount_real" "$@"
"#;

/// A program's recorder: for each call it writes a folder with the arguments, standard input if that is a file or a
/// pipe, copies of the files that arguments name, and the paths of folders that arguments name. The program can still
/// read standard input from its beginning.
const PROGRAM: &str = r#"
call=$(mktemp -d "$recount_log/XXXXXXXX") || exec "$recount_real" "$@"
[ $# -eq 0 ] || printf '%s\0' "$@" >"$call/args"
at=0
for word; do
    at=$((at + 1))
    [ ! -f "$word" ] || head -c "$recount_limit" "$word" >"$call/file.$at"
    [ ! -d "$word" ] || (cd "$word" && pwd >"$call/folder.$at")
done
if [ -f /dev/stdin ]; then
    head -c "$recount_limit" /dev/stdin >"$call/stdin"
elif [ -p /dev/stdin ]; then
    head -c "$recount_limit" >"$call/stdin"
    { cat "$call/stdin"; cat; } | "$recount_real" "$@"
    exit
fi
exec "$recount_real" "$@"
"#;

/// Recorders, and the folder that they are in and write to.
pub struct Recorder {
    folder: Utf8PathBuf,
}

/// The calls of one program.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Without duplicates, those with the fewest bytes first.
    pub calls: Vec<Recorded>,
    /// Which calls are left out.
    pub notes: Vec<String>,
}

/// The calls of each program.
pub type SeenCalls = BTreeMap<Utf8PathBuf, Seen>;

/// One call: arguments, standard input, and the files that arguments name, by the index of the argument.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Recorded {
    pub args: Vec<String>,
    pub stdin: Vec<u8>,
    pub files: BTreeMap<usize, Vec<u8>>,
}

impl Recorded {
    /// Whether a sidecar can describe it.
    fn is_input(&self) -> bool {
        let is_text = std::str::from_utf8(&self.stdin).is_ok_and(|text| !text.contains('\0'));
        is_text
            && self.stdin.len().max(self.files.values().map(Vec::len).max().unwrap_or(0))
                <= MOST_BYTES_OF_INPUT
    }

    /// The bytes that the program may read.
    pub fn bytes(&self) -> usize {
        self.stdin.len() + self.files.values().map(Vec::len).sum::<usize>()
    }
}

/// Run a trusted command in `cwd`.
pub fn run_here(
    program: &str,
    args: Vec<String>,
    cwd: &Utf8Path,
    env: Vec<(String, String)>,
) -> Result<CommandOutput> {
    let hours = Duration::from_secs(4 * 3600);
    let limits = Limits { wall: hours, cpu_seconds: hours.as_secs(), file_bytes: 1 << 34 };
    Ok(run_in_scratch(program, args, Some(cwd), env, limits)?)
}

impl Recorder {
    /// Recorders in the new folder `folder`.
    pub fn new(folder: &Utf8Path) -> Result<Recorder> {
        fs_err::create_dir_all(folder.join("bin"))?;
        fs_err::create_dir_all(folder.join("calls"))?;
        Ok(Recorder { folder: folder.to_path_buf() })
    }

    /// Run `command` in `root` and record the calls of compilers and archivers.
    pub fn build(&self, command: &[String], root: &Utf8Path) -> Result<Vec<Call>> {
        let path = std::env::var("PATH").unwrap_or_default();
        let given = std::env::var("CC").unwrap_or_else(|_| "cc".into());
        let cc = given.split_whitespace().next().unwrap_or("cc").to_string();
        let mut first = None;
        for (name, real) in tools(&cc) {
            let script = self.folder.join("bin").join(&name);
            let values = [
                ("log", self.folder.join("calls").into_string()),
                ("real", real.to_string()),
                ("name", name.clone()),
            ];
            write_script(&script, &with_values(&values, COMPILER))?;
            if real.as_str() == cc || Utf8Path::new(&cc).file_name() == Some(&name) {
                first = Some(script);
            }
        }
        let mut env = vec![("PATH".to_string(), format!("{}:{path}", self.folder.join("bin")))];
        // CC may have flags after the compiler's name.
        env.extend(first.map(|script| ("CC".to_string(), given.replacen(&cc, script.as_str(), 1))));
        let [program, args @ ..] = command else { bail!("no command to build with") };
        let exit = run_here(program, args.to_vec(), root, env)?;
        if exit.termination != Termination::Exited(0) {
            bail!("the build failed ({}); fix it first:\n{}", exit.termination, last_lines(&exit.stderr));
        }
        let mut notes = Vec::new();
        for entry in self.folder.join("calls").read_dir_utf8()? {
            let path = entry?.into_path();
            if path.file_name().is_some_and(|name| name.starts_with("call.")) {
                notes.push((fs_err::metadata(&path)?.modified()?, path));
            }
        }
        notes.sort();
        let read = |path: &Utf8PathBuf| fs_err::read(path).ok().and_then(|bytes| Call::recorded(&bytes));
        Ok(notes.iter().filter_map(|(_, path)| read(path)).collect())
    }

    /// Run tests by `run` with recorders in place of `programs`, and return the calls of each.
    pub fn watch(
        &self,
        programs: BTreeSet<Utf8PathBuf>,
        run: impl FnOnce() -> Result<Termination>,
    ) -> Result<SeenCalls> {
        let mut replaced = Vec::new();
        for (at, program) in programs.into_iter().enumerate().filter(|(_, program)| program.is_file()) {
            let log = self.folder.join(format!("seen{at}"));
            fs_err::create_dir_all(&log)?;
            let real =
                program.with_file_name(format!("{}.recount-real", program.file_name().unwrap_or_default()));
            fs_err::rename(&program, &real)?;
            let values = [
                ("log", log.to_string()),
                ("real", real.to_string()),
                ("limit", (MOST_BYTES + 1).to_string()),
            ];
            replaced.push(Replaced { program: program.clone(), real, log });
            write_script(&program, &with_values(&values, PROGRAM))?;
        }
        let termination = run()?;
        let failed =
            (termination != Termination::Exited(0)).then(|| format!("the tests failed: {termination}"));
        let mut seen = BTreeMap::new();
        for one in &replaced {
            let mut calls = read_calls(&one.log)?;
            calls.notes.extend(failed.clone());
            seen.insert(one.program.clone(), calls);
        }
        Ok(seen)
    }
}

/// A script of the commands `text`, with `values` in variables `recount_…`.
fn with_values(values: &[(&str, String)], text: &str) -> String {
    let set = values.iter().map(|(name, value)| format!("recount_{name}={}\n", shell_word(value)));
    format!("#!/bin/sh\n{}{text}", set.collect::<String>())
}

/// A program that is replaced by its recorder until this value is dropped.
struct Replaced {
    program: Utf8PathBuf,
    real: Utf8PathBuf,
    log: Utf8PathBuf,
}

impl Drop for Replaced {
    fn drop(&mut self) {
        // Even if the tests have built it again: the imported program is the one before the tests.
        let _ = fs_err::rename(&self.real, &self.program);
    }
}

/// The names of compilers.
pub const COMPILERS: &str = r"cc|c99|c89|gcc|clang|c\+\+|g\+\+|clang\+\+";

/// The tools on PATH that have a name of `names`, a pattern, with or without the name of the machine and a version.
pub fn tools_on_path(names: &str) -> BTreeMap<String, Utf8PathBuf> {
    let pattern =
        Regex::new(&format!("^(x86_64-linux-gnu-)?({names})(-[0-9]+)?$")).expect("a pattern of names");
    let mut tools = BTreeMap::new();
    for folder in path_folders() {
        for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
            if pattern.is_match(entry.file_name()) {
                tools.entry(entry.file_name().to_string()).or_insert_with(|| entry.into_path());
            }
        }
    }
    tools
}

/// The compilers and archivers on PATH, and the one that `cc` names.
fn tools(cc: &str) -> BTreeMap<String, Utf8PathBuf> {
    let mut tools = tools_on_path(&format!("{COMPILERS}|ar|gcc-ar|llvm-ar|{}", regex::escape(cc)));
    if cc.contains('/')
        && let Some(name) = Utf8Path::new(cc).file_name()
    {
        tools.insert(name.to_string(), cc.into());
    }
    tools
}

/// The end of what a failed command printed.
pub fn last_lines(said: &str) -> String {
    let mut last: Vec<&str> = said.lines().rev().take(8).collect();
    last.reverse();
    last.join("\n")
}

/// Write a script that every user can run.
pub fn write_script(path: &Utf8Path, text: &str) -> Result<()> {
    fs_err::write(path, text)?;
    Ok(fs_err::set_permissions(path, std::fs::Permissions::from_mode(0o755))?)
}

/// The calls in `log`, without duplicates, the smallest first.
fn read_calls(log: &Utf8Path) -> Result<Seen> {
    let mut calls = BTreeSet::new();
    let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in log.read_dir_utf8()? {
        match read_call(entry?.path())? {
            Ok(call) => drop(calls.insert((call.bytes(), call))),
            Err(reason) => *left_out.entry(reason).or_default() += 1,
        }
    }
    let mut notes: Vec<String> = left_out
        .into_iter()
        .map(|(reason, count)| format!("{count} calls by its tests left out: {reason}"))
        .collect();
    if calls.len() > MOST_CALLS {
        notes.push(format!(
            "{} calls by its tests left out: more than {MOST_CALLS}",
            calls.len() - MOST_CALLS
        ));
    }
    if calls.is_empty() {
        notes.push("its tests did not call it".into());
    }
    Ok(Seen { calls: calls.into_iter().take(MOST_CALLS).map(|(_, call)| call).collect(), notes })
}

fn read_call(folder: &Utf8Path) -> Result<std::result::Result<Recorded, &'static str>> {
    let read = |name: &str| match std::fs::read(folder.join(name)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        bytes => Ok(bytes.unwrap_or_default()),
    };
    let stdin = read("stdin")?;
    let Ok(args) = String::from_utf8(read("args")?) else { return Ok(Err("arguments that are not UTF-8")) };
    let mut args: Vec<String> = args.split_terminator('\0').map(String::from).collect();
    let mut files = BTreeMap::new();
    for (at, arg) in args.iter_mut().enumerate() {
        if let Ok(path) = String::from_utf8(read(&format!("folder.{}", at + 1))?)
            && !path.is_empty()
        {
            *arg = path.trim_end_matches('\n').to_string();
        }
        let name = format!("file.{}", at + 1);
        if folder.join(&name).exists() {
            files.insert(at, read(&name)?);
        }
    }
    if stdin.len() > MOST_BYTES || files.values().any(|file| file.len() > MOST_BYTES) {
        return Ok(Err("a file of more than 1 MiB"));
    }
    Ok(Ok(Recorded { args, stdin, files }))
}

impl Seen {
    /// The calls that a sidecar can describe as inputs of `program`, and notes on those that are left out. Files that arguments
    /// name are written to `folder`.
    pub fn inputs(&self, folder: &Folder, program: &Utf8Path) -> Result<(Vec<Input>, Vec<String>)> {
        let mut inputs = Vec::new();
        let all = self.calls.iter().enumerate().filter(|(_, call)| call.is_input());
        for (number, call) in all.clone().take(MOST_INPUTS) {
            let mut args = call.args.clone();
            for (at, bytes) in &call.files {
                // A new name, because a file `x.c` would look like a program.
                let file = program.with_extension("inputs").join(format!("{}.{}", number + 1, at + 1));
                folder.write(&file, bytes)?;
                args[*at] = folder.root.join(file).into_string();
            }
            let stdin = String::from_utf8_lossy(&call.stdin).into_owned();
            inputs.push(Input { name: format!("test-{}", number + 1), args, stdin });
        }
        let left_out = all.count().saturating_sub(MOST_INPUTS);
        let note = format!("{left_out} calls by its tests left out: more than {MOST_INPUTS}");
        Ok((inputs, self.notes.iter().cloned().chain((left_out > 0).then_some(note)).collect()))
    }

    /// The calls that need a program of their own, since their input is binary or long.
    pub fn others(&self) -> impl Iterator<Item = (usize, &Recorded)> {
        (1..).zip(&self.calls).filter(|(_, call)| !call.is_input() && call.bytes() <= MOST_BYTES)
    }
}
