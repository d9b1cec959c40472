//! `recount run`: runs a campaign and prints the table of clusters.

use std::fmt::Write;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use camino::{Utf8Path, Utf8PathBuf};

use super::flags::{RUNS, RunFlags};
use super::output::{Exit, Failure, bad_input, complain, print};
use super::reduce::{How, TimeLimit, is_reducible, reduce_all};
use super::report::{Conclusion, conclude};
use super::setup::{build_env, note_conditions, own_binary, profilers};
use crate::campaign::{
    Campaign, DiskPause, NewClusterLimit, Order, Plan, Selection, Summary, changed_programs,
    run as run_campaign,
};
use crate::config::Settings;
use crate::console::Console;
use crate::corpus;
use crate::inputs::with_found_inputs;
use crate::journal::{self, FindingFolder, Header, RunFolder, Writer};
use crate::model::{FORMAT, ProfilerInfo};
use crate::report::{number_of, write_examples};
use crate::sys::{CpuTime, ScratchRoot, install_interrupt, requested};
use crate::triage::Known;

pub fn run(flags: &RunFlags) -> Result<Exit, Failure> {
    let settings = flags.settings.over_file(|typed| {
        let mut typed = typed.normalised(flags.normalise);
        typed.rewrite.mutants = flags.mutants;
        typed.inputs.most = flags.inputs;
        typed.reduce.seconds = flags.reduce_for.map(|time| time.as_secs());
        typed.flags = (!flags.flags.is_empty()).then(|| flags.flags.clone());
        typed
    })?;
    let known = flags.known.read()?;
    let sources = corpus::load_with(&flags.sources, &settings).map_err(bad_input)?;
    let selection = Selection { programs: flags.programs, shard: flags.shard };
    let mut sources = selection.of(sources, settings.seed);
    let profilers = profilers(&settings)?;
    note_conditions(&profilers, &settings);
    if settings.inputs.most > 0 {
        // A file without main becomes one program per function.
        let scratch = ScratchRoot::new()?;
        let env = build_env("gcc", scratch.path().to_path_buf(), settings.limits.unconfined)?;
        sources = with_found_inputs(&env, sources, settings.inputs.most, settings.seed)?;
    }
    let infos: Vec<ProfilerInfo> = profilers.iter().map(|profiler| profiler.info().clone()).collect();
    let plan = Plan::new(&sources, &infos, settings.rewrite.mutants);
    if flags.dry_run {
        print(&plan.jobs.iter().map(|job| format!("{}\n", job.id)).collect::<String>())?;
        return Ok(Exit::NothingNew);
    }
    install_interrupt()?;
    let folder =
        RunFolder(flags.out.clone().map_or_else(|| next_folder(Utf8Path::new(RUNS)), Ok).map_err(bad_input)?);
    let header = Header {
        format: FORMAT,
        settings: settings.clone(),
        profilers: infos,
        plan: plan.fingerprint(),
        jobs: plan.jobs.len(),
        programs: plan.programs,
        shard: flags.shard.map(|shard| (shard.index, shard.of)),
    };
    let (writer, mut done) = if flags.resume && folder.journal().exists() {
        Writer::resume(&folder, &header)
    } else {
        if flags.resume {
            complain(&format!("{}: there is no run to resume in this folder; a new one begins", folder.0));
        }
        Writer::create(&folder, &header).map(|writer| (writer, Vec::new()))
    }
    .map_err(bad_input)?;
    // A failure of recount may be one of the machine.
    done.retain(|record| record.failed.is_none());
    let campaign = Campaign {
        sources: &sources,
        profilers: &profilers,
        plan: &plan,
        settings: &settings,
        binary: own_binary(),
        time: flags.time,
        // A shard does not know the results of the others, so it cannot order its jobs by them.
        order: flags.shard.map_or(Order::NewCausesFirst(settings.seed), |_| Order::Planned),
        new_cluster_limit: flags.stop_after_new.map(|most| NewClusterLimit { most, known: &known }),
    };
    let changed = changed_programs(&campaign, &done);
    if let Some(first) = changed.first() {
        let others =
            if changed.len() == 1 { String::new() } else { format!(" and {} others", changed.len() - 1) };
        let differ = if changed.len() == 1 { "differs" } else { "differ" };
        return Err(bad_input(anyhow!(
            "{first}{others} {differ} from what this run has checked; begin a new run with another --out"
        )));
    }
    let console = Console::new(flags.quiet, &known);
    let summary = run_campaign(&campaign, &writer, &done, &console)?;
    // Which clusters are new is known only when the shards are merged.
    if flags.shard.is_none() && settings.reduce.seconds > 0 && !requested() {
        reduce_new_clusters(&folder, &known, &settings, flags.quiet)?;
    }
    Ok(DiskPause::default().retry(&console, requested, || finish(&folder, &summary, &known, flags))?)
}

/// Reduce the clusters of a run that are open and not known, as long as the settings allow. What was interrupted earlier is
/// continued.
fn reduce_new_clusters(
    folder: &RunFolder,
    known: &Known,
    settings: &Settings,
    quiet: bool,
) -> Result<(), Failure> {
    let until = Instant::now() + Duration::from_secs(settings.reduce.seconds);
    let journal = journal::read(folder)?;
    let mut clusters = known.clusters(&journal.findings());
    write_examples(&journal, &mut clusters)?;
    let mut targets = Vec::new();
    for example in clusters.iter().filter(|cluster| cluster.is_news()).filter_map(|new| new.example.as_ref())
    {
        let folder = FindingFolder(folder.0.join(example));
        if folder.reduction()?.is_some_and(|reduction| reduction.is_complete) {
            continue;
        }
        let bundle = folder.read()?;
        if is_reducible(&bundle.finding) {
            targets.push((folder, bundle));
        }
    }
    let how = How { further: true, with: None, time: TimeLimit::Until(until), quiet };
    // A finding that cannot be reduced is still a finding; why was printed.
    reduce_all(&targets, settings, how).map(drop)
}

/// The folder with the first number that is higher than all others.
fn next_folder(runs: &Utf8Path) -> Result<Utf8PathBuf> {
    fs_err::create_dir_all(runs)?;
    let taken = runs.read_dir_utf8()?.flatten().filter_map(|entry| entry.file_name().parse::<u32>().ok());
    let next = taken.max().unwrap_or(0) + 1;
    Ok(runs.join(format!("{next:04}")))
}

/// Write the report and print it with the cost of the run.
fn finish(folder: &RunFolder, summary: &Summary, known: &Known, flags: &RunFlags) -> Result<Exit> {
    let Conclusion { text: report, mut exit, unchecked } = conclude(folder, known, &flags.known)?;
    // Whether the campaign checked anything is known only when its shards are merged.
    if exit == Exit::BadInput && flags.shard.is_some() {
        exit = Exit::NothingNew;
    }
    let mut out = format!("{report}\n{}\n", figures(summary));
    if summary.left > 0 {
        let left = number_of(summary.left, "job");
        writeln!(out, "{left} not done; continue with --out {} --resume.", folder.0)?;
    }
    if summary.failed > 0 {
        let failed = number_of(summary.failed, "job");
        writeln!(out, "{failed} ended by an internal failure of recount; the report lists the messages.")?;
    }
    writeln!(out, "Report: {}", folder.report())?;
    print(&out)?;
    Ok(if requested() { Exit::Interrupted } else { flags.required.exit(&unchecked, exit) })
}

/// The cost of the run, and the driver's own share of it.
fn figures(summary: &Summary) -> String {
    let Summary { wall_seconds, served, cores, cpu: CpuTime { own, children }, .. } = summary;
    let per_second = |count: usize| count as f64 / (own + children).max(1e-9);
    format!(
        "{}, {}, {} in {wall_seconds:.1} s; {served} calls by fork servers.\n\
         CPU: driver {own:.1} s, {:.2} % of its children's {children:.1} s; {} {:.1} % busy.\n\
         {:.2} variants, {:.2} profiles per CPU second.",
        number_of(summary.jobs, "job"),
        number_of(summary.variants, "variant"),
        number_of(summary.profiles, "profile"),
        100.0 * summary.overhead(),
        number_of(*cores, "core"),
        100.0 * summary.utilisation(),
        per_second(summary.variants),
        per_second(summary.profiles),
    )
}
