//! The whole audit with one profiler: copy, build, test, judge.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};

use super::agreement::differing_output;
use super::build::{Commands, in_words};
use super::judge::judge;
use super::link::Link;
use super::result::{Audit, Cost, FORMAT};
use super::session::{Mode, Session};
use super::test_run::{TestRun, Tested, phases};
use super::tree::{copy, fingerprint, has_threads, make_work_folder};
use super::unit::text_hash;
use crate::sys::own_and_children;
use crate::toolchain::{Profiler, Worker};

/// How often the tests are run in each build: what differs is unchecked.
pub const RUNS: u32 = 2;

/// What is audited, and where it happens.
#[derive(Clone, Debug)]
pub struct Package<'a> {
    /// The folder of the package.
    pub root: &'a Utf8Path,
    pub commands: &'a Commands,
    /// The folder for copies and everything that is recorded; new.
    pub work: &'a Utf8Path,
    /// A folder that no copy has.
    pub left_out: &'a Utf8Path,
    /// Our own binary.
    pub recount: &'a Utf8Path,
    /// Whether what an earlier audit built and tested with the same commands is used again.
    pub is_resumed: bool,
}

/// A step of an audit, to be shown.
#[derive(Clone, Debug)]
pub struct Progress {
    pub compiler: String,
    pub what: String,
    /// About how long the audit takes from now on, by the steps so far; none before the first of each kind ended.
    pub left: Option<Duration>,
}

/// How long the steps of an audit take.
#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    build: Option<Duration>,
    test: Option<Duration>,
}

impl Pace {
    /// The time for the steps after `builds` builds and `tests` runs of the tests. A build with counters takes about twice as long
    /// as one with coverage, and so do proofs and comparisons.
    fn left(self, builds: u32, tests: u32) -> Option<Duration> {
        let modes = u32::try_from(Mode::ALL.len()).expect("two");
        let work = self.build.unwrap_or(self.test?) * 2;
        let builds = self.build.map_or(Duration::ZERO, |build| build * 2 * modes.saturating_sub(builds));
        Some(builds + self.test? * (modes * RUNS).saturating_sub(tests) + work)
    }
}

/// Audit the package with `profiler`.
///
/// # Errors
/// The package cannot be built, its tests do not end, or the machine fails.
pub fn audit(
    package: &Package<'_>,
    profiler: &dyn Profiler,
    workers: Vec<Worker>,
    progress: &dyn Fn(Progress),
) -> Result<Audit> {
    let info = profiler.info();
    let tell = |what: String, left| progress(Progress { compiler: info.compiler.clone(), what, left });
    let begin = cpu();
    make_work_folder(package.work)?;
    let (mut tested, mut plain) = (Vec::new(), 0.0);
    let (mut pace, mut builds, mut tests) = (Pace::default(), 0, 0);
    for mode in Mode::ALL {
        let before = cpu();
        let mut runs: Tested = Vec::new();
        for number in 1..=RUNS {
            // Without a build of its own, each run of the tests has a new copy of the package.
            let is_new = number == 1 || package.commands.build.is_none();
            let session = match runs.last() {
                Some(last) if !is_new => last.session.clone(),
                _ => {
                    let began = Instant::now();
                    let with_coverage = tested.first().and_then(|runs: &Tested| runs.first());
                    let linked = with_coverage.map_or_else(|| Ok(BTreeSet::new()), TestRun::linked)?;
                    let session = prepared(package, profiler, mode, number, linked, &|what| {
                        tell(what, pace.left(builds, tests));
                    })?;
                    if package.commands.build.is_some() {
                        builds += 1;
                        pace.build.get_or_insert(began.elapsed());
                    }
                    session
                }
            };
            // What depends on addresses differs in the last run, so that it is not compared between two builds.
            let is_fixed = number < RUNS;
            let number_in_session = if is_new { 1 } else { number };
            let earlier = session.tested(package.commands, number_in_session)?.filter(|_| package.is_resumed);
            runs.push(if let Some(run) = earlier {
                run
            } else {
                tell(
                    format!("testing with {}, run {number} of {RUNS}", mode.name()),
                    pace.left(builds, tests),
                );
                let began = Instant::now();
                let run = session.test(package.commands, number_in_session, is_fixed)?;
                session.set_tested(package.commands, &run)?;
                pace.test.get_or_insert(began.elapsed());
                run
            });
            tests += 1;
            if mode == Mode::Coverage && number == 1 {
                plain = cpu() - before;
            }
        }
        tested.push(runs);
    }
    let [coverage, counters] = <[Tested; 2]>::try_from(tested).map_err(|_| anyhow::anyhow!("two builds"))?;
    tell("proving and comparing".into(), pace.left(builds, tests));
    let mut judged = judge(profiler, workers, &coverage, &counters)?;
    for layer in coverage[0].session.missing() {
        judged.units.notes.push(format!("the commands ran without a layer of the sandbox: {layer}"));
    }
    let ends: Vec<String> = coverage.iter().chain(&counters).map(|run| in_words(run.termination)).collect();
    if ends.iter().any(|end| *end != ends[0]) {
        judged.units.notes.push(format!("the tests ended differently: {}", ends.join(", ")));
    }
    judged.units.notes.extend(differing_output(&coverage, &counters)?);
    for object in built_before(package, &coverage[0].session)? {
        judged.units.all += 1;
        judged.units.unchecked.insert(object, BUILT_BEFORE.into());
    }
    Ok(Audit {
        format: FORMAT,
        package: package.root.file_name().unwrap_or("package").into(),
        profiler: info.clone(),
        build: package.commands.build.clone().unwrap_or_default(),
        test: package.commands.test.clone(),
        limit: package.commands.limit.as_secs(),
        has_network: package.commands.has_network,
        tests: ends[0].clone(),
        files: judged.files,
        units: judged.units,
        findings: judged.findings,
        merged: judged.merged,
        cost: Cost { plain, all: cpu() - begin },
    })
}

/// A copy of the package that is built.
fn prepared(
    package: &Package<'_>,
    profiler: &dyn Profiler,
    mode: Mode,
    number: u32,
    linked: BTreeSet<String>,
    tell: &dyn Fn(String),
) -> Result<Session> {
    let turn = if number == 1 { String::new() } else { format!("-{number}") };
    let session = Session {
        mode,
        family: profiler.info().profiler,
        compiler: profiler.compiler().context("the profiler has no compiler")?.to_path_buf(),
        tree: package.work.join(format!("{}{turn}", mode.name())),
        data: package.work.join(format!("{}{turn}-data", mode.name())),
        has_threads: has_threads(package.root)?,
        linked,
    };
    // Another version of recount has other counters.
    let recount = text_hash(package.recount)?;
    let fingerprint =
        format!("{} {recount} {}", fingerprint(package.root, package.left_out)?, profiler.info().version);
    // Without a build of its own, a copy in which the tests were stopped is half built.
    let is_complete = || {
        Ok::<_, anyhow::Error>(
            package.commands.build.is_some() || session.tested(package.commands, 1)?.is_some(),
        )
    };
    if package.is_resumed && session.is_built(package.commands, &fingerprint)? && is_complete()? {
        return Ok(session);
    }
    for folder in [&session.tree, &session.data].into_iter().filter(|folder| folder.exists()) {
        fs_err::remove_dir_all(folder)?;
    }
    copy(package.root, &session.tree, package.left_out)?;
    session.write()?;
    session.write_tools(package.recount)?;
    if package.commands.build.is_some() {
        tell(format!("building with {}", mode.name()));
    }
    session.build(package.commands)?;
    session.set_built(package.commands, &fingerprint)?;
    Ok(session)
}

/// Why the code in an object has no counts.
const BUILT_BEFORE: &str = "it was built before the audit; clean the package first, as with `make clean`";

/// The objects and libraries that the programs of `session` were linked with as they were in the package: their code has no counts.
fn built_before(package: &Package<'_>, session: &Session) -> Result<BTreeSet<String>> {
    let modified = |file: &Utf8Path| file.metadata().and_then(|found| found.modified()).ok();
    let mut found = BTreeSet::new();
    for phase in phases(RUNS) {
        for (_, folder) in session.links_of(&phase)? {
            for input in Link::read(&folder)?.inputs {
                let Ok(name) = input.strip_prefix(&session.tree) else { continue };
                let before = modified(&package.root.join(name));
                if before.is_some() && before == modified(&input) {
                    found.insert(name.to_string());
                }
            }
        }
    }
    Ok(found)
}

/// CPU seconds of this process and its children.
fn cpu() -> f64 {
    let spent = own_and_children("self");
    spent.own + spent.children
}

/// The folder of a package's audit with one compiler.
pub fn work_folder(out: &Utf8Path, compiler: &str) -> Utf8PathBuf {
    out.join("work").join(compiler)
}
