//! A small campaign on made-up programs with a fake profiler. A test changes only the parts that matter to it.

#![allow(dead_code, reason = "no test file uses all of it")]

use std::sync::Arc;
use std::time::Duration;

use recount::campaign::{Campaign, EventListener, NewClusterLimit, Order, Plan, Selection, Summary, run};
use recount::config::Settings;
use recount::corpus::Source;
use recount::journal::{self, Header, JobRecord, RunFolder, Writer};
use recount::model::{FORMAT, Family, RelationName};
use recount::toolchain::Probed;
use recount::triage::Known;

use crate::profiler::Fake;
use crate::support::{BINARY, Temp};

/// The parts of a campaign, which can run more than once.
pub struct Town {
    pub sources: Vec<Source>,
    pub profilers: Vec<Probed>,
    pub settings: Settings,
    pub selection: Selection,
    pub time: Option<Duration>,
    /// The number of new clusters after which the campaign stops.
    pub new_clusters: Option<usize>,
    pub temp: Temp,
}

impl Town {
    /// A campaign on these programs, each an id and a text, under a fake gcc.
    pub fn new(programs: &[(&str, &str)]) -> Town {
        Town {
            sources: programs.iter().map(|(id, text)| Source::given(id, text)).collect(),
            profilers: vec![Arc::new(Fake::new(Family::Gcov, "gcc-0"))],
            // A fake profiler has no compiler, so there is no ground truth.
            settings: Settings { relations: vec![RelationName::Delete], ..Settings::quick() },
            selection: Selection::default(),
            time: None,
            new_clusters: None,
            temp: Temp::new(),
        }
    }

    /// The folder of the run `name`.
    pub fn folder(&self, name: &str) -> RunFolder {
        RunFolder(self.temp.at(name))
    }

    /// The selected programs, the plan, and the header of its journal.
    pub fn plan(&self) -> (Vec<Source>, Plan, Header) {
        let sources = self.selection.of(self.sources.clone(), self.settings.seed);
        let infos: Vec<_> = self.profilers.iter().map(|profiler| profiler.info().clone()).collect();
        let plan = Plan::new(&sources, &infos, 0);
        let header = Header {
            shard: self.selection.shard.map(|shard| (shard.index, shard.of)),
            format: FORMAT,
            settings: self.settings.clone(),
            profilers: infos,
            plan: plan.fingerprint(),
            jobs: plan.jobs.len(),
            programs: plan.programs,
        };
        (sources, plan, header)
    }

    /// Run into the folder `name`, and resume a run that is already there.
    pub fn run(&self, name: &str, observer: &dyn EventListener) -> anyhow::Result<Summary> {
        let (sources, plan, header) = self.plan();
        let folder = self.folder(name);
        let (writer, done) = if folder.journal().exists() {
            Writer::resume(&folder, &header)?
        } else {
            (Writer::create(&folder, &header)?, Vec::new())
        };
        let nothing = Known::embedded();
        let campaign = Campaign {
            sources: &sources,
            profilers: &self.profilers,
            plan: &plan,
            settings: &self.settings,
            binary: BINARY.into(),
            time: self.time,
            order: Order::Planned,
            new_cluster_limit: self.new_clusters.map(|most| NewClusterLimit { most, known: &nothing }),
        };
        run(&campaign, &writer, &done, observer)
    }

    /// The records of a run into the folder `name`, sorted by job.
    pub fn records(&self, name: &str) -> Vec<JobRecord> {
        self.run(name, &()).unwrap();
        sorted(&self.folder(name))
    }
}

/// The records in `folder`, sorted by job.
pub fn sorted(folder: &RunFolder) -> Vec<JobRecord> {
    journal::read(folder).unwrap().sorted().into_iter().cloned().collect()
}

/// A program with `dead` calls from line 4 on, in a block that did not run, and the count `last` on the line after the
/// block.
pub fn program(dead: usize, last: &str, directives: &[&str]) -> String {
    let calls: String = (0..dead).map(|n| format!("        call{n}(); //= 0\n")).collect();
    let directives: String = directives.iter().map(|directive| format!("//! {directive}\n")).collect();
    format!(
        "int main(void) {{ //= 1\n    int x = 0; //= 1\n    if (x) {{ //= 1\n{calls}    }}\n    \
         x = x + 1; //= {last}\n    return x; //= 1\n}}\n{directives}"
    )
}

/// One program for each way in which a program can end, a control without findings, and two with wrong counts.
fn all_kinds() -> Vec<(&'static str, String)> {
    let ends = |directive: &str| program(3, "1", &[directive]);
    vec![
        ("compile-error", ends("compile-error")),
        ("compiler-crash", ends("compiler-crash")),
        ("control", program(5, "1", &[])),
        ("die", ends("die 11")),
        ("flood", ends("flood")),
        ("hang", ends("hang")),
        ("no-profile", ends("no-profile")),
        ("quirk-strong", program(40, "1 if 33 else 2", &[])),
        ("quirk-weak", program(40, "1 if 8|21 else none", &[])),
        ("vary", ends("vary output")),
    ]
}

/// A campaign on all kinds of programs, under two profilers.
pub fn town() -> Town {
    let programs = all_kinds();
    let borrowed: Vec<(&str, &str)> = programs.iter().map(|(id, text)| (*id, text.as_str())).collect();
    let mut town = Town::new(&borrowed);
    town.profilers.push(Arc::new(Fake::new(Family::LlvmCov, "clang-0")));
    town
}
