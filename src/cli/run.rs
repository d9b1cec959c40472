//! `recount run`: the campaign, from flags to the table of clusters.

use std::fmt::Write;

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;

use super::exit::{Exit, Failure, bad_input, ours};
use super::flags::{KnownFlags, RunFlags};
use super::inputs::workshop;
use super::print::print;
use crate::campaign::{
    Campaign, Event, EventListener, Order, Plan, Selection, Summary, full, run as run_campaign,
};
use crate::config::Settings;
use crate::console::Console;
use crate::corpus::{self, Source};
use crate::inputs::widened;
use crate::journal::{self, Header, JobRecord, RunFolder, Writer};
use crate::model::{Cluster, FORMAT, ProfilerInfo, RelationName};
use crate::report::{inconsistent, overview, plan_table, visible, write_examples};
use crate::sys::{DiskWait, ScratchRoot, install_interrupt, requested, retry_while_disk_full};
use crate::toolchain::{Probed, select};
use crate::triage::{Known, clusters};

/// Folder of the runs that have no --out.
pub(super) const RUNS: &str = "reports/runs";

pub fn run(flags: &RunFlags) -> Result<Exit, Failure> {
    let mut typed = flags.settings.file().normalised(flags.normalise);
    typed.rewrite.mutants = flags.mutants;
    typed.inputs.most = flags.inputs;
    typed.flags = (!flags.flags.is_empty()).then(|| flags.flags.clone());
    let settings = Settings::merge(flags.settings.config.as_deref(), typed).map_err(bad_input)?;
    let known = flags.known.read()?;
    let sources = corpus::load_with(&flags.sources, &settings.flags).map_err(bad_input)?;
    let selection = Selection { programs: flags.programs, shard: flags.shard };
    let mut sources = selection.of(sources, settings.seed);
    let profilers = profilers(&settings)?;
    if settings.inputs.most > 0 {
        sources = with_found_inputs(sources, &settings)?;
    }
    let infos: Vec<ProfilerInfo> = profilers.iter().map(|profiler| profiler.info().clone()).collect();
    let plan = Plan::new(&sources, &infos, settings.rewrite.mutants);
    if flags.dry_run {
        print(&plan_table(&plan)).map_err(ours)?;
        return Ok(Exit::NothingNew);
    }
    install_interrupt().map_err(ours)?;
    let folder = RunFolder(match &flags.out {
        Some(out) => out.clone(),
        None => next_folder(Utf8Path::new(RUNS)).map_err(ours)?,
    });
    let header = Header {
        format: FORMAT,
        settings: settings.clone(),
        profilers: infos,
        plan: plan.fingerprint(),
        jobs: plan.jobs.len(),
        programs: plan.programs,
        shard: flags.shard.map(|shard| (shard.index, shard.of)),
    };
    let (writer, done) = open(&folder, &header, flags.resume).map_err(bad_input)?;
    let campaign = Campaign {
        sources: &sources,
        profilers: &profilers,
        plan: &plan,
        settings: &settings,
        binary: own_binary(),
        time: flags.time,
        // Shards know nothing of each other's results.
        order: flags.shard.map_or(Order::NewCausesFirst(settings.seed), |_| Order::Planned),
        news: flags.stop_after_new.map(|most| (most, &known)),
    };
    let console = Console::new(flags.quiet, &known);
    let summary = run_campaign(&campaign, &writer, &done, &console).map_err(ours)?;
    let say = |what: DiskWait<'_>| match what {
        DiskWait::Started(error) => console.see(&Event::Paused { reason: &full(error) }),
        DiskWait::Ended => console.see(&Event::GoesOn),
    };
    let exit = retry_while_disk_full(|| conclude(&folder, &summary, &known, &flags.known), requested, say)
        .map_err(ours)?;
    // Whether anything of the campaign could be checked is known when its shards are one again.
    let is_part = exit == Exit::BadInput && flags.shard.is_some();
    Ok(if is_part { Exit::NothingNew } else { exit })
}

/// The programs with inputs that were searched for, and for files without main a program a function.
fn with_found_inputs(sources: Vec<Source>, settings: &Settings) -> Result<Vec<Source>, Failure> {
    let scratch = ScratchRoot::new().map_err(ours)?;
    let root = scratch.path().to_path_buf();
    let workshop = workshop("gcc", root, settings.limits.unconfined)?;
    workshop.prepare().map_err(ours)?;
    let widen = |(at, source)| widened(&workshop, at, source, settings.inputs.most, settings.seed);
    Ok(sources.into_par_iter().enumerate().map(widen).flatten().collect())
}

/// The chosen profilers; naming one that is not there is the user's mistake,
/// finding none at all by default is not.
pub fn profilers(settings: &Settings) -> Result<Vec<Probed>, Failure> {
    let by_default = settings.profilers == Settings::quick().profilers;
    let found = select(&settings.profilers).map_err(|error| Failure {
        error,
        exit: if by_default { Exit::NoProfiler } else { Exit::BadInput },
    })?;
    if found.is_empty() {
        let error = anyhow::anyhow!("no usable profiler; `recount profilers` says what to install");
        return Err(Failure { error, exit: Exit::NoProfiler });
    }
    let family = found[0].info().profiler;
    let is_alone = found.iter().all(|profiler| profiler.info().profiler == family);
    if settings.relations == [RelationName::Peer] && is_alone {
        return Err(bad_input(anyhow::anyhow!(
            "the relation peer compares gcov with llvm-cov, and there is {} alone; name one of the other family by --profiler",
            family.name()
        )));
    }
    Ok(found)
}

/// The kernel's link to the running binary is right even where the file was replaced.
pub fn own_binary() -> Utf8PathBuf {
    Utf8PathBuf::from("/proc/self/exe")
}

fn open(folder: &RunFolder, header: &Header, resume: bool) -> Result<(Writer, Vec<JobRecord>)> {
    if resume && folder.journal().exists() {
        return Writer::resume(folder, header);
    }
    Ok((Writer::create(folder, header)?, Vec::new()))
}

/// The first number that is no folder yet.
fn next_folder(runs: &Utf8Path) -> Result<Utf8PathBuf> {
    fs_err::create_dir_all(runs)?;
    let taken = runs.read_dir_utf8()?.flatten().filter_map(|entry| entry.file_name().parse::<u32>().ok());
    let next = taken.max().unwrap_or(0) + 1;
    Ok(runs.join(format!("{next:04}")))
}

/// Triage, write the report, print it.
fn conclude(folder: &RunFolder, summary: &Summary, known: &Known, flags: &KnownFlags) -> Result<Exit> {
    let settled = settle(folder, known, flags)?;
    let mut out = settled.text.clone();
    writeln!(out, "\n{}", figures(summary))?;
    if summary.left > 0 {
        writeln!(out, "Go on with --out {} --resume.", folder.0)?;
    }
    if summary.failed > 0 {
        writeln!(out, "{} jobs ended by a failure of recount's own; the report lists them.", summary.failed)?;
    }
    writeln!(out, "Report: {}", folder.report())?;
    print(&out)?;
    Ok(if requested() {
        Exit::Interrupted
    } else if summary.failed > 0 {
        Exit::Ours
    } else {
        settled.exit()
    })
}

/// What is derived from a journal.
pub(super) struct Settled {
    /// The report.
    pub text: String,
    clusters: Vec<Cluster>,
    /// Whether there are jobs, none of which profiled anything.
    is_vain: bool,
}

impl Settled {
    /// What a script is told.
    pub fn exit(&self) -> Exit {
        if self.clusters.iter().any(Cluster::is_news) {
            Exit::News
        } else if self.is_vain {
            Exit::BadInput
        } else {
            Exit::NothingNew
        }
    }
}

/// Derive from the journal in `folder` what is derived from it: clusters, their examples, the report.
pub(super) fn settle(folder: &RunFolder, known: &Known, flags: &KnownFlags) -> Result<Settled> {
    let journal = journal::read(folder)?;
    let findings = journal.findings();
    let mut clusters = clusters(&findings);
    known.mark(&mut clusters, &findings);
    write_examples(folder, &journal, &mut clusters)?;
    let records = &journal.records;
    let is_vain = !records.is_empty() && !records.iter().any(JobRecord::is_profiled);
    let journals = [journal];
    let text = overview(&journals, &clusters, flags.listed(known))
        + &inconsistent(std::slice::from_ref(folder), &journals)?;
    journal::write_atomically(&folder.report(), visible(&text).as_bytes())?;
    Ok(Settled { text, clusters, is_vain })
}

/// What the run cost, and how much of that was the driver's own.
fn figures(summary: &Summary) -> String {
    let cpu = summary.cpu.own + summary.cpu.children;
    let per_second = |count: usize| count as f64 / cpu.max(1e-9);
    format!(
        "{} jobs, {} variants, {} profiles in {:.1} s; {} calls by fork servers.\n\
         CPU: driver {:.1} s, {:.2} % of its children's {:.1} s; {} cores {:.1} % busy.\n\
         {:.2} variants, {:.2} profiles per CPU second.",
        summary.jobs,
        summary.variants,
        summary.profiles,
        summary.wall_seconds,
        summary.served,
        summary.cpu.own,
        100.0 * summary.overhead(),
        summary.cpu.children,
        summary.cores,
        100.0 * summary.utilisation(),
        per_second(summary.variants),
        per_second(summary.profiles),
    )
}
