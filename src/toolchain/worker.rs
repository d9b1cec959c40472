//! A worker: its scratch folder, its supervisors, and the steps of a profile that it runs.

use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};

use super::attempt::{Attempt, no_profile};
use super::behaviour::{has_unspecified_status, may_vary};
use super::compilers::compilers_folder;
use super::fork_runner::{ForkRunner, run_plain};
use super::messages::first_error;
use super::perturbation::{PADDING, padding};
use super::request::{Confidence, Perturbation, Request};
use super::tool_runners::ToolRunners;
use crate::config::LimitSettings;
use crate::model::SOURCE;
use crate::model::{Execution, Outcome, Termination, signal_in_words};
use crate::sys::{
    Command, CommandOutput, Confinement, CpuTime, Limits, MIN_FREE_BYTES, Scratch, Supervisor,
    check_free_space, disk_full_error, find_program,
};

/// Largest file that a compiler or a coverage tool may write.
const TOOL_FILE_BYTES: u64 = 1 << 30;

/// PATH of programs under test and of the programs that run them.
const PATH: &str = "/usr/bin:/bin";

/// More address space than any machine has, so no limit.
const ALL_MEMORY_MIB: u64 = 1 << 40;

/// The signals of a program that is itself at fault: SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV.
const CRASHES: [i32; 6] = [4, 5, 6, 7, 8, 11];

/// The file that an instrumented program may write besides its output.
pub const EXTRA: &str = "extra";

/// Profiles programs, one after the other.
#[derive(Debug)]
pub struct Worker {
    pub(super) scratch: Scratch,
    supervisor: Supervisor,
    /// For programs that map more address space than any limit allows: sanitizers.
    unlimited: Supervisor,
    limits: LimitSettings,
    /// The longest time that a program may run, and where that is set.
    run_limit: (Duration, &'static str),
    /// Compilers and tools that run then are stopped; those that begin later are not.
    tool_deadline: Option<Instant>,
    /// How long the last program under test ran.
    pub last_run: Duration,
    /// The number of profiles that this worker has begun.
    pub profiles: usize,
    pub(super) runners: Arc<ToolRunners>,
    /// For exploratory profiles, where there is a fast lane.
    fork_runner: Option<ForkRunner>,
    confidence: Confidence,
    served: usize,
}

/// What gcc and clang print when they crash.
const INTERNAL_ERRORS: [&str; 2] = ["internal compiler error", "PLEASE submit a bug report"];

/// The limit on a run that the settings give.
fn own_run_limit(limits: &LimitSettings) -> (Duration, &'static str) {
    (Duration::from_secs(limits.run_seconds), "limits.run_seconds")
}

impl Worker {
    /// A worker in `folder`, whose programs `binary supervise` runs.
    pub fn new(folder: Utf8PathBuf, binary: Utf8PathBuf, limits: LimitSettings) -> Worker {
        let confinement = Confinement {
            binary,
            memory_mib: limits.memory_mib,
            output_kib: limits.output_kib,
            scratch: folder.clone(),
            needed: compilers_folder(),
            unconfined: limits.unconfined,
        };
        Worker {
            scratch: Scratch::new(folder),
            unlimited: Supervisor::new(Confinement { memory_mib: ALL_MEMORY_MIB, ..confinement.clone() }),
            supervisor: Supervisor::new(confinement),
            run_limit: own_run_limit(&limits),
            limits,
            tool_deadline: None,
            last_run: Duration::ZERO,
            profiles: 0,
            runners: Arc::default(),
            fork_runner: None,
            confidence: Confidence::Confirming,
            served: 0,
        }
    }

    /// The same worker with the tool runners of its run; without them it has the plain commands only.
    #[must_use]
    pub fn with_runners(self, runners: &Arc<ToolRunners>) -> Worker {
        Worker { fork_runner: runners.fork_runner(), runners: runners.clone(), ..self }
    }

    /// How many calls of compilers and tools were answered by processes that were already running.
    pub fn served(&self) -> usize {
        self.served + self.fork_runner.as_ref().map_or(0, |runner| runner.servers.served)
    }

    /// End all processes of this worker; the CPU time of its supervisors and their programs.
    pub fn finish(&mut self) -> CpuTime {
        self.served = self.served();
        self.fork_runner = None;
        self.supervisor.finish() + self.unlimited.finish()
    }

    /// CPU time of processes of this worker that have not been waited for yet.
    pub fn running(&self) -> CpuTime {
        let servers = self.fork_runner.as_ref().map(|runner| runner.servers.running());
        self.supervisor.running() + self.unlimited.running() + servers.unwrap_or_default()
    }

    /// Limit programs under test to `wall` if the settings allow more. `set_by` names the origin of this limit in
    /// messages.
    pub fn limit_runs(&mut self, wall: Duration, set_by: &'static str) {
        self.run_limit = own_run_limit(&self.limits);
        if wall < self.run_limit.0 {
            self.run_limit = (wall, set_by);
        }
    }

    /// Give programs and tools the limits of the settings again.
    pub fn reset_limits(&mut self) {
        self.run_limit = own_run_limit(&self.limits);
        self.tool_deadline = None;
    }

    /// Stop the compiler or tool that runs at `deadline`. Calls that begin later have the usual limit.
    pub fn stop_tools_at(&mut self, deadline: Option<Instant>) {
        self.tool_deadline = deadline;
    }

    /// The path of the file that a program run by `run_rewritten` may write besides its output.
    pub fn extra(&self) -> Utf8PathBuf {
        self.scratch.left(EXTRA)
    }

    /// Empty the scratch folder and write the program and its standard input there.
    pub(super) fn prepare(&mut self, request: &Request<'_>) -> Attempt<()> {
        self.profiles += 1;
        self.confidence = request.confidence;
        self.scratch.clear()?;
        check_free_space(&self.scratch.root, MIN_FREE_BYTES)?;
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
    pub(super) fn run_tool(&mut self, program: &Utf8Path, args: Vec<String>) -> Attempt<CommandOutput> {
        let command = self.tool_command(program, args);
        let output = match self.fast_lane() {
            Some(runner) => runner.run_tool(&command),
            None => run_plain(&command),
        }?;
        self.check_disk(&output.stderr)?;
        if output.termination == Termination::TimedOut {
            return Err(no_profile(self.tool_timeout(program)));
        }
        if let Termination::Signalled(signal) = output.termination {
            let tool = program.file_name().unwrap_or_default();
            let reason = format!("{tool} crashed with {}", signal_in_words(signal));
            // Others come from outside, as where memory is short.
            let is_crash = CRASHES.contains(&signal);
            return Err(if is_crash { Outcome::ToolCrashed { reason }.into() } else { no_profile(reason) });
        }
        Ok(output)
    }

    /// Run a compiler; anything but success stops the profile.
    pub(super) fn compile(&mut self, program: &Utf8Path, args: Vec<String>) -> Attempt<()> {
        let command = self.tool_command(program, args);
        let output = match self.fast_lane() {
            Some(runner) => runner.compile(&command),
            None => run_plain(&command),
        }?;
        self.check_disk(&output.stderr)?;
        let said = first_error(&output.stderr);
        let is_crash = INTERNAL_ERRORS.iter().any(|message| output.stderr.contains(message));
        Err(match output.termination {
            Termination::Exited(0) => return Ok(()),
            Termination::Exited(_) if !is_crash => Outcome::DoesNotCompile { reason: said },
            Termination::TimedOut => Outcome::CompilerFailed { reason: self.tool_timeout(program) },
            Termination::Signalled(signal) => {
                Outcome::CompilerFailed { reason: format!("{}: {said}", signal_in_words(signal)) }
            }
            Termination::Exited(_) => Outcome::CompilerFailed { reason: format!("it crashed: {said}") },
            Termination::OutputCap => {
                Outcome::CompilerFailed { reason: format!("it printed too much: {said}") }
            }
        }
        .into())
    }

    fn tool_timeout(&self, program: &Utf8Path) -> String {
        let name = program.file_name().unwrap_or_default();
        format!(
            "{name} timed out after {} s; limits.compile_seconds sets this limit",
            self.limits.compile_seconds
        )
    }

    fn fast_lane(&mut self) -> Option<&mut ForkRunner> {
        let is_used = self.confidence == Confidence::Exploratory && self.runners.has_fast_lane();
        self.fork_runner.as_mut().filter(|_| is_used)
    }

    /// A step that ran out of disk space has no result, whatever it printed: an error that stops the job.
    fn check_disk(&self, stderr: &str) -> std::io::Result<()> {
        if stderr.contains("No space left on device") {
            return Err(disk_full_error(first_error(stderr)));
        }
        check_free_space(&self.scratch.root, MIN_FREE_BYTES / 2)
    }

    fn tool_command(&self, program: &Utf8Path, args: Vec<String>) -> Command {
        let usual = Duration::from_secs(self.limits.compile_seconds);
        let left = self.tool_deadline.and_then(|deadline| deadline.checked_duration_since(Instant::now()));
        let limits = Limits {
            wall: left.map_or(usual, |left| left.min(usual)),
            cpu_seconds: self.limits.compile_seconds,
            file_bytes: TOOL_FILE_BYTES,
        };
        let folder = &self.scratch.root;
        let env = vec![("LC_ALL".into(), "C".into()), ("TMPDIR".into(), folder.to_string())];
        Command { env, ..Command::within(folder, program.as_str(), args, limits) }
    }

    /// Run the compiled program `../p` in an empty folder, supervised.
    pub(super) fn run_program(
        &mut self,
        request: &Request<'_>,
        env: Vec<(String, String)>,
    ) -> Attempt<Execution> {
        let command = self.program_command(request, env);
        let began = Instant::now();
        // AddressSanitizer and similar tools reserve more address space than any limit allows.
        let is_sanitized = request.flags.iter().any(|flag| flag.starts_with("-fsanitize="));
        let supervisor = if is_sanitized { &mut self.unlimited } else { &mut self.supervisor };
        let output = supervisor.run(&command)?;
        self.last_run = began.elapsed();
        // If the program prints such a message, it is about the disk in its sandbox, not ours.
        self.check_disk("")?;
        self.execution(request, output)
    }

    /// Run the compiled program under `detector`, an empty command where the program checks itself. It has no
    /// limit on its address space, and ten times the time.
    pub(super) fn run_checked(
        &mut self,
        request: &Request<'_>,
        env: Vec<(String, String)>,
        detector: &[&str],
    ) -> Attempt<Execution> {
        let mut command = self.program_command(request, env);
        if let [program, args @ ..] = detector {
            if !is_installed(program) {
                return Err(no_profile(format!("{program} is not installed")));
            }
            let own = std::mem::replace(&mut command.program, (*program).to_string());
            let front = args.iter().map(ToString::to_string).chain([own]);
            command.args = front.chain(std::mem::take(&mut command.args)).collect();
        }
        command.env.push(("TMPDIR".into(), self.scratch.run().into_string()));
        command.limits.wall *= 10;
        command.limits.cpu_seconds *= 10;
        let output = self.unlimited.run(&command)?;
        self.execution(request, output)
    }

    fn program_command(&self, request: &Request<'_>, env: Vec<(String, String)>) -> Command {
        // Programs run as another user, who may not read it under our umask.
        let _ = std::fs::set_permissions(self.scratch.at("p"), PermissionsExt::from_mode(0o755));
        let mut environment =
            vec![("PATH".to_string(), PATH.to_string()), ("LC_ALL".to_string(), "C".to_string())];
        environment.extend(env);
        if request.perturbation != Perturbation::Nothing {
            environment.push(("MALLOC_PERTURB_".into(), "165".into()));
            environment.push(("RECOUNT_PERTURB".into(), "x".repeat(4099)));
        }
        let limits = Limits {
            wall: self.run_limit.0,
            cpu_seconds: self.limits.run_seconds,
            file_bytes: self.limits.output_kib << 10,
        };
        Command {
            cwd: self.scratch.run(),
            env: environment,
            clear_env: true,
            stdin: (!request.input.stdin.is_empty()).then(|| self.scratch.at("stdin")),
            ..Command::within(&self.scratch.root, "../p", request.input.args.clone(), limits)
        }
    }

    fn execution(&self, request: &Request<'_>, output: CommandOutput) -> Attempt<Execution> {
        let (wall, set_by) = self.run_limit;
        Err(match output.termination {
            Termination::Exited(status) => {
                let is_random = status != 0 && has_unspecified_status(request.source, request.flags);
                let termination = Termination::Exited(if is_random { 0 } else { status });
                let may_vary = may_vary(request.source);
                return Ok(Execution { termination, stdout: output.stdout, may_vary });
            }
            Termination::Signalled(signal) => Outcome::Died { signal },
            Termination::TimedOut => Outcome::TimedOut {
                reason: format!("after {} s; {set_by} sets this limit", wall.as_secs_f64()),
            },
            Termination::OutputCap => Outcome::OutputCap,
        }
        .into())
    }
}

/// Whether programs under test find `program`.
pub fn is_installed(program: &str) -> bool {
    find_program(program, PATH).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;
    use crate::corpus::Input;
    use crate::toolchain::attempt::outcome_as_result;

    #[test]
    fn a_detector_that_is_not_installed_has_seen_nothing_and_fails_nothing() {
        let temp = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(temp.path()).unwrap().join("worker");
        // The program is not started.
        let mut worker = Worker::new(folder, "/nowhere/recount".into(), Settings::quick().limits);
        let input = Input { name: "default".into(), args: vec![], stdin: String::new() };
        let seen = worker.run_checked(&Request::new("", &input), vec![], &["no-such-detector", "-q"]);
        let expected = Outcome::NoProfile { reason: "no-such-detector is not installed".into() };
        assert_eq!(outcome_as_result(seen).unwrap(), Err(expected));
    }
}
