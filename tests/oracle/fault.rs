//! A fault of a profiler, and faults in the numbers of a report.

use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use recount::coverage::Coverage;
use recount::model::{Family, Metric};

use super::numbers::{Number, numbers, with};
use super::real_tool::Altered;

/// The layer of the profiler in which a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    Report,
    Counter,
    Mapping,
    Removed,
}

impl Layer {
    pub fn name(self) -> &'static str {
        match self {
            Layer::Report => "report",
            Layer::Counter => "counter",
            Layer::Mapping => "mapping",
            Layer::Removed => "removed",
        }
    }
}

/// The report of a profiler with one fault.
pub struct Fault {
    pub layer: Layer,
    pub kind: &'static str,
    pub report: Coverage,
    /// The same fault in the files of a profile; none for faults that were made in the replay only.
    pub altered: Option<Altered>,
}

/// A change of a count, given the number and those of its neighbours.
pub type Alter = fn(u64, u64) -> u64;

pub const ALTERATIONS: [(&str, Alter); 4] = [
    ("plus one", |count, _| count.wrapping_add(1)),
    ("zero or not", |count, _| u64::from(count == 0)),
    ("doubled", |count, _| count.wrapping_mul(2)),
    ("neighbour's", |_, neighbour| neighbour),
];

/// `most` faults of each kind for each metric.
pub fn in_numbers(report: &Coverage, family: Family, most: usize, random: &mut ChaCha8Rng) -> Vec<Fault> {
    let all = numbers(report, family);
    let mut faults = Vec::new();
    for metric in Metric::ALL {
        let of_metric: Vec<&Number> = all.iter().filter(|number| number.place.metric == metric).collect();
        let indices: Vec<usize> = (0..of_metric.len()).collect();
        for (kind, alter) in ALTERATIONS {
            for index in indices.sample(random, most) {
                let number = of_metric[*index];
                // The next number of the metric that differs, or the one before.
                let neighbours = of_metric[index + 1..].iter().chain(of_metric[..*index].iter().rev());
                let mut others = neighbours.map(|other| other.count).filter(|count| *count != number.count);
                let count = alter(number.count, others.next().unwrap_or(number.count));
                let report = with(report, number.slot, Some(count));
                faults.push(Fault { layer: Layer::Report, kind, report, altered: None });
            }
        }
        for index in indices.sample(random, most) {
            let report = with(report, of_metric[*index].slot, None);
            faults.push(Fault { layer: Layer::Removed, kind: "number", report, altered: None });
        }
    }
    faults
}
