//! clang, llvm-profdata and llvm-cov, all of one version: a raw profile is
//! merged by the llvm-profdata of its own version or not at all.
//!
//! Line counts are the DA records of `-format=lcov`; `show` rounds, and the
//! JSON has segments only, which are read where a person will want to know why.

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};

use super::annotate::{self, Annotated, NEUTRAL, Shows, named};
use super::steps::{self, Steps};
use super::worker::{SOURCE, Worker, perturbing};
use super::{Detail, Profile, Profiler, Request, flags};
use crate::corpus::Input;
use crate::coverage::{Coverage, Unreadable, View, lcov, llvm_json, llvm_show};
use crate::model::{Family, Metric, Outcome, ProfilerInfo};

/// A clang with its tools.
#[derive(Clone, Debug)]
pub struct LlvmCov {
    pub(super) info: ProfilerInfo,
    pub(super) clang: Utf8PathBuf,
    pub(super) profdata: Utf8PathBuf,
    pub(super) cov: Utf8PathBuf,
    pub(super) major: u32,
}

impl LlvmCov {
    fn compile_args(request: &Request<'_>, flags: Vec<String>) -> Vec<String> {
        let mut args: Vec<String> =
            ["-O0", "-fprofile-instr-generate", "-fcoverage-mapping"].map(String::from).into();
        args.extend(flags);
        args.extend(perturbing(request.perturbation, true));
        args.extend([SOURCE, "-o", "p", "-lm"].map(String::from));
        args
    }

    /// The name of llvm-profdata for a person. Where it was found in LLVM's own folder, because it
    /// prints no version, PATH may have it by the suffix of llvm-cov.
    fn profdata_on_path(&self) -> String {
        let suffixed = named(&self.cov).replace("llvm-cov", "llvm-profdata");
        if self.cov.with_file_name(&suffixed).is_file() { suffixed } else { named(&self.profdata) }
    }

    fn read(&self, worker: &mut Worker, detail: Detail) -> Result<std::result::Result<Coverage, Unreadable>> {
        let path = worker.scratch.at(SOURCE);
        let mut export = |format: &[&str]| {
            let mut args = vec!["export".to_string()];
            args.extend(format.iter().map(ToString::to_string));
            args.extend(["-instr-profile=p.profdata", "p"].map(String::from));
            worker.tool(&self.cov, args)
        };
        let printed = export(&["-format=lcov"])?;
        let mut coverage = match lcov::read(&String::from_utf8_lossy(&printed.stdout), path.as_str()) {
            Ok(coverage) => coverage,
            Err(error) => return Ok(Err(error)),
        };
        if detail != Detail::Lines {
            match llvm_json::read(&export(&[])?.stdout, path.as_str()) {
                Ok(found) => {
                    (coverage.segments, coverage.regions) = (found.segments, found.regions);
                    (coverage.tested, coverage.decisions) = (found.tested, found.decisions);
                }
                Err(error) => return Ok(Err(error)),
            }
            let derived = llvm_json::lines_from_segments(&coverage.segments, self.major < 18);
            let lines = derived.counted().map(|(line, count)| (line, (count, unclamped(count)))).collect();
            coverage.views.push(View { name: "segments", lines });
        }
        if detail == Detail::Full {
            let mut args: Vec<String> = ["show", "-instr-profile=p.profdata", "p"].map(String::from).into();
            args.push(path.into_string());
            let shown = worker.tool(&self.cov, args)?;
            let lines = llvm_show::lines(&String::from_utf8_lossy(&shown.stdout));
            coverage.views.push(View { name: "show", lines });
        }
        Ok(Ok(coverage))
    }
}

/// The file of one run.
fn raw(run: u32) -> String {
    if run == 0 { "p.profraw".into() } else { format!("p{run}.profraw") }
}

/// The largest count that llvm-cov may mean by `count` in JSON, whose numbers end with those that have a sign
/// (`clamp_uint64_to_int64` in CoverageExporterJson.cpp).
fn unclamped(count: u64) -> u64 {
    if count == i64::MAX.unsigned_abs() { u64::MAX } else { count }
}

impl Steps for LlvmCov {
    const FAMILY: Family = Family::LlvmCov;

    fn build(&self, worker: &mut Worker, request: &Request<'_>, flags: Vec<String>) -> super::Step {
        worker.compile(&self.clang, Self::compile_args(request, flags))
    }

    // One name would be overwritten by the next run.
    fn extract(&self, worker: &mut Worker, detail: Detail) -> Result<std::result::Result<Coverage, Outcome>> {
        let none = |reason: String| Ok(Err(Outcome::NoProfile { reason }));
        let mut files = Vec::new();
        for name in (0..).map(raw) {
            if !worker.scratch.take(&name)? {
                break;
            }
            files.push(name);
        }
        if files.is_empty() {
            return none("no .profraw file".into());
        }
        let merge = ["merge".to_string()].into_iter().chain(files);
        let merge = merge.chain(["-o", "p.profdata"].map(String::from));
        let merged = worker.tool(&self.profdata, merge.collect())?;
        if !worker.scratch.at("p.profdata").is_file() {
            return none(format!("llvm-profdata: {}", merged.stderr.lines().next().unwrap_or("no profile")));
        }
        match self.read(worker, detail)? {
            Ok(coverage) => Ok(Ok(coverage)),
            // The scratch folder has another name each time.
            Err(error) => none(error.to_string().replace(worker.scratch.at("").as_str(), "")),
        }
    }
}

impl Profiler for LlvmCov {
    fn info(&self) -> &ProfilerInfo {
        &self.info
    }

    fn profile(&self, worker: &mut Worker, request: &Request<'_>) -> Result<Profile> {
        steps::profile(self, worker, request)
    }

    fn annotate(
        &self,
        worker: &mut Worker,
        request: &Request<'_>,
        metric: Metric,
    ) -> Result<std::result::Result<Annotated, Outcome>> {
        annotate::annotate(self, worker, request, metric)
    }

    fn compiler(&self) -> Option<&Utf8Path> {
        Some(&self.clang)
    }

    fn environment(&self, worker: &Worker, run: u32) -> Result<Vec<(String, String)>> {
        Ok(vec![("LLVM_PROFILE_FILE".into(), worker.scratch.expect(&raw(run))?.into_string())])
    }

    fn commands(&self, own: &[String], input: &Input, dialect: usize) -> Vec<String> {
        let more = flags::shown(Family::LlvmCov, dialect, own);
        let name = |path: &Utf8PathBuf| path.file_name().unwrap_or_default().to_string();
        vec![
            format!(
                "{} -O0 -fprofile-instr-generate -fcoverage-mapping{more} $1.c -o $1 -lm",
                name(&self.clang)
            ),
            format!("LLVM_PROFILE_FILE=$1.profraw ./$1{}", flags::spaced(&input.args)),
            format!("{} merge $1.profraw -o $1.profdata", name(&self.profdata)),
            format!("{} show -instr-profile=$1.profdata $1", name(&self.cov)),
        ]
    }
}

impl Shows for LlvmCov {
    fn builds(flags: &[String]) -> Vec<Vec<String>> {
        let own = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        let front = own(&["-O0", "-fprofile-instr-generate", "-fcoverage-mapping"]);
        vec![[front, flags.to_vec(), own(&[NEUTRAL, "-o", "p", "-lm"])].concat()]
    }

    // The file is named so that llvm-cov leaves out the heading, an absolute path.
    fn typed(&self, flags: &str, run: String, _: Metric) -> Vec<String> {
        let clang = named(&self.clang);
        vec![
            format!("{clang} -O0 -fprofile-instr-generate -fcoverage-mapping{flags} {NEUTRAL} -lm"),
            run,
            format!("{} merge default.profraw -o small.profdata", self.profdata_on_path()),
            format!("{} show a.out -instr-profile=small.profdata {NEUTRAL}", named(&self.cov)),
        ]
    }

    fn others(&self) -> Vec<String> {
        let cov = named(&self.cov);
        ["-format=lcov", "-format=text"]
            .map(|format| format!("{cov} export {format} a.out -instr-profile=small.profdata {NEUTRAL}"))
            .into()
    }

    fn shown(&self, worker: &mut Worker, _: Metric) -> Result<std::result::Result<String, Outcome>> {
        let none = |reason: &str| Ok(Err(Outcome::NoProfile { reason: reason.into() }));
        if !worker.scratch.take("p.profraw")? {
            return none("no .profraw file");
        }
        worker.tool(&self.profdata, ["merge", "p.profraw", "-o", "p.profdata"].map(String::from).into())?;
        if !worker.scratch.at("p.profdata").is_file() {
            return none("llvm-profdata does not read the profile");
        }
        let args = ["show", "p", "-instr-profile=p.profdata", NEUTRAL].map(String::from);
        let shown = worker.tool(&self.cov, args.into())?;
        if shown.stdout.is_empty() {
            return none("llvm-cov shows nothing");
        }
        Ok(Ok(String::from_utf8_lossy(&shown.stdout).into_owned()))
    }
}
