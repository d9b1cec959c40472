//! The findings that `recount reduce` reduces, and the folder for each result.

use std::collections::BTreeMap;

use anyhow::anyhow;
use camino::Utf8Path;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use super::output::{Failure, bad_input, not_there, print};
use super::reduce_audit::program_of;
use super::reduce_flags::ReduceFlags;
use super::runs::finding_folders;
use super::setup::{new_worker, profilers, require_line};
use super::values::LinePlace;
use crate::campaign::Batch;
use crate::config::Settings;
use crate::corpus::load_programs;
use crate::journal::{self, FindingBundle, FindingFolder, JobRecord, RunFolder};
use crate::model::{Finding, Line, Outcome, RelationName};
use crate::reduce::before_reduction;
use crate::report::Example;

/// Where reduced findings go that are not part of a run.
const REDUCED: &str = "reports/runs/reduced";

/// A finding, and the folder that its reduction is written to.
pub type Target = (FindingFolder, FindingBundle);

pub fn targets(flags: &ReduceFlags, settings: &Settings) -> Result<Vec<Target>, Failure> {
    if let Some(place) = &flags.line {
        let [file] = flags.findings.as_slice() else {
            return Err(bad_input(anyhow!("--line needs exactly one .c file, or one result of an audit")));
        };
        if file.extension() == Some("json") {
            return Ok(vec![of_audit(file, place, flags, settings)?]);
        }
        let line = place.line;
        let mut placed: Vec<Target> = Vec::new();
        for bundle in findings_on(file, line, settings)? {
            if let Some(out) = &flags.out {
                // A folder holds one finding.
                return Ok(vec![(FindingFolder(out.clone()), bundle)]);
            }
            placed.push((free_folder(file, line, &bundle.finding, &placed), bundle));
        }
        return Ok(placed);
    }
    if let Some(file) = flags.findings.iter().find(|name| name.extension() == Some("c")) {
        return Err(bad_input(anyhow!("{file}: add --line N, the line whose count is wrong")));
    }
    let mut found = Vec::new();
    if let Some(number) = flags.draw {
        for run in &flags.findings {
            found.extend(drawn(&RunFolder(run.clone()), number, settings.seed)?);
        }
        // A draw that was interrupted continues.
        let is_done = |(folder, bundle): &Target| {
            folder.is_reduced()
                && folder.read().is_ok_and(|there| before_reduction(&there).finding == bundle.finding)
        };
        found.retain(|target| flags.again || !is_done(target));
        return Ok(found);
    }
    let mut reduced = 0;
    for folder in finding_folders(&flags.findings, &flags.runs, &flags.known)? {
        let target = flags.out.clone().map_or_else(|| folder.clone(), FindingFolder);
        if flags.again || flags.further || !target.is_reduced() {
            found.push((target, folder.read().map_err(bad_input)?));
        } else {
            reduced += 1;
        }
    }
    if found.is_empty() && reduced > 0 {
        let what = if reduced == 1 { "The finding is".into() } else { format!("All {reduced} findings are") };
        print(&format!(
            "{what} reduced already. --further reduces the result further, --again the program as it was found.\n"
        ))?;
    }
    if flags.out.is_some() && found.len() > 1 {
        return Err(bad_input(anyhow!(
            "--out is the folder of one finding, but {} findings are named; leave out --out or name one finding",
            found.len()
        )));
    }
    Ok(found)
}

/// `number` open findings of a run, drawn by `seed`, in turn from each pair of relation and compiler.
fn drawn(run: &RunFolder, number: usize, seed: u64) -> Result<Vec<Target>, Failure> {
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
            let folder = FindingFolder(run.0.join("drawn").join(format!("{:03}", found.len())));
            let example = Example::read(run, record, finding).map_err(bad_input)?;
            found.push((folder, example.bundle()));
        }
    }
    found.truncate(number);
    Ok(found)
}

/// The finding at `place` in the audit `result`, in a program of one file.
fn of_audit(
    result: &Utf8Path,
    place: &LinePlace,
    flags: &ReduceFlags,
    settings: &Settings,
) -> Result<Target, Failure> {
    let found = program_of(result, place, flags, settings)?;
    let audited = &found.finding;
    // Ground truth decides in a package, too.
    let settings = Settings {
        profilers: vec![audited.compiler.clone()],
        relations: vec![RelationName::Truth],
        ..settings.clone()
    };
    for line in found.lines {
        let Ok(bundles) = findings_on(&found.file, line, &settings) else { continue };
        let is_same = |bundle: &FindingBundle| {
            bundle.finding.signature == audited.signature && bundle.finding.metric == audited.metric
        };
        if let Some(bundle) = bundles.into_iter().find(is_same) {
            let file = Utf8Path::new(&audited.file);
            let folder = match &flags.out {
                Some(out) => FindingFolder(out.clone()),
                None => free_folder(file, place.line, &bundle.finding, &[]),
            };
            return Ok((folder, bundle));
        }
    }
    Err(not_there(anyhow!("{}: the finding is not confirmed in this program", found.file)))
}

/// The finding on `line` of `file` under each profiler, open ones first; at least one.
fn findings_on(file: &Utf8Path, line: Line, settings: &Settings) -> Result<Vec<FindingBundle>, Failure> {
    let profilers = profilers(settings)?;
    let settings = &settings.clone().keeping_lines();
    let sources = load_programs(file, settings).map_err(bad_input)?;
    require_line(&sources[0], file, line)?;
    let (batch, jobs) = Batch::new(&sources, &profilers, settings);
    let (_scratch, mut worker) = new_worker(settings)?;
    let mut found = Vec::new();
    let mut failures: Vec<String> = Vec::new();
    for job in &jobs {
        let inspected = batch.inspect(job, &mut worker)?;
        let record = &inspected.record;
        let all = record.findings.iter().flat_map(Finding::each_symptom);
        let here = all
            // A finding in a rewritten program has a line of that program, and one in an included file a line of that file.
            .filter(|finding| {
                finding.line == Some(line) && finding.rewriting.is_none() && !finding.is_included
            })
            .min_by_key(|finding| (!finding.verdict.is_open(), finding.culprit.is_some()));
        found.extend(here.map(|finding| {
            Example { source: inspected.source.clone(), included: None, record, finding: &finding }.bundle()
        }));
        if record.outcome != Outcome::Profiled {
            failures.push(record.outcome.in_words(file.as_str()));
        }
    }
    match failures.first() {
        Some(first) if failures.len() == jobs.len() => Err(bad_input(anyhow!("{file}: {first}"))),
        _ if found.is_empty() => Err(not_there(anyhow!(
            "{file}:{line}: no finding on this line; `recount check {file}` lists all findings"
        ))),
        _ => {
            found.sort_by_key(|bundle| !bundle.finding.verdict.is_open());
            Ok(found)
        }
    }
}

/// The first folder for `finding` on `line` of `file` that holds no other finding; the same one may have been reduced
/// there before.
fn free_folder(file: &Utf8Path, line: Line, finding: &Finding, placed: &[Target]) -> FindingFolder {
    let name = format!("{REDUCED}/{}-{line}-{}", file.file_stem().unwrap_or("program"), finding.compiler);
    let is_same = |other: &Finding| {
        (&other.file, &other.input, &other.signature) == (&finding.file, &finding.input, &finding.signature)
    };
    let is_free = |folder: &FindingFolder| {
        let is_taken = placed.iter().any(|(other, _)| other.0 == folder.0);
        !is_taken
            && (!folder.exists()
                || folder.read().is_ok_and(|there| is_same(&before_reduction(&there).finding)))
    };
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.clone()).chain(numbered).map(|name| FindingFolder(name.into()));
    names.find(is_free).expect("the numbers are infinite")
}
