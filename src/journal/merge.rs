//! Several journals of one campaign become the one that a single machine would have written.
//!
//! Shards share settings and profilers and divide the jobs. Records are written in the order of
//! their jobs, so that the result depends neither on the order of the folders nor on how many there
//! are; the hashes of the parts' plans add up to that of the whole plan, so that a merged run whose
//! jobs are not all there can be resumed.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};

use super::writer::{Writer, differing};
use super::{Entry, Header, JobRecord, Journal, RunFolder, read};

/// What a merge has put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeResult {
    /// Jobs in the new journal.
    pub jobs: usize,
    /// Planned jobs that no part has finished.
    pub missing: usize,
    /// Records left out because another part has the same job.
    pub repeated: usize,
    /// Shards that are not among the parts, as in `2/7`.
    pub absent: Vec<String>,
}

/// Put the journals in `parts`, shards of one campaign, together in the new folder `out`.
///
/// # Errors
/// Where there is a journal in `out` already, or the parts are not of one campaign.
pub fn merge(parts: &[RunFolder], out: &RunFolder) -> Result<MergeResult> {
    if out.journal().exists() {
        bail!("{} is there already; give another --out", out.journal());
    }
    let journals: Vec<Journal> = parts.iter().map(read).collect::<Result<_>>()?;
    let (first, rest) = journals.split_first().context("say which folders to merge")?;
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
            bail!("{} and {} are of two campaigns: {differ} differ", parts[0].journal(), folder.journal());
        }
    }
    let absent = absent(&journals)?;
    // A shard that was run twice, as after a lost machine, is still one part of the plan.
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
            // A failure of ours may be the machine's; what was done elsewhere counts.
            if slot.0.failed.is_some() && record.failed.is_none() {
                *slot = (record, folder);
            }
        }
    }
    let writer = Writer::create(out, &header)?;
    for (record, folder) in records.values() {
        if !record.findings.is_empty() && !out.blob(&record.source).exists() {
            super::write_atomically(&out.blob(&record.source), &fs_err::read(folder.blob(&record.source))?)?;
        }
        writer.line(&Entry::Job(Box::new((*record).clone())))?;
    }
    writer.sync()?;
    let jobs = records.len();
    Ok(MergeResult { jobs, missing: header.jobs.saturating_sub(jobs), repeated: all - jobs, absent })
}

/// The shards that are not among `journals`, where each of these says of what shard it is.
fn absent(journals: &[Journal]) -> Result<Vec<String>> {
    let shards: BTreeSet<(u32, u32)> = journals.iter().filter_map(|journal| journal.header.shard).collect();
    let Some((_, of)) = shards.first().copied() else { return Ok(Vec::new()) };
    // What was merged before is no shard, and older journals do not say what they are.
    let all_say = journals.iter().all(|journal| journal.header.shard.is_some());
    if let Some((_, other)) = shards.iter().find(|(_, other)| *other != of) {
        bail!(
            "shards of a campaign in {of} and of one in {other} do not belong together; merge those of one"
        );
    }
    let absent = (1..=of).filter(|index| all_say && !shards.contains(&(*index, of)));
    Ok(absent.map(|index| format!("{index}/{of}")).collect())
}

/// The sum of plans' hashes, each in hexadecimal.
fn sum<'a>(plans: impl Iterator<Item = &'a str>) -> Result<String> {
    let mut sum = 0u64;
    for plan in plans {
        let one = u64::from_str_radix(plan, 16).with_context(|| format!("{plan:?} is no hash of a plan"))?;
        sum = sum.wrapping_add(one);
    }
    Ok(format!("{sum:016x}"))
}
