//! clang, llvm-profdata and llvm-cov, all of one version: only the llvm-profdata of its own version reads a raw
//! profile.
//!
//! Line counts are the DA records of `-format=lcov`. `show` rounds them, and the JSON contains segments only,
//! which are read where they explain a count.

use std::sync::Arc;

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};

use super::annotate::{REPORTED_SOURCE, annotate, file_name};
use super::attempt::{Attempt, StepResult, Stop, no_profile, not_written, outcome_as_result};
use super::flags::{counts_conditions, linking, shown, spaced};
use super::perturbation::perturbation_flags;
use super::printed::{LlvmPrinted, Printed, Recorded};
use super::profiler::{Annotated, Profiler};
use super::request::{Detail, Profile, Request};
use super::steps::{Build, Tools, profile};
use super::worker::Worker;
use crate::corpus::Input;
use crate::coverage::{
    Coverage, Crash, LlvmCounts, LlvmMapping, Malformed, Unreadable, View, at_root, lcov, llvm_covmap,
    llvm_show,
};
use crate::model::{Family, Metric, Outcome, ProfilerInfo, SOURCE};

/// The merged profile in the scratch folder.
const MERGED: &str = "p.profdata";

/// A clang and its tools.
#[derive(Clone, Debug)]
pub struct LlvmCov {
    pub info: ProfilerInfo,
    pub clang: Utf8PathBuf,
    pub profdata: Utf8PathBuf,
    pub cov: Utf8PathBuf,
}

impl LlvmCov {
    /// The command name of llvm-profdata for a person. If it was found in LLVM's own folder, because it prints
    /// no version, PATH may have it with the suffix of llvm-cov.
    fn profdata_on_path(&self) -> String {
        let suffixed = file_name(&self.cov).replace("llvm-cov", "llvm-profdata");
        if self.cov.with_file_name(&suffixed).is_file() { suffixed } else { file_name(&self.profdata) }
    }

    /// Merge raw profiles into the file `to`.
    fn merge_into(&self, worker: &mut Worker, raw: Vec<String>, to: &str) -> Attempt<()> {
        let args = [vec!["merge".into()], raw, vec!["-o".into(), to.into()]].concat();
        let merged = worker.run_tool(&self.profdata, args)?;
        if worker.scratch.at(to).is_file() {
            return Ok(());
        }
        Err(no_profile(format!("llvm-profdata: {}", merged.stderr.lines().next().unwrap_or("no profile"))))
    }

    /// The mapping of `object`, and the counters in the raw profiles: what llvm-cov derives its reports from.
    fn data(
        worker: &Worker,
        object: &str,
        raw: &[Utf8PathBuf],
    ) -> Result<(LlvmMapping, LlvmCounts), Malformed> {
        let read = |path: &Utf8Path| fs_err::read(path).map_err(|error| Malformed(error.to_string()));
        let mapping = llvm_covmap::read(&read(&worker.scratch.at(object))?)?;
        let mut counts = LlvmCounts::default();
        for path in raw {
            counts.add(&read(path)?)?;
        }
        Ok((mapping, counts))
    }

    /// The mapping of the program in the scratch folder `root`; none if it cannot be read.
    fn mapping_of(worker: &Worker, root: &str) -> Option<Arc<LlvmMapping>> {
        let mut mapping = llvm_covmap::read(&fs_err::read(worker.scratch.at("p")).ok()?).ok()?;
        mapping.move_to_root(root);
        Some(Arc::new(mapping))
    }

    /// The report on the profile `merged` of `objects` as a tracefile.
    fn tracefile(&self, worker: &mut Worker, objects: &[&str], merged: &str) -> Attempt<String> {
        let args = ["export", "-format=lcov", &format!("-instr-profile={merged}")];
        Ok(String::from_utf8_lossy(&self.run_cov(worker, &with_objects(&args, objects))?).into_owned())
    }

    /// Everything that llvm-cov says of `objects` and the raw profiles, which are `merged` already. The mapping is that of the
    /// first object.
    fn print(
        &self,
        worker: &mut Worker,
        objects: &[&str],
        raw: &[Utf8PathBuf],
        merged: &str,
    ) -> Attempt<LlvmPrinted> {
        let args = ["export", &format!("-instr-profile={merged}")];
        Ok(LlvmPrinted {
            tracefile: self.tracefile(worker, objects, merged)?,
            json: self.run_cov(worker, &with_objects(&args, objects))?,
            data: LlvmCov::data(worker, objects[0], raw),
            version: self.info.major(),
        })
    }

    fn run_cov(&self, worker: &mut Worker, args: &[&str]) -> Attempt<Vec<u8>> {
        Ok(worker.run_tool(&self.cov, args.iter().map(ToString::to_string).collect())?.stdout)
    }
}

/// The options with which `llvm-cov show` shows counts of `metric`.
fn show_flags(metric: Metric) -> &'static [&'static str] {
    match metric {
        Metric::Mcdc => &["--show-mcdc"],
        Metric::Branch => &["--show-branches=count"],
        Metric::Region => &["--show-line-counts", "--show-regions"],
        _ => &[],
    }
}

/// The raw profile of one run. Runs with the same name would overwrite each other's.
fn raw_profile(run: u32) -> String {
    if run == 0 { "p.profraw".into() } else { format!("p{run}.profraw") }
}

/// The words of a call of llvm-cov for several objects.
fn with_objects<'a>(args: &[&'a str], objects: &[&'a str]) -> Vec<&'a str> {
    let others = objects.iter().skip(1).flat_map(|object| ["-object", object]);
    args.iter().copied().chain(objects.first().copied()).chain(others).collect()
}

/// `coverage` with the scratch folder, whose name differs from run to run, as the root of the file system.
fn moved_to_root(mut coverage: Coverage, folder: &str) -> Coverage {
    coverage.mapping = coverage.mapping.map(|data| match data {
        Ok(data) => {
            let mut data = Arc::unwrap_or_clone(data);
            data.mapping.move_to_root(folder);
            data.file = at_root(&data.file, folder).to_string();
            Ok(Arc::new(data))
        }
        Err(error) => Err(Malformed(error.0.replace(folder, ""))),
    });
    coverage
}

impl Tools for LlvmCov {
    fn build(&self, worker: &mut Worker, build: Build<'_>) -> Attempt<()> {
        let front = ["-O0", "-fprofile-instr-generate", "-fcoverage-mapping"];
        let flags = [build.flags, perturbation_flags(build.perturbation, true)].concat();
        let source = format!("{}.c", build.stem);
        worker.compile(&self.clang, linking(&front, flags, &[&source, "-o", "p"]))
    }

    fn extract(&self, worker: &mut Worker, request: &Request<'_>) -> Attempt<Coverage> {
        let mut raw = Vec::new();
        for name in (0..).map(raw_profile) {
            if !worker.scratch.take(&name)? {
                break;
            }
            raw.push(name);
        }
        if raw.is_empty() {
            return Err(not_written(".profraw"));
        }
        self.merge_into(worker, raw.clone(), MERGED)?;
        let (root, detail) = (worker.scratch.at(""), request.detail);
        let path = request.file.map_or_else(|| worker.scratch.at(SOURCE), Utf8Path::to_path_buf);
        // The name of the scratch folder differs from run to run.
        let unreadable =
            |error: Unreadable| -> Stop { no_profile(error.to_string().replace(root.as_str(), "")) };
        let read = if detail == Detail::Lines {
            self.tracefile(worker, &["p"], MERGED).map(|printed| lcov::read(&printed, path.as_str()))
        } else {
            let raw: Vec<Utf8PathBuf> = raw.iter().map(|name| worker.scratch.at(name)).collect();
            self.print(worker, &["p"], &raw, MERGED).map(|printed| {
                printed.report(path.as_str()).map(|coverage| moved_to_root(coverage, root.as_str()))
            })
        };
        let read = match read {
            Err(Stop::Outcome(Outcome::ToolCrashed { reason })) if counts_conditions(request.flags) => {
                let mapping = LlvmCov::mapping_of(worker, root.as_str());
                let mut nothing = Coverage::default();
                nothing.crash = Some(Box::new(Crash { reason, mapping }));
                return Ok(nothing);
            }
            read => read?,
        };
        let mut coverage = match read {
            Err(Unreadable::FileMissing(_)) if request.may_lack_code() => return Ok(Coverage::default()),
            read => read.map_err(unreadable)?,
        };
        if detail == Detail::Full {
            let text = self.run_cov(worker, &["show", "-instr-profile=p.profdata", "p", path.as_str()])?;
            let lines = llvm_show::lines(&String::from_utf8_lossy(&text));
            coverage.views.push(View { name: "show", lines });
        }
        Ok(coverage)
    }

    // The file is named so that llvm-cov leaves out the heading, an absolute path.
    fn shell_commands(&self, flags: &str, run: String, metric: Metric) -> Vec<String> {
        let clang = file_name(&self.clang);
        let show = [&["show"][..], show_flags(metric)].concat().join(" ");
        vec![
            format!("{clang} -O0 -fprofile-instr-generate -fcoverage-mapping{flags} {REPORTED_SOURCE} -lm"),
            run,
            format!("{} merge default.profraw -o small.profdata", self.profdata_on_path()),
            format!("{} {show} a.out -instr-profile=small.profdata {REPORTED_SOURCE}", file_name(&self.cov)),
        ]
    }

    fn other_format_commands(&self) -> Vec<String> {
        let cov = file_name(&self.cov);
        ["-format=lcov", "-format=text"]
            .map(|format| {
                format!("{cov} export {format} a.out -instr-profile=small.profdata {REPORTED_SOURCE}")
            })
            .into()
    }

    fn annotated_report(&self, worker: &mut Worker, metric: Metric) -> Attempt<String> {
        if !worker.scratch.take("p.profraw")? {
            return Err(not_written(".profraw"));
        }
        self.merge_into(worker, vec!["p.profraw".into()], MERGED)?;
        let rest = ["p", "-instr-profile=p.profdata", REPORTED_SOURCE];
        let args = [&["show"][..], show_flags(metric), &rest].concat();
        let shown = match self.run_cov(worker, &args) {
            Err(Stop::Outcome(Outcome::ToolCrashed { reason })) => return Ok(format!("{reason}\n")),
            shown => shown?,
        };
        if shown.is_empty() {
            return Err(no_profile("llvm-cov printed no report"));
        }
        Ok(String::from_utf8_lossy(&shown).into_owned())
    }

    fn mapping(
        &self,
        worker: &mut Worker,
        flags: &[String],
        words: &str,
    ) -> Attempt<Option<(String, String)>> {
        const DUMP: [&str; 5] =
            ["-fprofile-instr-generate", "-fcoverage-mapping", "-Xclang", "-dump-coverage-mapping", "-c"];
        let args = [&DUMP.map(String::from)[..], flags, &[REPORTED_SOURCE.into()]].concat();
        let printed = worker.run_tool(&self.clang, args)?;
        let text = String::from_utf8_lossy(&printed.stdout).into_owned();
        let clang = file_name(&self.clang);
        Ok(Some((format!("{clang} {}{words} {REPORTED_SOURCE}", DUMP.join(" ")), text)))
    }
}

impl Profiler for LlvmCov {
    fn info(&self) -> &ProfilerInfo {
        &self.info
    }

    fn profile(&self, worker: &mut Worker, request: &Request<'_>) -> Result<Profile> {
        profile(self, worker, request)
    }

    fn annotate(&self, worker: &mut Worker, request: &Request<'_>, metric: Metric) -> StepResult<Annotated> {
        outcome_as_result(annotate(self, worker, request, metric))
    }

    fn merge(&self, worker: &mut Worker, raw: &[Utf8PathBuf], to: &Utf8Path) -> StepResult<()> {
        let mut merged = || {
            worker.prepare(&Request::new("", &Input::default()))?;
            self.merge_into(worker, raw.iter().map(ToString::to_string).collect(), to.as_str())
        };
        outcome_as_result(merged())
    }

    fn printed(&self, worker: &mut Worker, recorded: &Recorded) -> StepResult<Printed> {
        let objects = std::iter::once(&recorded.object).chain(&recorded.others);
        let objects: Vec<&str> = objects.map(|object| object.as_str()).collect();
        let printed = self.print(worker, &objects, &recorded.data, recorded.merged.as_str());
        outcome_as_result(printed.map(Printed::LlvmCov))
    }

    fn compiler(&self) -> Option<&Utf8Path> {
        Some(&self.clang)
    }

    fn environment(&self, worker: &Worker, run: u32) -> Result<Vec<(String, String)>> {
        let path = worker.scratch.expect(&raw_profile(run))?;
        Ok(vec![("LLVM_PROFILE_FILE".into(), path.into_string())])
    }

    fn commands(&self, request: &Request<'_>, dialect: usize) -> Vec<String> {
        let (flags, linked) = shown(Family::LlvmCov, request, dialect);
        let (clang, cov) = (file_name(&self.clang), file_name(&self.cov));
        vec![
            format!("{clang} -O0 -fprofile-instr-generate -fcoverage-mapping{flags} $1.c -o $1{linked} -lm"),
            format!("LLVM_PROFILE_FILE=$1.profraw ./$1{}", spaced(&request.input.args)),
            format!("{} merge $1.profraw -o $1.profdata", file_name(&self.profdata)),
            format!("{cov} show -instr-profile=$1.profdata $1"),
        ]
    }
}
