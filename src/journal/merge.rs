//! Merges the journals of shards into the journal that a single machine would have written.
//!
//! Shards share settings and profilers and divide the jobs. Records are sorted by job, so the result depends neither on
//! the order nor on the number of the folders. The hashes of the shards' plans add up to that of the whole plan, so a
//! merged run with missing jobs can be resumed.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};

use super::atomic::write_atomically;
use super::read::{Journal, read};
use super::record::{Entry, Header, JobRecord};
use super::run_folder::RunFolder;
use super::writer::{Writer, differing};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeResult {
    pub jobs: usize,
    /// Planned jobs that are not finished in any part.
    pub missing: usize,
    /// Records left out because another part contains the same job.
    pub repeated: usize,
    /// Missing shards, as in `2/7`.
    pub absent: Vec<String>,
}

/// Merge the journals in `parts`, shards of one campaign, into the new folder `out`.
///
/// # Errors
/// If `out` contains a journal, or the parts belong to different campaigns.
pub fn merge(parts: &[RunFolder], out: &RunFolder) -> Result<MergeResult> {
    if out.journal().exists() {
        bail!("{} exists already; give another --out", out.journal());
    }
    let journals: Vec<Journal> = parts.iter().map(read).collect::<Result<_>>()?;
    let (first, rest) = journals.split_first().context("name the folders to merge")?;
    for (journal, folder) in rest.iter().zip(&parts[1..]) {
        let asked = |header: &Header| Header {
            plan: String::new(),
            jobs: 0,
            programs: 0,
            shard: None,
            ..header.clone()
        };
        if asked(&journal.header) != asked(&first.header) {
            let differ = differing(&asked(&first.header), &asked(&journal.header));
            bail!(
                "{} and {} belong to different campaigns: {differ} differ",
                parts[0].journal(),
                folder.journal()
            );
        }
    }
    let absent = absent(&journals)?;
    // A shard that ran twice, for example after a machine failed, is still one part of the plan.
    let plans: BTreeMap<&str, &Header> =
        journals.iter().map(|journal| (journal.header.plan.as_str(), &journal.header)).collect();
    let header = Header {
        plan: sum(plans.keys().copied())?,
        jobs: plans.values().map(|header| header.jobs).sum(),
        programs: plans.values().map(|header| header.programs).sum(),
        shard: None,
        ..first.header.clone()
    };
    let all: usize = journals.iter().map(|journal| journal.records.len()).sum();
    let mut records: BTreeMap<&str, (&JobRecord, &RunFolder)> = BTreeMap::new();
    for (journal, folder) in journals.iter().zip(parts) {
        for record in &journal.records {
            let slot = records.entry(&record.job).or_insert((record, folder));
            // An error of recount may be due to the machine; a result from another machine is preferred.
            if slot.0.failed.is_some() && record.failed.is_none() {
                *slot = (record, folder);
            }
        }
    }
    let writer = Writer::create(out, &header)?;
    for (record, folder) in records.values() {
        for source in record.sources().into_iter().filter(|source| !out.blob(source).exists()) {
            write_atomically(&out.blob(source), &fs_err::read(folder.blob(source))?)?;
        }
        writer.line(&Entry::Job(Box::new((*record).clone())))?;
    }
    writer.sync()?;
    let jobs = records.len();
    Ok(MergeResult { jobs, missing: header.jobs.saturating_sub(jobs), repeated: all - jobs, absent })
}

/// The shards that are not among `journals`, if each of these is a shard.
fn absent(journals: &[Journal]) -> Result<Vec<String>> {
    let shards: BTreeSet<(u32, u32)> = journals.iter().filter_map(|journal| journal.header.shard).collect();
    let Some((_, of)) = shards.first().copied() else { return Ok(Vec::new()) };
    // The result of a merge is not a shard.
    let all_are_shards = journals.iter().all(|journal| journal.header.shard.is_some());
    if let Some((_, other)) = shards.iter().find(|(_, other)| *other != of) {
        bail!("some folders are shards n/{of}, others n/{other}; merge shards of one campaign");
    }
    let absent = (1..=of).filter(|index| all_are_shards && !shards.contains(&(*index, of)));
    Ok(absent.map(|index| format!("{index}/{of}")).collect())
}

/// The sum of the hashes of plans, each in hexadecimal.
fn sum<'a>(plans: impl Iterator<Item = &'a str>) -> Result<String> {
    let mut sum = 0u64;
    for plan in plans {
        let one =
            u64::from_str_radix(plan, 16).with_context(|| format!("{plan:?} is not the hash of a plan"))?;
        sum = sum.wrapping_add(one);
    }
    Ok(format!("{sum:016x}"))
}
