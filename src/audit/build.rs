//! Builds a copy of the package and runs its tests, for one session.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use camino::{Utf8Path, Utf8PathBuf};

use super::link::Link;
use super::processes::Run;
use super::session::{Phase, Session};
use super::test_run::{RAW, TestRun, keep_profile, phases};
use super::unit::DATA;
use crate::corpus::import::recorder::{COMPILERS, last_lines, tools_on_path, write_script};
use crate::model::{Family, Termination};
use crate::sys::{Command, Limits, PackageSandbox, confined_words, give_to_package_user, run, shell_word};
use crate::toolchain::compilers_folder;

/// The commands of a package, for a shell in its folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commands {
    /// None if the tests build the package first.
    pub build: Option<String>,
    pub test: String,
    /// The longest time that each of them may take.
    pub limit: Duration,
    /// Whether they may use the network.
    pub has_network: bool,
}

/// Why the package or its commands cannot be audited, which the user can change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadPackage(String);

impl Session {
    /// Write the scripts that take the place of compilers.
    pub fn write_tools(&self, recount: &Utf8Path) -> Result<()> {
        fs_err::copy(recount, self.recount())?;
        let recount = self.recount();
        fs_err::create_dir_all(self.bin())?;
        let mut real = tools_on_path(COMPILERS);
        real.insert(self.family_compiler().into(), self.compiler.clone());
        for (name, path) in real {
            let words = [recount.as_str(), "compiler", self.file().as_str(), path.as_str()].map(shell_word);
            write_script(
                &self.bin().join(&name),
                &format!("#!/bin/sh\nexec {} -- \"$@\"\n", words.join(" ")),
            )?;
        }
        Ok(())
    }

    /// The usual name of the compilers of the family.
    fn family_compiler(&self) -> &'static str {
        match self.family {
            Family::Gcov => "gcc",
            Family::LlvmCov => "clang",
        }
    }

    /// Build the package.
    ///
    /// # Errors
    /// The build fails, or nothing is compiled.
    pub fn build(&self, commands: &Commands) -> Result<()> {
        self.begin(Phase::Build)?;
        let Some(build) = &commands.build else { return Ok(()) };
        let (termination, log) = self.shell(commands, build, "build", true)?;
        if termination != Termination::Exited(0) {
            let (mode, how) = (self.mode.name(), in_words(termination));
            let output = fs_err::read(&log)?;
            let said = match last_lines(&String::from_utf8_lossy(&output)) {
                said if said.trim().is_empty() => "it printed nothing".into(),
                said => format!("the whole output is in {log}:\n{said}"),
            };
            bail!(BadPackage(format!("the build with {mode} failed ({how}); {said}")));
        }
        Ok(())
    }

    /// Run the tests, for the time number `number`, without what earlier runs counted, and collect what they leave. With
    /// `is_fixed` addresses are not random.
    pub fn test(&self, commands: &Commands, number: u32, is_fixed: bool) -> Result<TestRun> {
        let earlier = phases(number - 1);
        let phases: Vec<String> = phases(number);
        Run::collect(self, &phases)?;
        for folder in self.folders(&phases)? {
            for entry in folder.read_dir_utf8()? {
                let path = entry?.into_path();
                if path.file_name() == Some(DATA) || path.extension() == Some(RAW) {
                    fs_err::remove_file(&path)?;
                }
            }
        }
        if number > 1 {
            // What was built before has its data at other addresses in this run.
            for phase in &earlier {
                for (_, folder) in self.links_of(phase)? {
                    Link::read(&folder)?.shift(&folder)?;
                }
            }
        }
        self.begin(Phase::Test(number))?;
        let (termination, log) =
            self.shell(commands, &commands.test, &Phase::Test(number).to_string(), is_fixed)?;
        if termination == Termination::TimedOut {
            bail!(BadPackage(format!(
                "the tests did not end within {} s with {}; name fewer of them with --test, or allow more time with --limit; \
                 their output is in {log}",
                commands.limit.as_secs(),
                self.mode.name()
            )));
        }
        if phases
            .iter()
            .try_fold(true, |none, phase| Ok::<_, anyhow::Error>(none && self.units_of(phase)?.is_empty()))?
        {
            bail!(BadPackage(format!(
                "the commands compiled no C file; begin with a clean tree, as after `make clean`, and make sure that the build \
                 takes its compiler from PATH or CC; their output is in {log}"
            )));
        }
        for folder in self.folders(&phases)? {
            keep_profile(&folder, number)?;
        }
        let run = Run::collect(self, &phases)?;
        if run.processes.is_empty() {
            bail!(BadPackage(format!(
                "the tests ran no program that the commands built ({}), so there is nothing to check; their output is in {log}",
                in_words(termination)
            )));
        }
        Ok(TestRun { session: self.clone(), number, termination, run })
    }

    /// Run the tests once more, for something else than their counts.
    pub fn run_tests_again(&self, commands: &Commands) -> Result<Termination> {
        Ok(self.shell(commands, &commands.test, "again", true)?.0)
    }

    /// The folders of the units and links of `phases`.
    fn folders(&self, phases: &[String]) -> Result<Vec<Utf8PathBuf>> {
        let mut found = Vec::new();
        for phase in phases {
            found.extend(
                self.units_of(phase)?.into_iter().chain(self.links_of(phase)?).map(|(_, folder)| folder),
            );
        }
        Ok(found)
    }

    /// Run a shell command in the tree, with the compilers replaced; how it ended, and the file with its output.
    fn shell(
        &self,
        commands: &Commands,
        text: &str,
        name: &str,
        is_fixed: bool,
    ) -> Result<(Termination, Utf8PathBuf)> {
        let logs = self.data.join("logs");
        fs_err::create_dir_all(&logs)?;
        let log = logs.join(format!("{name}.log"));
        let path = std::env::var("PATH").unwrap_or_default();
        let env = [
            ("PATH", format!("{}:{path}", self.bin())),
            ("CC", self.family_compiler().to_string()),
            ("CCACHE_DISABLE", "1".into()),
            ("SOURCE_DATE_EPOCH", "1700000000".into()),
            ("HOME", self.tree.to_string()),
            // The programs name their profiles themselves.
            ("LLVM_PROFILE_FILE", String::new()),
        ];
        let mut args = vec!["-c".to_string(), format!("exec 2>&1\n{text}")];
        let mut program = "/bin/sh";
        if is_fixed && can_fix_addresses() {
            program = "setarch";
            args.splice(0..0, ["-R".to_string(), "/bin/sh".into()]);
        }
        let compilers = self.compiler.parent().map(Utf8Path::to_path_buf);
        let sandbox = PackageSandbox {
            writable: vec![self.tree.clone(), self.data.clone()],
            needed: compilers.into_iter().chain(compilers_folder()).collect(),
            has_network: commands.has_network,
            missing: self.missing_layers(),
        };
        let args = confined_words(&sandbox, program, &args)?;
        give_to_package_user(&self.tree)?;
        give_to_package_user(&self.data)?;
        let limits = Limits { wall: commands.limit, cpu_seconds: 24 * 3600, file_bytes: 1 << 36 };
        let own_errors = logs.join(format!("{name}.err"));
        let command = Command {
            cwd: self.tree.clone(),
            env: env.map(|(name, value)| (name.to_string(), value)).into(),
            stdout: log.clone(),
            stderr: own_errors.clone(),
            ..Command::within(&logs, self.recount().into_string(), args, limits)
        };
        let output = run(&command).with_context(|| format!("run `{text}`"))?;
        // The commands write their errors to the log, and the sandbox itself to this file.
        if let Some(reason) = fs_err::read_to_string(own_errors)?.trim().strip_prefix("recount: ") {
            bail!(BadPackage(reason.into()));
        }
        Ok((output.termination, log))
    }
}

impl Session {
    /// The run of the tests with this number, if an earlier audit of the same build made it with the same commands.
    pub fn tested(&self, commands: &Commands, number: u32) -> Result<Option<TestRun>> {
        let file = self.tested_file(number);
        if !file.is_file() {
            return Ok(None);
        }
        // What a killed audit was writing is made again.
        let read: Option<(String, bool, TestRun)> = serde_json::from_str(&fs_err::read_to_string(file)?).ok();
        let is_same =
            |found: &(String, bool, TestRun)| (&found.0, found.1) == (&commands.test, commands.has_network);
        Ok(read.filter(is_same).map(|(_, _, run)| run))
    }

    /// Note the run of the tests with this number.
    pub fn set_tested(&self, commands: &Commands, run: &TestRun) -> Result<()> {
        let text = serde_json::to_string(&(&commands.test, commands.has_network, run))?;
        Ok(fs_err::write(self.tested_file(run.number), text)?)
    }

    fn tested_file(&self, number: u32) -> Utf8PathBuf {
        self.data.join(format!("tested{number}.json"))
    }

    /// Note that the package with this fingerprint is built by these commands.
    pub fn set_built(&self, commands: &Commands, fingerprint: &str) -> Result<()> {
        Ok(fs_err::write(self.data.join("built"), self.how_built(commands, fingerprint)?)?)
    }

    /// Whether the same package was built by these commands before, with the same compiler.
    pub fn is_built(&self, commands: &Commands, fingerprint: &str) -> Result<bool> {
        let file = self.data.join("built");
        Ok(file.is_file() && fs_err::read_to_string(file)? == self.how_built(commands, fingerprint)?)
    }

    fn how_built(&self, commands: &Commands, fingerprint: &str) -> Result<String> {
        let build = commands.build.as_deref().unwrap_or_default();
        let session = serde_json::to_string(self)?;
        Ok(format!("{session}\n{build}\n{}\n{fingerprint}\n", commands.has_network))
    }

    /// The file with the layers of the sandbox that are missing.
    fn missing_layers(&self) -> Utf8PathBuf {
        self.data.join("missing-layers")
    }

    /// Our own binary, where the user of the commands can run it.
    fn recount(&self) -> Utf8PathBuf {
        self.data.join("recount")
    }

    /// The layers of the sandbox that the last command ran without.
    pub fn missing(&self) -> Vec<String> {
        let text = fs_err::read_to_string(self.missing_layers()).unwrap_or_default();
        text.lines().map(String::from).collect()
    }
}

/// Whether addresses of programs can be fixed here; a container may forbid it.
fn can_fix_addresses() -> bool {
    static CAN: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *CAN.get_or_init(|| {
        let limits = Limits { wall: Duration::from_secs(10), cpu_seconds: 10, file_bytes: 1 << 20 };
        let args = vec!["-R".to_string(), "true".into()];
        crate::sys::run_in_scratch("setarch", args, None, Vec::new(), limits)
            .is_ok_and(|output| output.termination == Termination::Exited(0))
    })
}

pub fn in_words(termination: Termination) -> String {
    match termination {
        Termination::Exited(code) => format!("exit code {code}"),
        Termination::Signalled(signal) => format!("signal {signal}"),
        Termination::TimedOut => "out of time".into(),
        Termination::OutputCap => "too much output".into(),
    }
}
