//! A worker's worker: its scratch folder, its supervisor, and how to run a step.

use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};

use super::lane::{FastLane, WorkerLane};
use super::probe::compilers_folder;
use super::{Perturbation, Request};
use crate::config::LimitSettings;
use crate::model::{Ending, Execution, Outcome};
use crate::sys::{
    Command, Confinement, CpuTime, Exit, Limits, ROOM, Scratch, Supervisor, no_room, room, run,
};

/// Largest file that a compiler or a coverage tool may write.
const TOOL_FILE_BYTES: u64 = 1 << 30;

/// Where programs under test find others, and what watches them is found.
const PATH: &str = "/usr/bin:/bin";

/// More address space than there is.
const ALL_MEMORY_MIB: u64 = 1 << 40;

/// Name of the program's source in the scratch folder, and so in reports.
pub const SOURCE: &str = "p.c";

/// What a program of ours leaves us.
pub(super) const EXTRA: &str = "extra";

/// A header that moves a program's data, constants and zeros.
pub(super) const PADDING: &str = "padding.h";

const PADDING_TEXT: &str = "\
static __attribute__((used)) char recount_data[4099] = {1};
static __attribute__((used)) const char recount_constants[1031] = {1};
static __attribute__((used)) char recount_zeros[2053];
static __attribute__((used)) const char *const recount_text = \"a string literal of an odd length\";
";

/// What moves them by another number of bytes: literals by 12 instead of 2 of each 16.
const MORE_PADDING: &str = "\
static __attribute__((used)) char recount_more_data[5] = {1};
static __attribute__((used)) const char *const recount_more_text = \"nine more\";
";

/// The text of [`PADDING`] for a build that has it.
fn padding(perturbation: Perturbation) -> Option<String> {
    match perturbation {
        Perturbation::Layout => Some(PADDING_TEXT.to_string()),
        Perturbation::Distances => Some([PADDING_TEXT, MORE_PADDING].concat()),
        Perturbation::Nothing | Perturbation::Uninitialised => None,
    }
}

/// Flags that build a program differently; `has_pattern` where the compiler can initialise.
pub(super) fn perturbing(perturbation: Perturbation, has_pattern: bool) -> Vec<String> {
    let mut flags: Vec<&str> = Vec::new();
    match perturbation {
        Perturbation::Nothing => {}
        Perturbation::Layout => flags.push("-falign-functions=512"),
        // Functions of odd lengths: a distance may be read in any of its bits.
        Perturbation::Distances => flags.extend(["-falign-functions=1", "-fpatchable-function-entry=37"]),
        Perturbation::Uninitialised => flags.extend(has_pattern.then_some("-ftrivial-auto-var-init=pattern")),
    }
    if padding(perturbation).is_some() {
        flags.extend(["-fstack-protector-all", "-include", PADDING]);
        // Longer calls and addresses move everything inside a function.
        flags.extend(cfg!(target_arch = "x86_64").then_some("-mcmodel=large"));
    }
    flags.into_iter().map(String::from).collect()
}

/// What a worker needs to profile programs, one after the other.
#[derive(Debug)]
pub struct Worker {
    pub(super) scratch: Scratch,
    supervisor: Supervisor,
    /// For programs that map more address space than any limit allows: sanitizers.
    roomy: Supervisor,
    limits: LimitSettings,
    run_wall: Duration,
    last_run: Duration,
    profiles: usize,
    lane: Option<WorkerLane>,
    served: usize,
    /// Whether what is being done may take the fast lane.
    may_hurry: bool,
    /// Whether what is done in the fast lane may be refused without reason; see [`Worker::hurry`].
    is_rough: bool,
}

/// The outcome of a step that has to succeed for the next one.
pub type Step = Result<std::result::Result<Exit, Outcome>>;

impl Worker {
    /// A worker in `folder`, whose programs `binary supervise` runs.
    pub fn new(folder: Utf8PathBuf, binary: Utf8PathBuf, limits: LimitSettings) -> Worker {
        let LimitSettings { memory_mib, output_kib, unconfined, .. } = limits;
        let (scratch, needed) = (folder.clone(), compilers_folder());
        let confinement = Confinement { binary, memory_mib, output_kib, scratch, needed, unconfined };
        let roomy = Supervisor::new(Confinement { memory_mib: ALL_MEMORY_MIB, ..confinement.clone() });
        let supervisor = Supervisor::new(confinement);
        let run_wall = Duration::from_secs(limits.run_seconds);
        Worker {
            scratch: Scratch::new(folder),
            supervisor,
            roomy,
            limits,
            run_wall,
            last_run: Duration::ZERO,
            profiles: 0,
            lane: None,
            served: 0,
            may_hurry: false,
            is_rough: false,
        }
    }

    /// The same worker with a fast lane.
    #[must_use]
    pub fn with_lane(self, shared: Option<Arc<FastLane>>) -> Worker {
        Worker { lane: shared.map(WorkerLane::new), ..self }
    }

    /// How many calls of compilers and tools fork servers have answered.
    pub fn served(&self) -> usize {
        self.served + self.lane.as_ref().map_or(0, WorkerLane::served)
    }

    /// End the supervisors and fork servers; say what the supervisors and their programs took.
    pub fn finish(&mut self) -> CpuTime {
        self.served = self.served();
        self.lane = None;
        self.supervisor.finish() + self.roomy.finish()
    }

    /// CPU time of what runs for this worker and is nobody's children's time yet.
    pub fn running(&self) -> CpuTime {
        let servers = self.lane.as_ref().map_or_else(CpuTime::default, WorkerLane::running);
        self.supervisor.running() + self.roomy.running() + servers
    }

    /// The fast lane, where there is one that may still be taken.
    pub(super) fn fast_lane(&self) -> Option<&FastLane> {
        self.lane.as_ref().map(|lane| &*lane.shared).filter(|shared| shared.stopped().is_none())
    }

    /// Whether all that is asked for in the fast lane may take it: builds for other ends than counts too.
    pub(super) fn is_rough(&self) -> bool {
        self.is_rough
    }

    /// Do `work` in the fast lane, if that `is_wanted` and there is one. That a program does not
    /// compile is not believed there: the plain lane has the last word.
    pub(super) fn hurrying<T>(
        &mut self,
        is_wanted: bool,
        mut work: impl FnMut(&mut Worker) -> Result<std::result::Result<T, Outcome>>,
    ) -> Result<std::result::Result<T, Outcome>> {
        self.may_hurry = is_wanted && self.fast_lane().is_some();
        let done = work(self);
        let hurried = std::mem::take(&mut self.may_hurry);
        match done {
            Ok(Err(outcome)) if outcome.is_without_program() && hurried && !self.is_rough => work(self),
            done => done,
        }
    }

    /// How long the last program under test ran.
    pub fn last_run(&self) -> Duration {
        self.last_run
    }

    /// For whom a refusal without reason costs little, because much is tried and what is kept is confirmed
    /// by the plain commands: give programs under test `wall` and no longer, where the settings would
    /// give them more, and believe the fast lane when it says that a program does not compile.
    pub fn hurry(&mut self, wall: Duration) {
        self.is_rough = true;
        self.run_wall = wall.min(Duration::from_secs(self.limits.run_seconds));
    }

    /// How many profiles were begun here.
    pub fn profiles(&self) -> usize {
        self.profiles
    }

    /// Where a program of ours, run by [`super::run_rewritten`], may write besides its output.
    pub fn extra(&self) -> Utf8PathBuf {
        self.scratch.left(EXTRA)
    }

    /// Empty the scratch folder and put the program and its standard input there.
    pub(super) fn prepare(&mut self, request: &Request<'_>) -> Result<()> {
        self.profiles += 1;
        self.scratch.clear()?;
        room(self.scratch.root(), ROOM)?;
        fs_err::write(self.scratch.at(SOURCE), request.source)?;
        if let Some(padding) = padding(request.perturbation) {
            fs_err::write(self.scratch.at(PADDING), padding)?;
        }
        if !request.input.stdin.is_empty() {
            fs_err::write(self.scratch.at("stdin"), &request.input.stdin)?;
        }
        Ok(())
    }

    /// Run a coverage tool in the scratch folder.
    pub(super) fn tool(&mut self, program: &Utf8PathBuf, args: Vec<String>) -> Result<Exit> {
        let command = self.tool_command(program, args);
        let lane = self.lane.as_mut().filter(|_| self.may_hurry);
        let exit = lane.map_or_else(|| run_plainly(&command), |lane| lane.tool(&command))?;
        self.had_room(&exit.stderr)?;
        Ok(exit)
    }

    /// A step that ran out of disk has no result, whatever it says: an error that stops the job.
    fn had_room(&self, said: &str) -> Result<()> {
        if said.contains("No space left on device") {
            return Err(no_room(first_error(said)).into());
        }
        Ok(room(self.scratch.root(), ROOM / 2)?)
    }

    fn tool_command(&self, program: &Utf8PathBuf, args: Vec<String>) -> Command {
        Command {
            program: program.to_string(),
            args,
            cwd: self.scratch.root().to_path_buf(),
            env: vec![("LC_ALL".into(), "C".into()), ("TMPDIR".into(), self.scratch.root().to_string())],
            clear_env: false,
            stdin: None,
            stdout: self.scratch.at("stdout"),
            stderr: self.scratch.at("stderr"),
            limits: Limits {
                wall: Duration::from_secs(self.limits.compile_seconds),
                cpu_seconds: self.limits.compile_seconds,
                file_bytes: TOOL_FILE_BYTES,
            },
        }
    }

    /// Run a compiler; anything but success is an outcome.
    pub(super) fn compile(&mut self, program: &Utf8PathBuf, args: Vec<String>) -> Step {
        let command = self.tool_command(program, args);
        let lane = self.lane.as_mut().filter(|_| self.may_hurry);
        let hurried = lane.map(|lane| lane.compile(&command)).transpose()?.flatten();
        let exit = hurried.map_or_else(|| run_plainly(&command), Ok)?;
        self.had_room(&exit.stderr)?;
        Ok(match exit.ending {
            Ending::Exited(0) => Ok(exit),
            Ending::Exited(_) if !exit.stderr.contains("internal compiler error") => {
                Err(Outcome::DoesNotCompile { reason: first_error(&exit.stderr) })
            }
            ending => {
                let reason = format!("{ending:?}: {}", first_error(&exit.stderr));
                Err(Outcome::CompilerFailed { reason })
            }
        })
    }

    /// Run the compiled program `../p` in its own empty folder, supervised.
    pub(super) fn program(
        &mut self,
        request: &Request<'_>,
        env: Vec<(String, String)>,
    ) -> Result<std::result::Result<Execution, Outcome>> {
        let command = self.command(request, env);
        let began = Instant::now();
        // AddressSanitizer and its like reserve more address space than any limit allows.
        let is_watched = request.flags.iter().any(|flag| flag.starts_with("-fsanitize="));
        let supervisor = if is_watched { &mut self.roomy } else { &mut self.supervisor };
        let exit = supervisor.run(&command)?;
        self.last_run = began.elapsed();
        // What the program says of its own disk is its own affair.
        self.had_room("")?;
        Ok(understood(exit))
    }

    /// The same for a program that watches itself, or that `watcher` watches: without a limit on its
    /// address space, and with ten times the time. A watcher that is not installed is an outcome.
    pub(super) fn watched(
        &mut self,
        request: &Request<'_>,
        env: Vec<(String, String)>,
        watcher: &[&str],
    ) -> Result<std::result::Result<Execution, Outcome>> {
        let mut command = self.command(request, env);
        if let [program, args @ ..] = watcher {
            if !is_installed(program) {
                return Ok(Err(Outcome::NoProfile { reason: format!("{program} is not installed") }));
            }
            let own = std::mem::replace(&mut command.program, (*program).to_string());
            let front = args.iter().map(ToString::to_string).chain([own]);
            command.args = front.chain(std::mem::take(&mut command.args)).collect();
        }
        command.env.push(("TMPDIR".into(), self.scratch.run().into_string()));
        command.limits.wall *= 10;
        command.limits.cpu_seconds *= 10;
        Ok(understood(self.roomy.run(&command)?))
    }

    fn command(&self, request: &Request<'_>, env: Vec<(String, String)>) -> Command {
        // It runs as somebody else, whom our umask may keep out.
        let _ = std::fs::set_permissions(self.scratch.at("p"), PermissionsExt::from_mode(0o755));
        let mut environment =
            vec![("PATH".to_string(), PATH.to_string()), ("LC_ALL".to_string(), "C".to_string())];
        environment.extend(env);
        if request.perturbation != Perturbation::Nothing {
            environment.push(("MALLOC_PERTURB_".into(), "165".into()));
            environment.push(("RECOUNT_PERTURB".into(), "x".repeat(4099)));
        }
        Command {
            program: "../p".into(),
            args: request.input.args.clone(),
            cwd: self.scratch.run(),
            env: environment,
            clear_env: true,
            stdin: (!request.input.stdin.is_empty()).then(|| self.scratch.at("stdin")),
            stdout: self.scratch.at("stdout"),
            stderr: self.scratch.at("stderr"),
            limits: Limits {
                wall: self.run_wall,
                cpu_seconds: self.limits.run_seconds,
                file_bytes: self.limits.output_kib << 10,
            },
        }
    }
}

/// Whether programs under test find `program`.
pub(super) fn is_installed(program: &str) -> bool {
    PATH.split(':').any(|folder| Utf8Path::new(folder).join(program).is_file())
}

fn run_plainly(command: &Command) -> Result<Exit> {
    run(command).with_context(|| format!("failed to run {command}"))
}

/// What the end of a program under test means.
fn understood(exit: Exit) -> std::result::Result<Execution, Outcome> {
    match exit.ending {
        Ending::Exited(_) => Ok(Execution { ending: exit.ending, stdout: exit.stdout }),
        Ending::Signalled(signal) => Err(Outcome::Died { signal }),
        Ending::TimedOut => Err(Outcome::TimedOut),
        Ending::OutputCap => Err(Outcome::OutputCap),
    }
}

/// The first line of a compiler's messages that says what is wrong.
fn first_error(stderr: &str) -> String {
    let is_error = |line: &&str| {
        !line.contains("warning: ") && (line.contains("error") || line.contains("undefined reference"))
    };
    let line = stderr.lines().find(is_error).or_else(|| stderr.lines().next()).unwrap_or("no message");
    line.trim().chars().take(300).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Lane, Settings};
    use crate::corpus::Input;
    use crate::toolchain::Detail;

    #[test]
    fn a_watcher_that_is_not_installed_has_seen_nothing_and_fails_nothing() {
        let temp = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(temp.path()).unwrap().join("worker");
        // Nothing is started.
        let mut worker = Worker::new(folder, "/nowhere/recount".into(), Settings::quick().limits);
        let request = Request {
            source: "",
            folder: None,
            flags: &[],
            input: &Input { name: "default".into(), args: vec![], stdin: String::new() },
            dialect: None,
            detail: Detail::Lines,
            perturbation: Perturbation::Nothing,
            runs: 1,
            lane: Lane::Plain,
        };
        let seen = worker.watched(&request, vec![], &["no-such-watcher", "-q"]).unwrap();
        assert_eq!(seen, Err(Outcome::NoProfile { reason: "no-such-watcher is not installed".into() }));
    }

    #[test]
    fn the_first_error_is_told_not_the_first_warning() {
        let stderr = "p.c:1:1: warning: x\np.c:2:3: error: y\np.c:3:1: error: z\n";
        assert_eq!(first_error(stderr), "p.c:2:3: error: y");
        let unknown = "warning: unknown warning option '-Werror=x'\np.c:2:3: error: y\n";
        assert_eq!(first_error(unknown), "p.c:2:3: error: y");
        assert_eq!(first_error(""), "no message");
    }
}
