//! `recount versions`: which versions of a profiler show a finding.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Mutex;

use anyhow::anyhow;

use super::output::{Exit, Failure, bad_input, no_profiler, print};
use super::reduce_flags::VersionsFlags;
use super::runs::{finding_folders, refuse_included, replay_of};
use super::setup::{new_worker, profilers_or_all};
use crate::journal::{FindingBundle, FindingFolder, Standing, VersionResult};
use crate::model::Family;
use crate::reduce::{bisect, versions as versions_of};
use crate::report::{admissible, is_regression, shown, table, write};
use crate::sys::install_interrupt;
use crate::toolchain::{Probed, Snapshots};

pub fn versions(flags: &VersionsFlags) -> Result<Exit, Failure> {
    let settings = flags.settings.settings()?;
    install_interrupt()?;
    let profilers = profilers_or_all(&flags.settings, &settings)?;
    let mut exit = Exit::NothingNew;
    for folder in finding_folders(&flags.findings, &flags.runs, &flags.known)? {
        let bundle = folder.read().map_err(bad_input)?;
        refuse_included(&bundle)?;
        let replay = replay_of(&bundle)?;
        let family = bundle.finding.profiler;
        let is_of_family = |profiler: &&Probed| profiler.info().profiler == family;
        let of_family: Vec<Probed> = profilers.iter().filter(is_of_family).cloned().collect();
        let snapshots = flags.snapshots.as_ref().map(|folder| Snapshots::read(folder, family));
        let snapshots = snapshots.transpose().map_err(bad_input)?;
        if of_family.is_empty() && snapshots.is_none() {
            return Err(no_profiler(anyhow!(
                "{}: the finding needs a version of {}; name one with --profiler, or install one",
                folder.0,
                family.compiler()
            )));
        }
        let (_scratch, worker) = new_worker(&settings)?;
        let worker = Mutex::new(worker);
        let mut now = versions_of(&of_family, &settings, &bundle, replay, &worker)?;
        if let Some(snapshots) = &snapshots {
            now.extend(bisect(snapshots, &settings, &bundle, replay, &worker)?);
        }
        if !now.iter().any(|tried| tried.affected) {
            exit = Exit::NotThere;
        }
        let tried = with_earlier(now, &bundle.versions);
        let text = in_words(&folder, &bundle, &tried);
        write(&folder, &FindingBundle { versions: tried, ..bundle })?;
        print(&text)?;
    }
    Ok(exit)
}

/// The new results together with the `earlier` results of builds that were not tried again, oldest first.
fn with_earlier(mut now: Vec<VersionResult>, earlier: &[VersionResult]) -> Vec<VersionResult> {
    let again: BTreeSet<String> = now.iter().map(VersionResult::name).collect();
    now.extend(earlier.iter().filter(|tried| !again.contains(&tried.name())).cloned());
    now.sort_by(|a, b| a.age().cmp(&b.age()));
    now
}

/// The table, and the range of affected versions in a sentence.
fn in_words(folder: &FindingFolder, bundle: &FindingBundle, tried: &[VersionResult]) -> String {
    let whole = if bundle.finding.is_total() { "a total" } else { "the output" };
    let line = bundle.finding.line.map_or_else(|| whole.into(), |line| bundle.finding.place(line));
    let truth = bundle.right();
    let truth = truth.as_deref();
    let right = truth.map_or_else(String::new, |right| format!(", ground truth {}", admissible(right)));
    let rows = tried.iter().map(|tried| {
        let result = tried.standing(truth).name();
        let (count, verdict) = match (&tried.count, tried.affected) {
            (Ok(count), true) => {
                (shown(*count), tried.verdict.map_or("affected", |verdict| verdict.name()).into())
            }
            (Ok(count), false) => (shown(*count), result.into()),
            (Err(reason), _) => (String::new(), format!("{result}: {reason}")),
        };
        vec![tried.name(), count, verdict, tried.version.clone()]
    });
    let table = table(&["compiler", "count", "verdict", "version"], &[1], rows);
    let mut out = format!("{}: {line}{right}\n\n{table}", folder.0);
    let _ = writeln!(
        out,
        "\n{}\n{}",
        affected_range(tried, bundle.finding.profiler, truth),
        known_to(tried, truth)
    );
    out
}

/// The versions with a wrong and with a right count, a line each, and whether an older version is right.
fn known_to(tried: &[VersionResult], truth: Option<&[u64]>) -> String {
    let named = |title: &str, wanted: &[Standing]| {
        let of_kind = tried.iter().filter(|tried| wanted.contains(&tried.standing(truth)));
        let names: Vec<String> = of_kind.map(VersionResult::name).collect();
        if names.is_empty() { String::new() } else { format!("{title}: {}\n", names.join(", ")) }
    };
    let fail = named("known to fail", &[Standing::Affected, Standing::WrongOtherwise]);
    let work = named("known to work", &[Standing::NotAffected]);
    let first_bad = tried.iter().find(|tried| tried.affected).filter(|_| is_regression(&tried, truth));
    let regression =
        first_bad.map(|first| format!("regression: the first bad version is {}\n", first.name()));
    format!("{fail}{work}{}", regression.unwrap_or_default())
}

/// The first affected version and the first fixed one, as far as the tried versions show.
fn affected_range(tried: &[VersionResult], family: Family, truth: Option<&[u64]>) -> String {
    let known: Vec<&VersionResult> = tried.iter().filter(|tried| tried.count.is_ok()).collect();
    let is_affected = |tried: &&VersionResult| tried.affected;
    let (Some(first), Some(last)) = (known.iter().position(is_affected), known.iter().rposition(is_affected))
    else {
        return format!("no tried version of {} is affected", family.compiler());
    };
    let is_wrong_otherwise = |tried: &VersionResult| tried.standing(truth) == Standing::WrongOtherwise;
    let since = match first.checked_sub(1).map(|before| known[before]) {
        Some(before) if is_wrong_otherwise(before) => {
            format!("{} ({} is wrong in another way)", known[first].name(), before.name())
        }
        Some(before) => format!("{} ({} is not)", known[first].name(), before.name()),
        None => format!("{} or earlier", known[first].name()),
    };
    let until = match known.get(last + 1) {
        Some(after) if is_wrong_otherwise(after) => format!("wrong in another way in {}", after.name()),
        Some(after) => format!("fixed in {}", after.name()),
        None => format!("still affected in {}", known[last].name()),
    };
    format!("affected since {since}, {until}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_of_affected_versions_is_one_sentence() {
        let tried = |compiler: &str, affected| VersionResult {
            compiler: compiler.into(),
            version: String::new(),
            snapshot: None,
            count: Ok(Some(1)),
            verdict: None,
            affected,
        };
        let all =
            [tried("gcc-10", false), tried("gcc-11", true), tried("gcc-12", true), tried("gcc-16", false)];
        let range = |all: &[VersionResult]| affected_range(all, Family::Gcov, None);
        assert_eq!(range(&all), "affected since gcc-11 (gcc-10 is not), fixed in gcc-16");
        let mut both = all[..2].to_vec();
        both.insert(1, VersionResult { snapshot: Some("2021-02-03".into()), ..tried("gcc-11", true) });
        assert_eq!(
            known_to(&both, None),
            "known to fail: gcc-11 2021-02-03, gcc-11\nknown to work: gcc-10\n\
             regression: the first bad version is gcc-11 2021-02-03\n"
        );
        assert_eq!(known_to(&all[2..3], None), "known to fail: gcc-12\n");
        assert_eq!(range(&all[1..3]), "affected since gcc-11 or earlier, still affected in gcc-12");
        assert_eq!(range(&all[..1]), "no tried version of gcc is affected");
        // Ground truth is 2.
        assert_eq!(
            affected_range(&all, Family::Gcov, Some(&[2])),
            "affected since gcc-11 (gcc-10 is wrong in another way), wrong in another way in gcc-16"
        );
        let both = with_earlier(all[2..].to_vec(), &[&all[..1], &all[3..]].concat());
        let names: Vec<&str> = both.iter().map(|tried| tried.compiler.as_str()).collect();
        assert_eq!(names, ["gcc-10", "gcc-12", "gcc-16"]);
        let mut broken = all.clone();
        broken[3].count = Err("program does not compile".into());
        assert_eq!(range(&broken), "affected since gcc-11 (gcc-10 is not), still affected in gcc-12");
    }
}
