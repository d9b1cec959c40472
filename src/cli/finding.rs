//! What a person means by a finding: a folder, a cluster of a run, or a line of a file.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, anyhow};
use camino::Utf8Path;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use super::exit::{Exit, Failure, bad_input, ours};
use super::explain::newest;
use super::flags::KnownFlags;
use super::print::complain;
use super::run::{RUNS, own_binary, profilers};
use super::setting_flags::SettingFlags;
use crate::campaign::{Plan, ProgramCache, inspect};
use crate::config::Settings;
use crate::corpus::{self, Source};
use crate::journal::{self, FindingBundle, FindingFolder, JobRecord, RunFolder};
use crate::model::{Cluster, Finding, Line, Outcome, RelationName};
use crate::report::{Example, number_of, write_examples};
use crate::sys::ScratchRoot;
use crate::toolchain::{Probed, Worker, select};
use crate::triage::clusters;

/// The folders of the findings that `name` means: a finding's folder, a run's folder (its open
/// clusters, without those that are known), or a cluster's id in the newest run.
pub fn folders(name: &Utf8Path, known: &KnownFlags) -> Result<Vec<FindingFolder>, Failure> {
    let own = FindingFolder(name.to_path_buf());
    if own.exists() {
        return Ok(vec![own]);
    }
    if is_run(name) {
        return open(&RunFolder(name.to_path_buf()), known);
    }
    if name.exists() {
        let error = anyhow!(
            "{name}: neither a finding's folder nor a run's; `recount triage` writes findings' folders"
        );
        return Err(bad_input(error));
    }
    let run = newest(Utf8Path::new(RUNS)).map_err(|failure| Failure {
        error: anyhow!(
            "{name}: no such folder, and as the id of a cluster there is no run in {RUNS} to have it"
        ),
        ..failure
    })?;
    let run = RunFolder(run);
    let found = run.example_beginning(name.as_str()).map(FindingFolder).filter(FindingFolder::exists);
    found.map(|folder| vec![folder]).ok_or_else(|| Failure {
        error: anyhow!("no finding {name:?} in {}; `recount report {}` lists the clusters", run.0, run.0),
        exit: Exit::NotThere,
    })
}

/// Whether `name` is the folder of a run.
pub fn is_run(name: &Utf8Path) -> bool {
    RunFolder(name.to_path_buf()).journal().exists()
}

/// The folders of the open clusters of a run, written if they are not there yet.
fn open(run: &RunFolder, flags: &KnownFlags) -> Result<Vec<FindingFolder>, Failure> {
    let known = flags.read()?;
    let journal = journal::read(run).map_err(bad_input)?;
    let findings = journal.findings();
    let mut all = clusters(&findings);
    known.mark(&mut all, &findings);
    write_examples(run, &journal, &mut all).map_err(ours)?;
    let open = || all.iter().filter(|cluster| cluster.verdict.is_open());
    let is_wanted = |cluster: &&Cluster| flags.show_known || cluster.known.is_none();
    match open().filter(|cluster| !is_wanted(cluster)).count() {
        0 => {}
        number => complain(&format!(
            "{}: {} left out that the list of known ones has; --show-known takes them too",
            run.0,
            number_of(number, "cluster")
        )),
    }
    let open = open().filter(is_wanted);
    let mut folders: Vec<FindingFolder> =
        open.filter_map(|cluster| Some(FindingFolder(run.0.join(cluster.example.as_ref()?)))).collect();
    // Clusters of one signature and two open verdicts share a folder, and need not stand together.
    let mut seen = BTreeSet::new();
    folders.retain(|folder| seen.insert(folder.0.clone()));
    Ok(folders)
}

/// So many open findings of a run, drawn by `seed`: each relation and compiler has its turn.
pub fn drawn(
    run: &RunFolder,
    number: usize,
    seed: u64,
) -> Result<Vec<(FindingFolder, FindingBundle)>, Failure> {
    let journal = journal::read(run).map_err(bad_input)?;
    let mut groups: BTreeMap<(RelationName, String), Vec<(&JobRecord, &Finding)>> = BTreeMap::new();
    for record in journal.sorted() {
        for finding in record.findings.iter().filter(|finding| finding.verdict.is_open()) {
            let group = groups.entry((finding.relation, finding.compiler.clone())).or_default();
            group.push((record, finding));
        }
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for group in groups.values_mut() {
        group.shuffle(&mut rng);
    }
    let mut found = Vec::new();
    while found.len() < number && groups.values().any(|group| !group.is_empty()) {
        for (record, finding) in groups.values_mut().filter_map(Vec::pop) {
            let source = fs_err::read_to_string(run.blob(&record.source)).map_err(bad_input)?;
            let folder = FindingFolder(run.0.join("drawn").join(format!("{:03}", found.len())));
            found.push((folder, Example { source, record, finding }.bundle()));
        }
    }
    found.truncate(number);
    Ok(found)
}

/// The one program that `file` is, by its inputs: a line is one of a file.
pub fn program(file: &Utf8Path, settings: &Settings) -> Result<Vec<Source>, Failure> {
    if file.is_dir() {
        return Err(bad_input(anyhow!("{file}: a folder; a line is one of a file, so name one .c file")));
    }
    corpus::load_with(&[file.to_path_buf()], &settings.flags).map_err(bad_input)
}

/// The findings on `line` of `file` under each of `profilers`, those that are open first.
pub fn on_line(
    file: &Utf8Path,
    line: Line,
    profilers: &[Probed],
    settings: &Settings,
) -> Result<Vec<FindingBundle>, Failure> {
    let settings = &settings.clone().keeping_lines();
    let sources = program(file, settings)?;
    let infos: Vec<_> = profilers.iter().map(|profiler| profiler.info().clone()).collect();
    let plan = Plan::new(&sources, &infos, 0);
    let memory = ProgramCache::new(profilers, &plan.jobs);
    let (scratch, mut workers) = new_workers(1, settings)?;
    let mut worker = workers.remove(0);
    let mut found = Vec::new();
    let mut outcomes: Vec<Outcome> = Vec::new();
    for job in &plan.jobs {
        let source = &sources[job.source];
        let profiler = &*profilers[job.profiler];
        let inspected = inspect(job, source, profiler, &mut worker, &memory, settings).map_err(ours)?;
        let record = &inspected.record;
        let here: Option<&Finding> = record
            .findings
            .iter()
            // The lines of a program that a relation made are not the file's.
            .filter(|finding| finding.line == Some(line) && finding.rewriting.is_none())
            .min_by_key(|finding| (!finding.verdict.is_open(), finding.culprit.is_some()));
        found.extend(
            here.map(|finding| Example { source: inspected.source.clone(), record, finding }.bundle()),
        );
        outcomes.push(record.outcome.clone());
    }
    worker.finish();
    drop(scratch);
    if let Some(first) = outcomes.first().filter(|_| !outcomes.contains(&Outcome::Profiled)) {
        return Err(bad_input(anyhow!("{file}: {}", first.told(file.as_str()))));
    }
    found.sort_by_key(|bundle| !bundle.finding.verdict.is_open());
    Ok(found)
}

/// The profilers that `typed` names, else every one that is here.
pub fn named_or_all(typed: &SettingFlags, settings: &Settings) -> Result<Vec<Probed>, Failure> {
    if typed.profilers.is_empty() {
        return select(&["all".to_string()]).map_err(|error| Failure { error, exit: Exit::NoProfiler });
    }
    profilers(settings)
}

/// So many workers in a scratch folder of their own.
pub fn new_workers(number: usize, settings: &Settings) -> Result<(ScratchRoot, Vec<Worker>), Failure> {
    let scratch = ScratchRoot::new().map_err(ours)?;
    let root = scratch.path().to_path_buf();
    let worker = |worker_index| {
        Worker::new(root.join(format!("w{worker_index}")), own_binary(), settings.limits.clone())
    };
    Ok((scratch, (0..number).map(worker).collect()))
}

/// The profiler that `finding` was seen with.
pub fn profiler(finding: &Finding) -> Result<Probed, Failure> {
    let found = select(std::slice::from_ref(&finding.compiler))
        .and_then(|mut found| found.pop().context("it is not here"));
    found.map_err(|error| Failure {
        error: error.context(format!(
            "the finding is one of {} ({}), which cannot be asked any more",
            finding.compiler, finding.version
        )),
        exit: Exit::NoProfiler,
    })
}
