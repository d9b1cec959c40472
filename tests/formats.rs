//! The readers of foreign formats, tested on recorded output of the tools of each version (`tests/data/record.sh`) and on
//! counts that were determined by hand. One test compares the counts that we derive from segments with those of the installed
//! llvm-cov.

mod support;

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use recount::config::Settings;
use recount::corpus::{Source, load};
use recount::coverage::{Coverage, RegionKind, Segment, Unreadable, gcov_json, gcov_text, lcov, llvm_json};
use recount::model::Line;
use recount::toolchain::{Detail, Request, Worker, select};
use support::{BINARY, Temp};

/// Lines of `sample.c` on which a statement begins, and how often it runs: `clamp` is called with 0 to 4, and changes 3 and 4
/// to 2, so the loop adds up 7; three iterations of `do` reduce it to 4.
const STATEMENTS: [(Line, u64); 19] = [
    (6, 5),
    (7, 2),
    (8, 3),
    (9, 0),
    (10, 0),
    (12, 3),
    (17, 0),
    (22, 1),
    (24, 6), // the condition: five times true, once false
    (25, 5),
    (27, 1),
    (28, 0),
    (30, 3),
    (31, 3),
    (32, 1),
    (34, 1),
    (35, 1),
    (37, 0),
    (39, 1),
];

/// Labels: gcov counts the case that is the target of a jump, llvm-cov the region that begins with it.
const LABELS: [(Line, u64); 2] = [(33, 1), (36, 0)];

/// gcov counts a function's entries on the line of its name; lines without code have no count.
const HEADS: [(Line, u64); 3] = [(4, 5), (15, 0), (20, 1)];

/// llvm-cov counts text: every line from the opening to the closing brace of a body has a count. A line of braces has the
/// count of the region that surrounds it or ends on it.
const TEXT: [(Line, u64); 11] = [
    (5, 5),
    (11, 0), // still in the arm that did not run
    (13, 3), // after the last if, which two of five calls do not reach
    (16, 0),
    (18, 0),
    (21, 1),
    (23, 1),
    (26, 5),
    (29, 3),
    (38, 1), // the gap after the switch has the count of the next statement
    (40, 1),
];

/// gcov lists a block under its last line. The `for` has its initialisation and its condition, the `while` a jump and its
/// condition.
const BLOCKS: [(Line, u64); 17] = [
    (6, 5),
    (7, 2),
    (8, 3),
    (9, 0),
    (12, 3),
    (17, 0),
    (24, 1),
    (24, 6),
    (25, 5),
    (27, 1),
    (27, 1),
    (28, 0),
    (31, 3),
    (32, 1),
    (34, 1),
    (37, 0),
    (39, 1),
];

fn sorted(parts: &[&[(Line, u64)]]) -> Vec<(Line, u64)> {
    let mut all = parts.concat();
    all.sort_unstable();
    all
}

/// The recorded files whose names begin and end like this, with their contents; at least two.
fn recorded(start: &str, ending: &str) -> Vec<(Utf8PathBuf, Vec<u8>)> {
    let folder = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let entries = folder.read_dir_utf8().unwrap().map(|entry| entry.unwrap().path().to_path_buf());
    let wanted = |path: &Utf8PathBuf| {
        path.file_name().is_some_and(|name| name.starts_with(start) && name.ends_with(ending))
    };
    let mut found: Vec<_> =
        entries.filter(wanted).map(|path| (path.clone(), fs_err::read(path).unwrap())).collect();
    found.sort();
    assert!(found.len() >= 2, "{start}*{ending} in {folder}");
    found
}

type Reader = fn(&[u8], &str) -> Result<Coverage, Unreadable>;

/// The readers that give line counts, with the files that they read.
const READERS: [(&str, &str, Reader); 3] = [
    ("gcov-", ".json", gcov_json::read),
    ("llvm-cov-", ".lcov", |text, name| lcov::read(std::str::from_utf8(text).unwrap(), name)),
    ("llvm-cov-", ".json", |text, name| {
        let read = llvm_json::read(text, name)?;
        let lines = llvm_json::lines_from_segments(&read.segments, 18);
        // No text of the sample is skipped, so both rules give the same counts.
        assert_eq!(lines, llvm_json::lines_from_segments(&read.segments, 17));
        Ok(lines)
    }),
];

#[test]
fn every_version_has_the_counts_that_were_determined_by_hand() {
    for (start, ending, read) in READERS {
        let own = if start == "gcov-" { HEADS.as_slice() } else { TEXT.as_slice() };
        let expected = sorted(&[&STATEMENTS, &LABELS, own]);
        for (path, bytes) in recorded(start, ending) {
            let coverage = read(&bytes, "p.c").unwrap();
            assert_eq!(coverage.counted().collect::<Vec<_>>(), expected, "{path}");
        }
    }
}

#[test]
fn the_blocks_of_gcovs_text_are_those_of_the_sample() {
    for (path, bytes) in recorded("gcov-", ".txt") {
        let blocks = gcov_text::blocks(std::str::from_utf8(&bytes).unwrap());
        let counts: Vec<_> = blocks.iter().map(|block| (block.line, block.count.unwrap())).collect();
        assert_eq!(sorted(&[&counts]), sorted(&[&BLOCKS]), "{path}");
        let names: BTreeSet<_> = blocks.iter().map(|block| (block.line, block.id)).collect();
        assert_eq!(names.len(), blocks.len(), "{path}: a block of a line has a number of its own");
    }
}

#[test]
fn functions_and_branches_are_read_where_the_format_has_them() {
    for (start, ending, read) in &READERS[..2] {
        for (path, bytes) in recorded(start, ending) {
            let coverage = read(&bytes, "p.c").unwrap();
            // llvm-cov puts the file before the name of a static function.
            let mut functions: Vec<_> = coverage
                .functions
                .iter()
                .map(|function| (function.name.trim_start_matches("p.c:").to_string(), function.count))
                .collect();
            functions.sort();
            let expected = [("clamp", 5), ("main", 1), ("never", 0)];
            assert_eq!(functions, expected.map(|(name, count)| (name.to_string(), count)), "{path}");
            let taken = |line| {
                let of_line = coverage.branches.iter().filter(|branch| branch.line == line);
                let mut counts: Vec<_> = of_line.map(|branch| branch.taken).collect();
                counts.sort_unstable();
                counts
            };
            assert_eq!(taken(6), [Some(2), Some(3)], "{path}");
            assert_eq!(taken(24), [Some(1), Some(5)], "{path}");
            assert_eq!(taken(12), [], "{path}");
        }
    }
}

#[test]
fn branches_have_the_positions_and_counts_of_the_sample() {
    for (path, bytes) in recorded("llvm-cov-", ".json") {
        let mut tested = llvm_json::read(&bytes, "p.c").unwrap().tested;
        tested.sort_by_key(|branch| branch.start);
        let found: Vec<_> = tested.iter().map(|it| (it.start, it.end, it.yes, it.no)).collect();
        let expected = [
            ((6, 9), (6, 14), 2, 3),
            ((8, 9), (8, 14), 0, 3),
            ((24, 21), (24, 26), 5, 1),
            ((27, 12), (27, 20), 0, 1),
            ((31, 14), (31, 21), 2, 1),
            ((33, 5), (33, 11), 1, 0), // a case: whether it was jumped to
            ((36, 5), (36, 12), 0, 1),
        ];
        assert_eq!(found, expected, "{path}");
    }
}

#[test]
fn regions_have_the_positions_and_counts_of_the_sample() {
    for (path, bytes) in recorded("llvm-cov-", ".json") {
        let regions = llvm_json::read(&bytes, "p.c").unwrap().regions;
        let found = |start, end| regions.iter().find(|region| (region.start, region.end) == (start, end));
        // The body of main, and the arm of `clamp` that did not run.
        assert_eq!(
            found((21, 1), (40, 2)).map(|region| (region.count, region.kind)),
            Some((1, RegionKind::Code)),
            "{path}"
        );
        assert_eq!(
            found((8, 16), (11, 6)).map(|region| (region.count, region.kind)),
            Some((0, RegionKind::Code)),
            "{path}"
        );
    }
}

#[test]
fn a_report_on_another_file_is_rejected() {
    for (start, ending, read) in READERS {
        for (path, bytes) in recorded(start, ending) {
            assert!(matches!(read(&bytes, "q.c"), Err(Unreadable::FileMissing(_))), "{path}");
        }
    }
}

#[test]
fn a_truncated_report_is_rejected() {
    // As it remains of a tool that was ended at its deadline or by a full disk.
    for (start, ending, read) in READERS {
        for (path, bytes) in recorded(start, ending) {
            for part in [0, bytes.len() / 2, bytes.len() - 20] {
                assert!(read(&bytes[..part], "p.c").is_err(), "{path}: {part} of {} bytes", bytes.len());
            }
        }
    }
}

#[test]
fn a_line_that_begins_with_skipped_text_is_counted_from_llvm_18_on() {
    // `CoverageMapping.cpp`, LineCoverageStats: "if there is any starting segment at this line with
    // a counter, it must be mapped" came with `if constexpr` (llvm/llvm-project#78033).
    let segment = |line, column, count, has_count, is_entry| Segment {
        line,
        column,
        count,
        has_count,
        is_entry,
        is_gap: false,
    };
    let body = segment(1, 1, 4, true, true);
    let skipped = segment(2, 1, 0, false, true);
    let inner = segment(2, 9, 3, true, true);
    let end = segment(4, 2, 0, false, false);
    let counts = |segments: &[Segment], version| {
        llvm_json::lines_from_segments(segments, version).counted().collect::<Vec<_>>()
    };
    let both = [body.clone(), skipped.clone(), inner, end.clone()];
    assert_eq!(counts(&both, 17), [(1, 4), (3, 3), (4, 3)]);
    // The segment before the line surrounds it and has the larger count.
    assert_eq!(counts(&both, 18), [(1, 4), (2, 4), (3, 3), (4, 3)]);
    // If no other segment begins on it, neither rule gives a count to it or to the next lines.
    let alone = [body, skipped, end];
    assert_eq!(counts(&alone, 17), [(1, 4)]);
    assert_eq!(counts(&alone, 18), [(1, 4)]);
}

/// 14, 19 and 22 were tried: no C program showed a difference between the rules.
#[test]
fn counts_from_segments_are_those_of_llvm_cov() {
    let profiler = select(&["llvm-cov".to_string()]).expect("clang and its tools").remove(0);
    let temp = Temp::new();
    let mut worker = Worker::new(temp.at("w0"), BINARY.into(), Settings::quick().limits);
    // Every sixth program of the corpus, and one with much skipped text.
    let mut sources: Vec<Source> = load(&[]).unwrap().into_iter().step_by(6).collect();
    sources.extend(load(&[concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/skipped.c").into()]).unwrap());
    let mut profiled = 0;
    for source in &sources {
        let text = source.read().unwrap();
        let inputs = source.inputs();
        let request = Request {
            folder: source.folder(),
            flags: &source.sidecar.flags,
            detail: Detail::Full,
            ..Request::new(&text, &inputs[0])
        };
        let Ok(report) = profiler.profile(&mut worker, &request).unwrap() else { continue };
        profiled += 1;
        let derived = llvm_json::lines_from_segments(&report.coverage.segments, profiler.info().major());
        let counts = |coverage: &Coverage| coverage.counted().collect::<Vec<_>>();
        assert_eq!(counts(&derived), counts(&report.coverage), "{} (ours, llvm-cov's)", source.id);
        assert!(derived.last_line() > 0, "{}", source.id);
    }
    worker.finish();
    assert!(4 * profiled > 3 * sources.len(), "only {profiled} of {} were profiled", sources.len());
}
