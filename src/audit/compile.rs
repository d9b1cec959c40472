//! What happens in place of a compiler that a package's build calls: `recount compiler SESSION NAME ARGUMENTS`.
//!
//! Calls that make no object, and the probes of configure scripts, `CMake` and Meson, reach the compiler unchanged. Every other
//! call compiles each C file on its own, without optimisation: with coverage, or from the preprocessed text with counters. A
//! file that cannot be given counters is compiled plainly, and its unit says why.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use regex::Regex;

use super::call::{Call, expanded};
use super::link::{Link, SHIFTED};
use super::session::{Mode, Phase, Session, new_folder, without_process_numbers};
use super::test_run::PROGRAM;
use super::unit::{COUNTING, OBJECT, TEXT, Unit, absolute, text_hash, typed_text};
use crate::model::Family;
use crate::syntax::{COUNTERS, joined};
use crate::sys::{become_program, output_of, run_in_place, run_quietly};

/// The program that is linked into every binary.
const RUNTIME: &str = include_str!("runtime.c");

/// Data and strings of odd lengths, which are linked first into the programs of the second run: what depends on the alignment of
/// an address then varies.
const SHIFT: &str = "static char recount_byte __attribute__((used)) = 1;\n\
                     const char *const recount_shift[] __attribute__((used, visibility(\"hidden\"))) = {\n\
                     \"\\1\", \"\\2recount\", \"\\3recounts\", \"\\4recount it\" };\n";

/// The section in which the counters of all units are.
const SECTION: &str = "recount_counters";

/// The size of a page of memory, and of a word.
const PAGE: u32 = 4096;
const WORD: u32 = 8;

/// Names of files and folders in which configure scripts, `CMake`, Meson and zlib's own script try the compiler.
const PROBES: [&str; 8] = [
    "conftest",
    "cmTC_",
    "testCCompiler",
    "CMakeCCompilerId",
    "CMakeScratch",
    "CMakeTmp",
    "CompilerIdC",
    "meson-private",
];

/// How the files of zlib's script begin, before the number of its process.
const ZLIB_PROBE: &str = "ztest";

/// Do what the call `name` with `args` asks for, for `session`; the exit code. `real` is the tool of this name, for calls of
/// compilers of other languages.
pub fn compile(session: &Session, real: &str, args: Vec<String>) -> Result<i32> {
    let cwd = Utf8PathBuf::try_from(std::env::current_dir()?)?;
    let is_c = !is_cxx(real);
    let tool = if is_c { session.compiler.as_str() } else { real };
    let args = expanded(args);
    let call = Call::new(&args);
    let step = Step { session, tool, cwd: &cwd, call: &call };
    if call.makes_nothing || !call.has_inputs() || is_probe(&session.tree, &cwd, &args) {
        return Err(become_program(tool, &args).into());
    }
    let sources: Vec<String> =
        if is_c { call.sources().into_iter().map(String::from).collect() } else { Vec::new() };
    if call.only_compiles {
        if sources.is_empty() {
            return Err(become_program(tool, &args).into());
        }
        for source in &sources {
            let stem = Utf8Path::new(source).file_stem().unwrap_or("a");
            let object = call.output.clone().unwrap_or_else(|| format!("{stem}.o"));
            let code = step.unit(source, &object)?.0;
            if code != 0 {
                return Ok(code);
            }
        }
        return Ok(0);
    }
    let mut objects = Vec::new();
    for source in &sources {
        let output = call.output.as_deref().unwrap_or("a.out");
        let stem = Utf8Path::new(source).file_stem().unwrap_or("a");
        let (code, object) = step.unit(source, &format!("{output}-{stem}.o"))?;
        if code != 0 {
            return Ok(code);
        }
        objects.push(object);
    }
    step.link(&objects)
}

/// Whether the tool is named for a compiler of C++, with or without a version.
fn is_cxx(real: &str) -> bool {
    let name = Utf8Path::new(real).file_name().unwrap_or(real);
    name.contains("++")
}

/// Whether the call is a trial of the package's configuration, by the names of files and folders in the copy at `tree`.
fn is_probe(tree: &Utf8Path, cwd: &Utf8Path, args: &[String]) -> bool {
    let has_number = |rest: &str| rest.starts_with(|first: char| first.is_ascii_digit());
    let is_trial = |part: &str| {
        PROBES.iter().any(|probe| part.starts_with(probe))
            || part.strip_prefix(ZLIB_PROBE).is_some_and(has_number)
    };
    let begins = |word: &str| word.replace(tree.as_str(), "").split('/').any(is_trial);
    begins(cwd.as_str()) || args.iter().any(|arg| arg == "-" || begins(arg.trim_start_matches('-')))
}

/// The words that name a source. The call has said that it is C; its name may not.
fn in_language(source: &str) -> Vec<String> {
    let is_named = Utf8Path::new(source).extension() == Some("c");
    let language = ["-x", "c"].map(String::from).into_iter().filter(|_| !is_named);
    language.chain([source.to_string()]).collect()
}

struct Step<'a> {
    session: &'a Session,
    tool: &'a str,
    cwd: &'a Utf8Path,
    call: &'a Call,
}

impl Step<'_> {
    /// Compile `source` to `object`, which for a program that is linked at once is only a name; the exit code and the object.
    fn unit(&self, source: &str, object: &str) -> Result<(i32, Utf8PathBuf)> {
        let session = self.session;
        let place = absolute(self.cwd, object);
        let folder = new_folder(&session.units(&session.phase()?), session.below(&place))?;
        let made = if self.call.only_compiles { place.clone() } else { folder.join(OBJECT) };
        let mut unit = Unit {
            cwd: self.cwd.to_path_buf(),
            source: source.into(),
            object: place,
            flags: self.call.compile_flags(),
            text_flags: self.call.text_flags(),
            name: source.into(),
            counted: Vec::new(),
            uncounted: None,
        };
        let code = match session.mode {
            Mode::Coverage => self.with_coverage(&unit, object, &made, &folder)?,
            Mode::Counters => match self.with_counters(&mut unit, object, &made, &folder)? {
                Ok(()) => 0,
                Err(reason) => {
                    unit.uncounted = Some(reason);
                    self.plain(&unit, object, &made, &[])?
                }
            },
        };
        if code != 0 {
            fs_err::remove_dir_all(&folder)?;
            return Ok((code, made));
        }
        let kept = folder.join(OBJECT);
        if kept != made {
            fs_err::copy(&made, &kept)?;
        }
        unit.write(&folder)?;
        Ok((0, made))
    }

    /// Compile the unit with the options of the package and `more`.
    fn plain(&self, unit: &Unit, object: &str, made: &Utf8Path, more: &[String]) -> Result<i32> {
        let source = in_language(&unit.source);
        let back = ["-o".to_string(), made.to_string(), "-O0".to_string(), "-c".into()];
        let args = [&unit.flags, &self.call.dependencies(object)[..], more, &back, &source].concat();
        Ok(run_in_place(self.tool, &args)?)
    }

    fn with_coverage(&self, unit: &Unit, object: &str, made: &Utf8Path, folder: &Utf8Path) -> Result<i32> {
        let mut more = match self.session.family {
            // The names of notes and data follow from these two.
            Family::Gcov => vec![
                "--coverage".into(),
                "-dumpdir".into(),
                format!("{folder}/"),
                "-dumpbase".into(),
                "unit".into(),
            ],
            Family::LlvmCov => vec!["-fprofile-instr-generate".into(), "-fcoverage-mapping".into()],
        };
        if self.session.has_threads {
            more.push("-fprofile-update=atomic".into());
        }
        self.plain(unit, object, made, &more)
    }

    /// Compile the preprocessed unit with counters, or say why that is impossible.
    fn with_counters(
        &self,
        unit: &mut Unit,
        object: &str,
        made: &Utf8Path,
        folder: &Utf8Path,
    ) -> Result<std::result::Result<(), String>> {
        let session = self.session;
        let path = unit.path();
        let (mut input, mut more) = (unit.source.clone(), Vec::new());
        if session.family == Family::LlvmCov {
            // llvm-cov counts the lines of the file, so directives that renumber them are left out.
            let copy = folder.join(path.file_name().unwrap_or("unit.c"));
            let Some(typed) = typed_text(session.family, &path, copy.as_str())? else {
                return Ok(Err("another compiler expanded its macros of system headers".into()));
            };
            if typed.as_bytes() != fs_err::read(&path)? {
                fs_err::write(&copy, typed)?;
                input = copy.into_string();
                more = vec!["-iquote".into(), path.parent().unwrap_or(self.cwd).to_string()];
                unit.name.clone_from(&input);
            }
        }
        let text_file = folder.join(TEXT);
        let back = ["-o", text_file.as_str(), "-O0", "-E", "-dD"].map(String::from);
        let source = in_language(&input);
        let args = [&more[..], &unit.flags, &self.call.dependencies(object), &back, &source].concat();
        let (is_done, said) = run_quietly(self.tool, &args)?;
        if !is_done {
            return Ok(Err(format!("it cannot be preprocessed: {}", first_line(&said))));
        }
        let text = String::from_utf8_lossy(&fs_err::read(&text_file)?).into_owned();
        let Some(files) = unit.instrumented(session.family, &text, &session.tree)? else {
            return Ok(Err("it is nested too deeply".into()));
        };
        for (file, _) in &files {
            unit.counted.push((file.path.clone(), text_hash(&file.path)?));
        }
        let files: Vec<_> = files.into_iter().map(|(_, file)| file).collect();
        let Some(whole) = joined(&files) else {
            let code = self.plain(unit, object, made, &[])?;
            return Ok(if code == 0 { Ok(()) } else { Err("it does not compile".into()) });
        };
        let words = (whole.counters.max(1) * WORD).next_multiple_of(PAGE) / WORD;
        let counting = folder.join(COUNTING);
        let name = folder.strip_prefix(&session.data).unwrap_or(folder);
        let head = format!(
            "__extension__ static unsigned long long {COUNTERS}[{words}] \
             __attribute__((section(\"{SECTION}\"), aligned({PAGE})));\n"
        );
        let tail = format!(
            "\n__extension__ static const struct {{ const char *name; unsigned long long *counters; unsigned long number; }} \
             recount_unit = {{ \"{name}\", {COUNTERS}, {} }};\n\
             static const void *const recount_unit_at __attribute__((used, section(\"recount_units\"))) = &recount_unit;\n",
            whole.counters
        );
        fs_err::write(&counting, head + &whole.counting(session.has_threads) + &tail)?;
        let back =
            ["-w", "-O0", "-c", "-x", "cpp-output", counting.as_str(), "-o", made.as_str()].map(String::from);
        let (is_done, said) = run_quietly(self.tool, &[&unit.text_flags[..], &back].concat())?;
        Ok(if is_done {
            Ok(())
        } else {
            Err(format!("with counters it does not compile: {}", first_line(&said)))
        })
    }

    /// Link `objects` and the other inputs of the call, with the runtime of this session.
    fn link(&self, objects: &[Utf8PathBuf]) -> Result<i32> {
        let (session, call) = (self.session, self.call);
        let is_other_language = self.tool != session.compiler;
        let mut args = call.linked(objects, is_other_language);
        // That compiler may make position-independent programs by default, and the compiler under audit may not.
        if is_other_language && session.family == Family::Gcov && !call.is_shared() && !call.is_bare() {
            args.push("-no-pie".into());
        }
        if session.mode == Mode::Coverage {
            match session.family {
                Family::Gcov => args.push("--coverage".into()),
                // The compiler of another language may be one that does not know this flag.
                Family::LlvmCov if is_other_language => args.extend(self.profile_runtime()?),
                Family::LlvmCov => args.push("-fprofile-instr-generate".into()),
            }
        }
        if call.is_bare() {
            return Ok(run_in_place(self.tool, &args)?);
        }
        let output = absolute(self.cwd, call.output.as_deref().unwrap_or("a.out"));
        let (name, phase) = (without_process_numbers(&output), session.phase()?);
        let folder = new_folder(&session.links(&phase), session.below(&name))?;
        args.push(self.runtime(&folder, call.is_shared())?.into_string());
        // The second run of the tests has its data at other addresses.
        let shift = match session.mode {
            Mode::Counters => Some(self.shift(&folder)?),
            Mode::Coverage => None,
        };
        let is_first = [Phase::Build, Phase::Test(1)].iter().any(|first| first.to_string() == phase);
        if let Some(object) = shift.as_ref().filter(|_| !is_first) {
            args.insert(0, object.to_string());
        }
        let mut is_linked = false;
        if session.mode == Mode::Counters {
            // A compiler drops calls that it sees are never made, and does not with counters around their conditions. A trial of
            // the package that looks for a function must fail in both builds.
            let (is_done, said) = run_quietly(self.tool, &args)?;
            if folder.file_name().is_some_and(|name| session.linked.contains(name)) {
                args.extend(undefined(&said).map(|name| format!("-Wl,--defsym={name}=0")));
            }
            is_linked = is_done;
        }
        let code = if is_linked { 0 } else { run_in_place(self.tool, &args)? };
        if code != 0 {
            fs_err::remove_dir_all(&folder)?;
            return Ok(code);
        }
        Link::new(session, self.cwd, call).write(&folder)?;
        if let Some(object) = shift.filter(|_| is_first) {
            let shifted = folder.join(SHIFTED);
            let output = ["-o".to_string(), shifted.to_string()];
            // The last `-o` counts. What cannot be linked like this keeps its layout.
            run_quietly(self.tool, &[&[object.into_string()], &args[..], &output].concat())?;
        }
        if session.mode == Mode::Coverage {
            // llvm-cov is asked about the program itself, which a later step may overwrite.
            fs_err::copy(&output, folder.join(PROGRAM))?;
        }
        Ok(code)
    }

    /// What links clang's runtime for profiles, with any compiler.
    fn profile_runtime(&self) -> Result<[String; 2]> {
        let compiler = self.session.compiler.as_str();
        let asked = ["--rtlib=compiler-rt", "-print-libgcc-file-name"].map(String::from);
        let said = output_of(compiler, &asked)?;
        Ok(["-Wl,-u,__llvm_profile_runtime".into(), said.trim().replace("builtins", "profile")])
    }

    /// The object that shifts the data of a program if it is linked first.
    fn shift(&self, folder: &Utf8Path) -> Result<Utf8PathBuf> {
        let (source, object) = (folder.join("shift.c"), folder.join("shift.o"));
        fs_err::write(&source, SHIFT)?;
        self.object(&source, &object, Vec::new())?;
        Ok(object)
    }

    /// The object of the runtime for a program whose processes write into `folder`.
    fn runtime(&self, folder: &Utf8Path, is_shared: bool) -> Result<Utf8PathBuf> {
        let (source, object) = (folder.join("runtime.c"), folder.join("runtime.o"));
        let profile = if self.session.mode == Mode::Coverage && self.session.family == Family::LlvmCov {
            // The name in the program takes the place of the one in clang's runtime.
            format!(
                "\nchar __llvm_profile_filename[] __attribute__((visibility(\"hidden\"))) = \"{folder}/%m.profraw\";\n"
            )
        } else {
            String::new()
        };
        fs_err::write(&source, format!("{RUNTIME}{profile}"))?;
        let mut args = vec![format!("-DRECOUNT_FOLDER=\"{folder}\"")];
        if is_shared {
            args.push("-DRECOUNT_SHARED".into());
        }
        self.object(&source, &object, args)?;
        Ok(object)
    }

    /// Compile `source`, a file of ours, to `object`.
    fn object(&self, source: &Utf8Path, object: &Utf8Path, mut args: Vec<String>) -> Result<()> {
        args.extend(["-w", "-O1", "-fPIC", "-c", source.as_str(), "-o", object.as_str()].map(String::from));
        let machine = self.call.text_flags().into_iter().filter(|flag| flag.starts_with("-m"));
        args.extend(machine);
        let (is_done, said) = run_quietly(self.session.compiler.as_str(), &args)?;
        let compiler = &self.session.compiler;
        anyhow::ensure!(is_done, "{compiler}: the runtime does not compile: {}", first_line(&said));
        Ok(())
    }
}

/// The names that a linker says are undefined.
fn undefined(said: &str) -> impl Iterator<Item = &str> {
    static NAME: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"undefined (?:reference to .|symbol: )(\w+)").expect("a constant"));
    let found: BTreeSet<&str> =
        NAME.captures_iter(said).filter_map(|found| Some(found.get(1)?.as_str())).collect();
    found.into_iter()
}

fn first_line(text: &str) -> &str {
    let is_error = |line: &&str| line.contains("error");
    text.lines().find(is_error).or_else(|| text.lines().next()).unwrap_or("no message").trim()
}

/// The session of the file, for the command line.
pub fn compile_in(session: &Utf8Path, real: &str, args: Vec<String>) -> Result<i32> {
    let session = Session::read(session)?;
    compile(&session, real, args).with_context(|| format!("compile for the audit of {}", session.tree))
}
