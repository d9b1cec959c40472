//! Recorders: shell scripts that take the place of compilers while a package is built, and of its programs while it is
//! tested. Every build system calls a script that has the tool's name.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};
use regex::Regex;

use super::Folder;
use super::calls::Call;
use crate::corpus::Input;
use crate::model::Termination;
use crate::sys::{CommandOutput, Limits, path_folders, run_in_scratch, shell_word};

/// The most inputs of a program.
const MOST_INPUTS: usize = 16;

/// The most bytes of standard input, or of a file that is named in an argument.
const MOST_BYTES: usize = 64 * 1024;

/// A compiler's recorder: it writes the folder, the name and the arguments, each with a NUL after it.
const COMPILER: &str = r#"#!/bin/sh
note=$(mktemp LOG/part.XXXXXXXX) && printf '%s\0' "$PWD" NAME "$@" >"$note" && mv "$note" "LOG/call.${note##*.}"
exec REAL "$@"
"#;

/// A program's recorder: for each call it writes a folder with the arguments, standard input if that is a file or a
/// pipe, copies of the files that arguments name, and the paths of folders that arguments name. The program can still
/// read standard input from its beginning.
const PROGRAM: &str = r#"#!/bin/sh
call=$(mktemp -d LOG/XXXXXXXX) || exec REAL "$@"
[ $# -eq 0 ] || printf '%s\0' "$@" >"$call/args"
at=0
for word; do
    at=$((at + 1))
    [ ! -f "$word" ] || head -c LIMIT "$word" >"$call/file.$at"
    [ ! -d "$word" ] || (cd "$word" && pwd >"$call/folder.$at")
done
if [ -f /dev/stdin ]; then
    head -c LIMIT /dev/stdin >"$call/stdin"
elif [ -p /dev/stdin ]; then
    head -c LIMIT >"$call/stdin"
    { cat "$call/stdin"; cat; } | REAL "$@"
    exit
fi
exec REAL "$@"
"#;

/// Recorders, and the folder that they are in and write to.
pub struct Recorder {
    folder: Utf8PathBuf,
}

/// The calls of one program.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    calls: Vec<Recorded>,
    /// Which calls are left out.
    pub notes: Vec<String>,
}

/// The calls of each program.
pub type SeenCalls = BTreeMap<Utf8PathBuf, Seen>;

/// One call: arguments, standard input, and the files that arguments name, by the index of the argument.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Recorded {
    args: Vec<String>,
    stdin: String,
    files: BTreeMap<usize, Vec<u8>>,
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
            let text = Self::script(COMPILER, &real, &self.folder.join("calls"));
            write_script(&script, &text.replace("NAME", &name))?;
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
            let mut last: Vec<&str> = exit.stderr.lines().rev().take(5).collect();
            last.reverse();
            bail!("the build failed ({:?}); fix it first:\n{}", exit.termination, last.join("\n"));
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

    fn script(text: &str, real: &Utf8Path, log: &Utf8Path) -> String {
        text.replace("LOG", &shell_word(log.as_str()))
            .replace("REAL", &shell_word(real.as_str()))
            .replace("LIMIT", &(MOST_BYTES + 1).to_string())
    }

    /// Run `test` in `root` with recorders in place of `programs`, and return the calls of each.
    pub fn watch(&self, test: &str, root: &Utf8Path, programs: BTreeSet<Utf8PathBuf>) -> Result<SeenCalls> {
        let words = shlex::split(test).filter(|words| !words.is_empty());
        let words =
            words.with_context(|| format!("--test {test}: not a valid command; a quote is not closed"))?;
        let mut replaced = Vec::new();
        for (at, program) in programs.into_iter().enumerate().filter(|(_, program)| program.is_file()) {
            let log = self.folder.join(format!("seen{at}"));
            fs_err::create_dir_all(&log)?;
            let real =
                program.with_file_name(format!("{}.recount-real", program.file_name().unwrap_or_default()));
            fs_err::rename(&program, &real)?;
            let text = Self::script(PROGRAM, &real, &log);
            replaced.push(Replaced { program: program.clone(), real, log });
            write_script(&program, &text)?;
        }
        let exit = run_here(&words[0], words[1..].to_vec(), root, Vec::new())?;
        let failed = (exit.termination != Termination::Exited(0))
            .then(|| format!("{test} failed: {:?}", exit.termination));
        let mut seen = BTreeMap::new();
        for one in &replaced {
            let mut calls = read_calls(&one.log)?;
            calls.notes.extend(failed.clone());
            seen.insert(one.program.clone(), calls);
        }
        Ok(seen)
    }
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

/// The compilers and archivers on `path`, and the one that `cc` names.
fn tools(cc: &str) -> BTreeMap<String, Utf8PathBuf> {
    let pattern = Regex::new(r"^(x86_64-linux-gnu-)?(cc|c99|gcc|clang|ar|gcc-ar|llvm-ar)(-[0-9]+)?$");
    let pattern = pattern.expect("a fixed pattern");
    let mut tools = BTreeMap::new();
    for folder in path_folders() {
        for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
            let name = entry.file_name().to_string();
            if pattern.is_match(&name) || name == cc {
                tools.entry(name).or_insert_with(|| entry.into_path());
            }
        }
    }
    if cc.contains('/')
        && let Some(name) = Utf8Path::new(cc).file_name()
    {
        tools.insert(name.to_string(), cc.into());
    }
    tools
}

fn write_script(path: &Utf8Path, text: &str) -> Result<()> {
    fs_err::write(path, text)?;
    Ok(fs_err::set_permissions(path, std::fs::Permissions::from_mode(0o755))?)
}

/// The calls in `log`, without duplicates, the smallest first.
fn read_calls(log: &Utf8Path) -> Result<Seen> {
    let mut calls = BTreeSet::new();
    let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in log.read_dir_utf8()? {
        match read_call(entry?.path())? {
            Ok(call) => drop(calls.insert((call.stdin.len(), call))),
            Err(reason) => *left_out.entry(reason).or_default() += 1,
        }
    }
    let mut notes: Vec<String> = left_out
        .into_iter()
        .map(|(reason, count)| format!("{count} calls by its tests left out: {reason}"))
        .collect();
    if calls.len() > MOST_INPUTS {
        notes.push(format!(
            "{} calls by its tests left out: more than {MOST_INPUTS}",
            calls.len() - MOST_INPUTS
        ));
    }
    if calls.is_empty() {
        notes.push("its tests did not call it".into());
    }
    Ok(Seen { calls: calls.into_iter().take(MOST_INPUTS).map(|(_, call)| call).collect(), notes })
}

fn read_call(folder: &Utf8Path) -> Result<std::result::Result<Recorded, &'static str>> {
    let read = |name: &str| match std::fs::read(folder.join(name)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        bytes => Ok(bytes.unwrap_or_default()),
    };
    let (Ok(args), Ok(stdin)) = (String::from_utf8(read("args")?), String::from_utf8(read("stdin")?)) else {
        return Ok(Err("not UTF-8"));
    };
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
    if stdin.contains('\0') {
        return Ok(Err("a NUL byte in its input"));
    }
    if stdin.len() > MOST_BYTES || files.values().any(|file| file.len() > MOST_BYTES) {
        return Ok(Err("more than 64 KiB"));
    }
    Ok(Ok(Recorded { args, stdin, files }))
}

impl Seen {
    /// The calls as inputs of `program`. Files that arguments name are written to `folder`.
    pub fn inputs(&self, folder: &Folder, program: &Utf8Path) -> Result<Vec<Input>> {
        let mut inputs = Vec::new();
        for (number, call) in self.calls.iter().enumerate() {
            let mut args = call.args.clone();
            for (at, bytes) in &call.files {
                // A new name, because a file `x.c` would look like a program.
                let file = program.with_extension("inputs").join(format!("{}.{}", number + 1, at + 1));
                folder.write(&file, bytes)?;
                args[*at] = folder.root.join(file).into_string();
            }
            inputs.push(Input { name: format!("test-{}", number + 1), args, stdin: call.stdin.clone() });
        }
        Ok(inputs)
    }
}
