//! `recount reduce`: the smallest program that shows a finding, and the nearest that is counted right.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Result, anyhow};
use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;

use super::exit::{Exit, Failure, bad_input, ours};
use super::finding::{drawn, folders, is_run, new_workers, on_line, profiler};
use super::flags::{ReduceFlags, With};
use super::run::{own_binary, profilers};
use crate::config::Settings;
use crate::console::Spinner;
use crate::journal::{FindingBundle, FindingFolder, Reduction, RunFolder};
use crate::model::{Finding, Line};
use crate::reduce::{By, Hunt, Reducer, Unreduced, as_found, reduce as reduce_one};
use crate::report::{Sheet, Side, sheet, write};
use crate::sys::{install_interrupt, lock, requested};
use crate::toolchain::{ToolRunners, Worker};

/// Where the findings of files go that are not part of a run.
const REDUCED: &str = "reports/runs/reduced";

pub fn reduce(flags: &ReduceFlags) -> Result<Exit, Failure> {
    let settings =
        Settings::merge(flags.settings.config.as_deref(), flags.settings.file()).map_err(bad_input)?;
    install_interrupt().map_err(ours)?;
    let targets = targets(flags, &settings)?;
    let jobs = settings.jobs.max(1);
    // Many findings keep the cores busy by themselves; one is tried ahead by all workers.
    let (side_by_side, each) = if targets.len() > 1 { (jobs.min(targets.len()), 1) } else { (1, jobs) };
    let (scratch, all) = new_workers(side_by_side * each, &settings)?;
    let root = scratch.path();
    // A compiler that is no longer installed is reported where its finding is reduced.
    let first = targets.first().and_then(|(_, bundle)| profiler(&bundle.finding).ok());
    let compilers = first.iter().filter_map(|profiler| profiler.compiler());
    let evidence = targets.first().map_or(root, |(folder, _)| &*folder.0);
    let runners = ToolRunners::new(&settings, root, evidence, compilers).map_err(ours)?;
    let mut all = all.into_iter().map(|worker| worker.with_runners(&runners));
    let groups: Vec<Vec<Worker>> = (0..side_by_side).map(|_| all.by_ref().take(each).collect()).collect();
    let next = AtomicUsize::new(0);
    let worst = Mutex::new(Exit::NothingNew);
    let spinner = Spinner::new(flags.quiet);
    let work = Work {
        further: flags.further,
        side_by_side,
        settings: &settings,
        spinner: &spinner,
        total: targets.len(),
        with: flags.with,
        root,
    };
    let one_after_the_other = |mut workers: Vec<Worker>| {
        while let Some((folder, bundle)) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
            if requested() {
                break;
            }
            let exit = work.one(folder, bundle, &mut workers).unwrap_or_else(|failure| {
                spinner.complain(&format!("recount: {}: {:#}\n", folder.0, failure.error));
                failure.exit
            });
            let mut worst = lock(&worst);
            *worst = (*worst).max(exit);
        }
        for worker in &mut workers {
            worker.finish();
        }
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(side_by_side).build().map_err(ours)?;
    pool.install(|| groups.into_par_iter().for_each(one_after_the_other));
    if let Some(reason) = runners.take_message() {
        spinner.complain(&format!("recount: {reason}\n"));
    }
    let worst = *lock(&worst);
    Ok(if requested() { Exit::Interrupted } else { worst })
}

/// What is to be reduced, and where it goes.
fn targets(flags: &ReduceFlags, settings: &Settings) -> Result<Vec<(FindingFolder, FindingBundle)>, Failure> {
    if let Some(line) = flags.line {
        let [file] = flags.findings.as_slice() else {
            return Err(bad_input(anyhow!("--line means a line of one file; name one .c file")));
        };
        return on_file(file, line, flags, settings);
    }
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    for name in &flags.findings {
        if name.extension() == Some("c") {
            return Err(bad_input(anyhow!("{name}: say with --line which line of it is counted wrong")));
        }
        if let Some(number) = flags.draw {
            found.extend(drawn(&RunFolder(name.clone()), number, settings.seed)?);
            continue;
        }
        for folder in folders(name, &flags.known)? {
            // A cluster of several runs is one finding.
            if is_run(name) && !seen.insert(folder.0.file_name().unwrap_or_default().to_string()) {
                continue;
            }
            if flags.again || flags.further || !folder.is_reduced() {
                let bundle = folder.read().map_err(bad_input)?;
                let out = flags.out.clone().map_or(folder, FindingFolder);
                found.push((out, bundle));
            }
        }
    }
    if flags.out.is_some() && found.len() > 1 {
        return Err(bad_input(anyhow!("--out is the folder of one finding, and these are {}", found.len())));
    }
    Ok(found)
}

fn on_file(
    file: &Utf8Path,
    line: Line,
    flags: &ReduceFlags,
    settings: &Settings,
) -> Result<Vec<(FindingFolder, FindingBundle)>, Failure> {
    let found = on_line(file, line, &profilers(settings)?, settings)?;
    if found.is_empty() {
        let error =
            anyhow!("{file}:{line}: no finding on this line; `recount check {file}` lists what there is");
        return Err(Failure { error, exit: Exit::NotThere });
    }
    if let Some(out) = &flags.out {
        // One folder holds one finding.
        return Ok(found.into_iter().take(1).map(|bundle| (FindingFolder(out.clone()), bundle)).collect());
    }
    let mut placed: Vec<(FindingFolder, FindingBundle)> = Vec::new();
    for bundle in found {
        let folder = own_folder(file, line, &bundle.finding, &placed);
        placed.push((folder, bundle));
    }
    Ok(placed)
}

/// The folder for `finding` on `line` of `file`, which holds no other: it may have been reduced there before.
fn own_folder(
    file: &Utf8Path,
    line: Line,
    finding: &Finding,
    placed: &[(FindingFolder, FindingBundle)],
) -> FindingFolder {
    let name = format!("{REDUCED}/{}-{line}-{}", file.file_stem().unwrap_or("program"), finding.compiler);
    let is_same = |other: &Finding| {
        (&other.file, &other.input, &other.signature) == (&finding.file, &finding.input, &finding.signature)
    };
    let is_free = |folder: &FindingFolder| {
        let is_taken = placed.iter().any(|(other, _)| other.0 == folder.0);
        !is_taken && (!folder.exists() || folder.read().is_ok_and(|there| is_same(&as_found(&there).finding)))
    };
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.clone()).chain(numbered).map(|name| FindingFolder(name.into()));
    names.find(is_free).expect("numbers do not end")
}

struct Work<'a> {
    further: bool,
    side_by_side: usize,
    settings: &'a Settings,
    spinner: &'a Spinner,
    total: usize,
    with: Option<With>,
    root: &'a Utf8Path,
}

impl Work<'_> {
    fn one(
        &self,
        folder: &FindingFolder,
        bundle: &FindingBundle,
        workers: &mut Vec<Worker>,
    ) -> Result<Exit, Failure> {
        let finding = &bundle.finding;
        if finding.rewriting.is_some() && finding.line.is_none() {
            return Err(bad_input(anyhow!(
                "nothing is counted wrong here: program.c and variant.c do different things; a reducer for programs that \
                 compilers get wrong makes them smaller"
            )));
        }
        let profiler = profiler(finding)?;
        // As it was found: what was reduced before can be reduced again.
        let from = if self.further { bundle.clone() } else { as_found(bundle) };
        let Some(replay) = &from.replay else {
            let error =
                anyhow!("an older recount did not write down how to run it; find it again by `recount run`");
            return Err(bad_input(error));
        };
        let jobs = workers.len();
        let mut hunt = Hunt::new(&profiler, self.settings, &from.finding, replay, std::mem::take(workers));
        let observe = |progress| self.spinner.see(&folder.0, progress);
        let desk = tempfile::Builder::new().prefix("by-").tempdir_in(self.root).map_err(ours)?;
        let desk = Utf8Path::from_path(desk.path()).expect("what is below a UTF-8 path is one");
        let binary = std::env::current_exe().ok().and_then(|path| Utf8PathBuf::try_from(path).ok());
        let binary = binary.unwrap_or_else(own_binary);
        let by = match self.with {
            None => By::Engine,
            Some(With::Cvise) => By::Other(Reducer::Cvise, desk, &binary),
            Some(With::Treereduce) => By::Other(Reducer::Treereduce, desk, &binary),
        };
        let reduced = reduce_one(&mut hunt, &from, jobs, by, &observe);
        *workers = hunt.into_workers();
        match reduced.map_err(ours)? {
            Ok(mut reduced) => {
                if let Some(reduction) = reduced.reduction.as_mut().filter(|_| self.side_by_side > 1) {
                    reduction.cpu_seconds = None;
                }
                write(folder, &reduced).map_err(ours)?;
                self.spinner.say(&told(folder, &reduced, self.total == 1));
                Ok(Exit::NothingNew)
            }
            Err(Unreduced::Gone) => {
                let what = format!(
                    "{}: {} does not show it any more: {}\n",
                    folder.0, finding.compiler, finding.signature
                );
                self.spinner.say(&what);
                Ok(Exit::NotThere)
            }
            Err(Unreduced::Unconfirmed(text, reduction)) => {
                self.spinner.say(&format!(
                    "{}It does not stand up to a second look, so the finding stays as it was:\n{text}",
                    figures(folder, &reduction),
                ));
                Ok(Exit::NotThere)
            }
        }
    }
}

/// One line on a reduction; for a single one the program with its counts too.
fn told(folder: &FindingFolder, bundle: &FindingBundle, whole: bool) -> String {
    let Some(reduction) = &bundle.reduction else { return String::new() };
    let mut out = figures(folder, reduction);
    if whole {
        out.push('\n');
        out.push_str(&beside(bundle));
        let contrast = match &reduction.contrast {
            Ok(edit) => format!("\nCounted right when {edit}: contrast.c\n"),
            Err(why) => format!("\nNo contrast: {why}.\n"),
        };
        let _ = write!(out, "{contrast}");
    }
    out
}

/// What a reduction came to and what it cost, in a line.
fn figures(folder: &FindingFolder, reduction: &Reduction) -> String {
    format!(
        "{}: {} lines -> {}, {} bytes -> {}; {} programs tried in {:.1} s{}\n",
        folder.0,
        reduction.lines_before,
        reduction.lines_after,
        reduction.bytes_before,
        reduction.bytes_after,
        reduction.tests,
        reduction.wall_seconds,
        reduction.cpu_seconds.map_or_else(String::new, |cpu| format!(", {cpu:.1} s of CPU")),
    )
}

/// The program of `bundle` beside its variant, with counts.
pub fn beside(bundle: &FindingBundle) -> String {
    let counts = &bundle.counts;
    let truth: Vec<String> = counts
        .truth
        .iter()
        .map(|right| right.iter().map(u64::to_string).collect::<Vec<_>>().join("|"))
        .collect();
    let marked: BTreeSet<Line> = bundle.finding.line.into_iter().collect();
    let variant = bundle.variant.as_deref().map(|source| Side { source, counts: &counts.variant });
    let p = Side { source: &bundle.program, counts: &counts.program };
    sheet(&Sheet { p, truth: &truth, variant, marked: &marked }, usize::MAX, 120)
}
