//! Campaigns on several machines and on several nights, with a fake profiler: merged shards, and the changes since the
//! previous night.

#[path = "support/fake.rs"]
mod profiler;
mod support;
#[path = "support/town.rs"]
mod town;

use recount::campaign::Shard;
use recount::corpus::Source;
use recount::journal::{MergeResult, RunFolder, merge, read};
use recount::model::{FORMAT, Verdict};
use recount::report::{Changes, RunSet, changes};
use recount::triage::clusters;
use town::{Town, program, town};

/// The folders of a campaign in `of` shards.
fn shards(town: &mut Town, of: u32) -> Vec<RunFolder> {
    let shard = |index| {
        let name = format!("part{index}of{of}");
        town.selection.shard = Some(Shard { index, of });
        town.run(&name, &()).unwrap();
        town.folder(&name)
    };
    let folders = (1..=of).map(shard).collect();
    town.selection.shard = None;
    folders
}

#[test]
fn shards_merge_into_the_same_bytes_in_any_number_and_order() {
    let mut town = town();
    town.run("whole", &()).unwrap();
    let jobs = read(&town.folder("whole")).unwrap().records.len();
    let mut merged = Vec::new();
    for of in [1, 2, 7] {
        let mut parts = shards(&mut town, of);
        for name in ["forth", "back"] {
            let out = town.folder(&format!("{name}{of}"));
            let expected = MergeResult { jobs, missing: 0, repeated: 0, absent: Vec::new() };
            assert_eq!(merge(&parts, &out).unwrap(), expected);
            merged.push((fs_err::read_to_string(out.journal()).unwrap(), files(&out)));
            parts.reverse();
        }
    }
    assert!(merged.iter().all(|one| *one == merged[0]));
    let together = read(&town.folder("back7")).unwrap();
    let whole = read(&town.folder("whole")).unwrap();
    assert_eq!((&together.header, together.findings()), (&whole.header, whole.findings()));
    assert!(!together.findings().is_empty());
}

/// The sources that are stored in a run's folder.
fn files(folder: &RunFolder) -> Vec<String> {
    let blobs = fs_err::read_dir(folder.0.join("blobs")).unwrap();
    let mut names: Vec<String> =
        blobs.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_merged_run_with_missing_jobs_is_continued() {
    let mut town = town();
    let whole = town.records("whole");
    let parts = shards(&mut town, 3);
    // The machine of the second shard was lost half way, and the first shard was done twice.
    let path = parts[1].journal();
    let text = fs_err::read_to_string(&path).unwrap();
    let kept: Vec<&str> = text.split_inclusive('\n').collect();
    let lost = (kept.len() - 1) / 2;
    fs_err::write(&path, kept[..kept.len() - lost].concat()).unwrap();
    let out = town.folder("merged");
    let first = read(&parts[0]).unwrap().records.len();
    let all = [parts[0].clone(), parts[0].clone(), parts[1].clone(), parts[2].clone()];
    let expected =
        MergeResult { jobs: whole.len() - lost, missing: lost, repeated: first, absent: Vec::new() };
    assert_eq!(merge(&all, &out).unwrap(), expected);
    assert_eq!(town.run("merged", &()).unwrap().jobs, lost);
    assert_eq!(town::sorted(&out), whole);
    let again = merge(&parts, &out).unwrap_err().to_string();
    assert!(again.contains("exists already"), "{again}");
}

#[test]
fn a_shard_that_is_not_among_those_merged_is_missed() {
    let mut town = town();
    let parts = shards(&mut town, 3);
    let merged = merge(&parts[..1], &town.folder("first")).unwrap();
    assert_eq!(merged.absent, ["2/3", "3/3"]);
    // A merged run is not a shard, and may contain any of the shards.
    let all = [town.folder("first"), parts[1].clone(), parts[2].clone()];
    assert_eq!(merge(&all, &town.folder("all")).unwrap().absent, Vec::<String>::new());
    let other = shards(&mut town, 2).remove(1);
    let error = merge(&[parts[0].clone(), other], &town.folder("mixed")).unwrap_err().to_string();
    assert!(error.contains("merge shards of one campaign"), "{error}");
}

#[test]
fn what_is_of_two_campaigns_is_not_merged() {
    let mut town = town();
    town.run("one", &()).unwrap();
    town.settings.seed += 1;
    town.run("two", &()).unwrap();
    let error = merge(&[town.folder("one"), town.folder("two")], &town.folder("out")).unwrap_err();
    assert!(error.to_string().contains("different campaigns: the settings differ"), "{error}");
    assert!(!town.folder("out").journal().exists());
}

/// The changes from the nightly run `before` to the nightly run `now`.
fn nights(before: &Town, now: &Town) -> Changes {
    let of = |town: &Town| {
        town.run("night", &()).unwrap();
        let mut journal = read(&town.folder("night")).unwrap();
        // A fake profiler has no ground truth, so no finding would have the verdict `wrong`.
        for finding in journal.records.iter_mut().flat_map(|record| &mut record.findings) {
            if finding.verdict == Verdict::Unexplained {
                finding.verdict = Verdict::Wrong;
            }
        }
        let found = clusters(&journal.findings());
        ([journal], found)
    };
    let (before, now) = (of(before), of(now));
    changes(
        RunSet { journals: &now.0, clusters: &now.1 },
        RunSet { journals: &before.0, clusters: &before.1 },
    )
}

#[test]
fn clusters_that_are_new_or_no_longer_reproduce_are_listed() {
    let quirk = program(8, "1 if 7 else 2", &[]);
    let other = program(8, "4 if 7 else none", &[]);
    let plain = program(8, "1", &[]);
    let first = Town::new(&[("p", &quirk), ("q", &plain)]);
    let quiet = nights(&first, &Town::new(&[("p", &quirk), ("q", &plain)]));
    assert_eq!((quiet.text.as_str(), quiet.has_new_wrong()), ("Nothing is new.\n", false));

    let second_run = nights(&first, &Town::new(&[("p", &quirk), ("q", &other)]));
    assert_eq!((second_run.new.len(), second_run.has_new_wrong()), (1, true));
    assert!(second_run.new[0].signature.contains("weak"), "{}", second_run.text);
    assert!(!second_run.text.contains("No longer reproduces"), "{}", second_run.text);

    let fixed = nights(&first, &Town::new(&[("p", &plain), ("q", &plain)]));
    let text = &fixed.text;
    assert!(
        text.starts_with("Nothing is new.\n\nNo longer reproduces\n") && text.contains("gcc-0"),
        "{text}"
    );
    assert!(!fixed.has_new_wrong());

    // A cluster whose programs were not checked again may still exist.
    let elsewhere = nights(&first, &Town::new(&[("q", &plain)])).text;
    assert!(elsewhere.contains("Clusters of the earlier run whose programs were not checked again: 1."));
    assert!(!elsewhere.contains("No longer reproduces"), "{elsewhere}");
}

#[test]
fn a_run_ends_after_enough_new_clusters() {
    let mut town = Town::new(&[]);
    let signatures = ["1 if 7 else 2", "4 if 7 else none", "1 if 7 else 0", "1"];
    for n in 0..40 {
        town.sources.push(Source::given(&format!("p{n:02}"), &program(8, signatures[n % 4], &[])));
    }
    town.new_clusters = Some(2);
    let summary = town.run("run", &()).unwrap();
    let found = clusters(&read(&town.folder("run")).unwrap().findings());
    assert_eq!(found.len(), 2);
    assert!(summary.jobs < 40 && summary.left == 40 - summary.jobs, "{summary:?}");
}

#[test]
fn a_journal_of_another_format_is_refused_with_one_sentence() {
    let town = Town::new(&[("p", &program(1, "1", &[]))]);
    town.run("run", &()).unwrap();
    let folder = town.folder("run");
    let text = fs_err::read_to_string(folder.journal()).unwrap();
    // A later format may have other fields.
    let (known, other) = (format!("\"format\":{FORMAT},\"settings\""), "\"format\":99,\"options\"");
    assert!(text.contains(&known), "{text}");
    fs_err::write(folder.journal(), text.replace(&known, other)).unwrap();
    let error = read(&folder).unwrap_err().to_string();
    let sentence = format!("is a journal of format 99; this version of recount reads only format {FORMAT}");
    assert_eq!(error, format!("{} {sentence}", folder.journal()));
}
