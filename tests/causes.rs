//! Diagnoses the labelled findings of tests/data/causes, and compares the mechanisms with the labels pair by pair: two
//! findings should have the same mechanism exactly if they have the same label.
//!
//! `RECOUNT_LABELLED` is a folder with `gcc.dg` (as `recount import gcc` writes it) and `torture`; without it only the
//! programs in tests/data/causes/programs are diagnosed. `RECOUNT_LABELS` is another file of labels in tests/data/causes, such as
//! `held-out.toml`, whose figures are printed only. `RECOUNT_PROFILERS` lists the profilers; the labels are those of gcc-17 and
//! clang-24, and hold for every other version that shows the same count. Each finding whose mechanism is not
//! its label is printed. A finding with `now` is known to have that mechanism instead of its label.

mod support;

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use recount::config::Settings;
use recount::corpus::{Input, Sidecar, Source, load};
use recount::diagnose::{Case, diagnose};
use recount::journal::{FindingBundle, FindingFolder};
use recount::model::{Cause, Metric, Symptom};
use recount::relation::{against_truth, beyond_lines};
use recount::syntax::Program;
use recount::toolchain::{Confidence, Detail, Probed, Request, SOURCE, Worker, select};
use recount::truth::{measure, require_execution};
use serde::Deserialize;
use support::{BINARY, Temp, skip, skip_for_newer_tools};

#[derive(Deserialize)]
struct Labels {
    element: Vec<Element>,
}

#[derive(Deserialize)]
struct Element {
    program: String,
    profiler: String,
    label: String,
    also: Option<String>,
    findings: Vec<Labelled>,
}

#[derive(Deserialize)]
struct Labelled {
    metric: Metric,
    line: u32,
    shown: Option<u64>,
    file: Option<String>,
    /// The mechanism that is derived, where it is known to be another one; "none" where the number is no longer called wrong.
    now: Option<String>,
}

/// The program with this name, and where it is.
fn program(name: &str) -> Option<Source> {
    let root = std::env::var("RECOUNT_LABELLED").ok().map(Utf8PathBuf::from);
    let ours = Utf8PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/causes").join(name);
    let path: Utf8PathBuf = match name.split_once(['/', ':'])?.0 {
        "programs" | "broken" => ours.clone(),
        "csmith" => root.is_some().then(|| format!("{name}-{}", &name["csmith:".len()..]).into())?,
        _ => root?.join(name),
    };
    let mut source = load(&[path]).ok()?.pop()?;
    // The reduced program needs the flags of the original.
    let original = ours.with_file_name("original.c");
    if name.ends_with("/program.c") && original.exists() {
        source.sidecar.flags = load(&[original]).ok()?.pop()?.sidecar.flags;
    }
    Some(source)
}

/// All wrong numbers of the report on the program, and their diagnoses.
fn diagnoses(profiler: &Probed, worker: &mut Worker, source: &Source) -> Vec<(Symptom, Cause)> {
    let (text, input) = (source.read().unwrap(), source.inputs().remove(0));
    let request = Request {
        folder: source.folder(),
        flags: &source.sidecar.flags,
        detail: Detail::Parts,
        confidence: Confidence::Exploratory,
        ..Request::new(&text, &input)
    };
    let report = match profiler.profile(worker, &request).unwrap() {
        Ok(report) => report,
        Err(outcome) => {
            println!("{}: no report: {outcome:?}", source.id);
            return Vec::new();
        }
    };
    let truth = measure(&**profiler, worker, &request).unwrap();
    let truth = match require_execution(truth, &report.execution) {
        Ok(truth) => truth,
        Err(reason) => {
            println!("{}: no ground truth: {reason}", source.id);
            return Vec::new();
        }
    };
    let (report, family) = (&report.coverage, profiler.info().profiler);
    let wrong = against_truth(report, &truth, family).into_iter().chain(beyond_lines(report, &truth, family));
    let symptoms: Vec<Symptom> = wrong.filter_map(|found| Symptom::of(&found, &truth, family)).collect();
    let program = Program::parse(text.clone());
    let case = Case { report, truth: &truth, program: &program, family, file: SOURCE };
    let found = diagnose(&case, &symptoms).unwrap();
    assert_eq!(found.len(), symptoms.len());
    symptoms.into_iter().zip(found).collect()
}

#[derive(Default)]
struct Pairs {
    both: BTreeMap<(String, String), usize>,
    labels: BTreeMap<String, usize>,
    mechanisms: BTreeMap<String, usize>,
    lost: usize,
    /// Findings whose mechanism is neither their label nor the one that is known.
    changed: Vec<String>,
}

/// The number of pairs in groups of these sizes.
fn pairs(sizes: impl Iterator<Item = usize>) -> f64 {
    sizes.map(|size| (size * (size - 1) / 2) as f64).sum()
}

impl Pairs {
    fn add(&mut self, label: String, mechanism: String) {
        *self.both.entry((label.clone(), mechanism.clone())).or_default() += 1;
        *self.labels.entry(label).or_default() += 1;
        *self.mechanisms.entry(mechanism).or_default() += 1;
    }

    /// Add those of another profiler.
    fn extend(&mut self, other: Pairs) {
        for ((label, mechanism), number) in other.both {
            for _ in 0..number {
                self.add(label.clone(), mechanism.clone());
            }
        }
        self.lost += other.lost;
        self.changed.extend(other.changed);
    }

    /// A table of the labels with their mechanisms.
    fn print(&self) {
        println!("### Labels\n\n| label | findings | mechanisms |\n| --- | ---: | --- |");
        for (label, findings) in &self.labels {
            let of_label = self.both.iter().filter(|((of, _), _)| of == label);
            let mechanisms: Vec<String> =
                of_label.map(|((_, mechanism), number)| format!("{mechanism} {number}")).collect();
            println!("| {label} | {findings} | {} |", mechanisms.join(", "));
        }
        println!(
            "\n{} labels, {} mechanisms; pairwise precision {:.3}, recall {:.3}. {} labelled findings are no longer reported.",
            self.labels.len(),
            self.mechanisms.len(),
            self.precision(),
            self.recall(),
            self.lost
        );
        println!("<!-- end -->");
    }

    fn precision(&self) -> f64 {
        pairs(self.both.values().copied()) / pairs(self.mechanisms.values().copied())
    }

    fn recall(&self) -> f64 {
        pairs(self.both.values().copied()) / pairs(self.labels.values().copied())
    }
}

/// The labels of `profiler`'s findings next to their mechanisms.
fn labelled(profiler: &Probed, labels: &Labels) -> Pairs {
    let temp = Temp::new();
    let mut found = Pairs::default();
    let mut worker = Worker::new(temp.at("w0"), BINARY.into(), Settings::quick().limits);
    let name = profiler.info().compiler.clone();
    let is_ours = |element: &&Element| {
        element.profiler.split('-').next() == name.split('-').next() && element.label != "false-alarm"
    };
    let mut by_program: BTreeMap<&str, Vec<&Element>> = BTreeMap::new();
    for element in labels.element.iter().filter(is_ours) {
        by_program.entry(&element.program).or_default().push(element);
    }
    for (name, elements) in by_program {
        let Some(source) = program(name) else { continue };
        let known = diagnoses(profiler, &mut worker, &source);
        for element in elements {
            for finding in element.findings.iter().filter(|finding| finding.file.is_none()) {
                let is_it = |(symptom, _): &&(Symptom, Cause)| {
                    (symptom.metric, symptom.line, symptom.reported)
                        == (finding.metric, finding.line, finding.shown)
                };
                let place = format!("{name}: {} on line {}", finding.metric.name(), finding.line);
                let family = profiler.info().profiler.name();
                let diagnosis = known.iter().find(is_it).map(|(_, diagnosis)| diagnosis);
                let mechanism = diagnosis.map(|diagnosis| format!("{family}-{}", diagnosis.mechanism));
                let expected = finding.now.as_ref().unwrap_or(&element.label);
                if mechanism.as_deref().unwrap_or("none") != expected {
                    found.changed.push(format!("{place}: {mechanism:?} instead of {expected}"));
                }
                let Some((diagnosis, mechanism)) = diagnosis.zip(mechanism) else {
                    found.lost += 1;
                    println!("{place}: lost: {}", element.label);
                    continue;
                };
                if mechanism != element.label {
                    let also = element.also.as_ref().map_or(String::new(), |also| format!(" (also {also})"));
                    println!(
                        "{place}: {mechanism}, labelled {}{also}: {} | {}",
                        element.label, diagnosis.element, diagnosis.evidence
                    );
                }
                found.add(element.label.clone(), mechanism);
            }
        }
    }
    found
}

#[test]
fn findings_with_one_label_have_one_mechanism() {
    let names = std::env::var("RECOUNT_PROFILERS").unwrap_or("gcc-12 clang-14".into());
    let chosen = std::env::var("RECOUNT_LABELS").ok();
    let file = format!("tests/data/causes/{}", chosen.as_deref().unwrap_or("labels.toml"));
    let text = fs_err::read_to_string(file).unwrap();
    let labels: Labels = toml::from_str(&text).unwrap();
    let mut profilers = Vec::new();
    for name in names.split_whitespace() {
        match select(&[name.to_string()]) {
            Ok(mut found) => profilers.push(found.remove(0)),
            Err(error) => return skip(&format!("{name}: {error}")),
        }
    }
    let of_profilers: Vec<Pairs> = profilers.par_iter().map(|profiler| labelled(profiler, &labels)).collect();
    let mut found = Pairs::default();
    for pairs in of_profilers {
        found.extend(pairs);
    }
    let total: usize = found.labels.values().sum();
    found.print();
    if chosen.is_some() {
        return;
    }
    assert!(total >= 100, "{total} findings");
    assert!(found.precision() >= 0.97 && found.recall() >= 0.95);
}

/// The compilers of the labels, each with its build.
const LABELLED: [(&str, &str); 2] = [("gcc-17", "20261020"), ("clang-24", "20261025103442")];

/// Each labelled finding has the mechanism of its label, or the one that is known to be derived instead.
#[test]
fn labelled_findings_keep_their_mechanisms() {
    let changed: Vec<String> = LABELLED
        .par_iter()
        .flat_map_iter(|(name, build)| {
            let profiler = select(&[(*name).into()]).ok().map(|mut found| found.remove(0));
            let Some(profiler) = profiler.filter(|found| found.info().version.contains(build)) else {
                skip_for_newer_tools(&format!("{name} of {build} is not installed"));
                return Vec::new();
            };
            let files = Utf8Path::new("tests/data/causes").read_dir_utf8().unwrap();
            let files = files.map(|entry| entry.unwrap().into_path());
            let changed = files.filter(|path| path.extension() == Some("toml")).flat_map(|path| {
                let labels: Labels = toml::from_str(&fs_err::read_to_string(path).unwrap()).unwrap();
                labelled(&profiler, &labels).changed
            });
            changed.collect()
        })
        .collect();
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}

/// gcc gives the tests and the values of operands the location of the operator, or of the call whose argument they are.
#[test]
fn operands_on_lines_of_their_own_show_their_mechanism() {
    let names = std::env::var("RECOUNT_PROFILERS").unwrap_or("gcc-12".into());
    let temp = Temp::new();
    let source = load(&["tests/data/causes/broken/operands.c".into()]).unwrap().remove(0);
    for name in names.split_whitespace().filter(|name| name.starts_with("gcc")) {
        let profiler = match select(&[name.to_string()]) {
            Ok(mut profilers) => profilers.remove(0),
            Err(error) => return skip(&format!("{name}: {error}")),
        };
        let mut worker = Worker::new(temp.at("w0"), BINARY.into(), Settings::quick().limits);
        let known = diagnoses(&profiler, &mut worker, &source);
        let shown: BTreeMap<u32, &str> =
            known.iter().map(|(symptom, cause)| (symptom.line, &*cause.mechanism)).collect();
        for (line, mechanism) in
            [(24, "test-at-operator"), (37, "argument-at-call"), (51, "test-at-operator")]
        {
            assert_eq!(shown.get(&line), Some(&mechanism), "{name}, line {line}: {shown:?}");
        }
    }
}

/// The mechanisms of the wrong numbers in the program of `folder` that are of the finding's metric.
fn shown_by(bundle: &FindingBundle, compiler: &str, place: &Utf8Path) -> Option<Vec<String>> {
    let profiler = select(&[compiler.into()]).ok()?.remove(0);
    let replay = bundle.replay.clone().unwrap();
    let sidecar = Sidecar {
        flags: replay.flags,
        inputs: vec![Input { args: replay.args, stdin: replay.stdin, ..Input::default() }],
        ..Sidecar::default()
    };
    fs_err::create_dir_all(place).unwrap();
    fs_err::write(place.join("program.c"), &bundle.program).unwrap();
    fs_err::write(place.join("program.toml"), toml::to_string(&sidecar).unwrap()).unwrap();
    let source = load(&[place.join("program.c")]).unwrap().remove(0);
    let mut worker = Worker::new(place.join("work"), BINARY.into(), Settings::quick().limits);
    let found = diagnoses(&profiler, &mut worker, &source).into_iter();
    let of_metric = found.filter(|(symptom, _)| symptom.metric == bundle.finding.metric);
    Some(of_metric.map(|(_, cause)| cause.mechanism).collect())
}

/// The programs in reports/causes show the mechanism of their folder, with each installed profiler that has the fault.
#[test]
fn the_program_of_each_root_cause_shows_its_mechanism() {
    let temp = Temp::new();
    let entries = |folder: &Utf8Path| {
        let paths = folder.read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path());
        paths.filter(|path| path.is_dir()).collect::<Vec<_>>()
    };
    let folders: Vec<Utf8PathBuf> =
        entries("reports/causes".into()).iter().flat_map(|root| entries(root)).collect();
    let differing: Vec<String> = folders
        .par_iter()
        .flat_map_iter(|folder| {
            let bundle = FindingFolder(folder.clone()).read().unwrap();
            let mechanism = &bundle.finding.cause.as_ref().unwrap().mechanism;
            let affected = bundle.versions.iter().filter(|tried| tried.affected);
            let tried: Vec<(String, Vec<String>)> = affected
                .filter_map(|tried| {
                    let place = temp.root().join(folder).join(&tried.compiler);
                    Some((tried.compiler.clone(), shown_by(&bundle, &tried.compiler, &place)?))
                })
                .collect();
            let wrong = tried.into_iter().filter(|(_, shown)| !shown.contains(mechanism));
            let line = |(compiler, shown)| format!("{folder}, {compiler}: {shown:?}");
            wrong.map(line).collect::<Vec<_>>()
        })
        .collect();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

/// Each program of tests/data/causes/constructed shows the mechanism of llvm-cov that it is named for.
#[test]
fn constructed_programs_show_their_mechanisms() {
    let names = std::env::var("RECOUNT_PROFILERS").unwrap_or("clang-14".into());
    let temp = Temp::new();
    let mut shown = 0;
    for name in names.split_whitespace().filter(|name| name.starts_with("clang")) {
        let profiler = match select(&[name.to_string()]) {
            Ok(mut profilers) => profilers.remove(0),
            Err(error) => return skip(&format!("{name}: {error}")),
        };
        let mut worker = Worker::new(temp.at("w0"), BINARY.into(), Settings::quick().limits);
        for source in load(&["tests/data/causes/constructed".into()]).unwrap() {
            let known = diagnoses(&profiler, &mut worker, &source);
            let mechanisms: Vec<&str> = known.iter().map(|(_, cause)| &*cause.mechanism).collect();
            let unknown = mechanisms.iter().filter(|mechanism| mechanism.contains('/'));
            assert_eq!(unknown.count(), 0, "{}: {mechanisms:?}", source.id);
            // clang 14 does not have the fault of `#elif`.
            let is_shown = mechanisms.contains(&&*source.id);
            assert!(is_shown || known.is_empty(), "{}: {mechanisms:?}", source.id);
            shown += usize::from(is_shown);
        }
    }
    assert!(shown >= 4, "{shown}");
}
