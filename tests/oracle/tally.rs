//! The sums over programs, and the tables that they make.

use std::collections::BTreeMap;

use recount::model::Metric;

use super::fault::Layer;
use super::judge::Verdict;

const METRICS: [Metric; 7] = Metric::ALL;

/// Faults by verdict.
pub type Verdicts = BTreeMap<Verdict, usize>;

/// The numbers of reports.
#[derive(Default)]
pub struct Checked {
    pub all: usize,
    /// Those that are not checked, by reason.
    pub unchecked: BTreeMap<String, usize>,
}

#[derive(Default)]
pub struct Tally {
    pub programs: usize,
    /// Programs whose report is not replayed exactly: only their numbers were changed.
    pub not_replayed: usize,
    /// Programs without a report or without a comparison, by reason.
    pub skipped: BTreeMap<String, usize>,
    /// By suite, metric, layer and kind.
    pub faults: BTreeMap<(String, Metric, Layer, &'static str), Verdicts>,
    /// By suite and metric.
    pub numbers: BTreeMap<(String, Metric), Checked>,
    /// Faults that the real tool repeated, and those of them on which its report is not the replay's.
    pub repeated: usize,
    pub repeated_otherwise: Vec<String>,
    /// Numbers without an expected value.
    pub unchecked: Vec<String>,
    /// Numbers that are wrong without a fault.
    pub wrong: Vec<String>,
    /// Missed faults by metric, layer and class.
    pub missed: BTreeMap<(Metric, Layer, &'static str), Vec<String>>,
}

fn percent(part: usize, of: usize) -> String {
    if of == 0 { "–".into() } else { format!("{:.1} %", 100.0 * part as f64 / of as f64) }
}

/// The faults but those on braces or in numbers that are wrong already; the shares of those noticed, also of the ones in
/// checked numbers, and by a number of the metric; unchecked, missed and braces.
fn row(verdicts: &Verdicts) -> String {
    let of = |verdict| verdicts.get(&verdict).copied().unwrap_or(0);
    let (own, elsewhere) = (of(Verdict::Noticed), of(Verdict::NoticedElsewhere));
    let (unchecked, missed, braces) = (of(Verdict::Unchecked), of(Verdict::Missed), of(Verdict::Braces));
    let all = own + elsewhere + unchecked + missed;
    let checked = own + elsewhere + missed;
    format!(
        "{all} | {} | {} | {} | {unchecked} | {missed} | {braces} |",
        percent(own + elsewhere, all),
        percent(own + elsewhere, checked),
        percent(own, all)
    )
}

impl Tally {
    /// The sums of the faults that `takes` selects.
    fn sum(&self, takes: impl Fn(&str, Metric, Layer, &str) -> bool) -> Verdicts {
        let mut sum = Verdicts::new();
        for ((suite, metric, layer, kind), verdicts) in &self.faults {
            if takes(suite, *metric, *layer, kind) {
                for (verdict, count) in verdicts {
                    *sum.entry(*verdict).or_default() += count;
                }
            }
        }
        sum
    }

    /// The share of noticed faults of a metric and layer, of those that change a checked number.
    pub fn noticed(&self, metric: Metric, layer: Layer) -> Option<f64> {
        let sum = self.sum(|_, of, in_layer, _| (of, in_layer) == (metric, layer));
        let of = |verdict| sum.get(&verdict).copied().unwrap_or(0) as f64;
        let noticed = of(Verdict::Noticed) + of(Verdict::NoticedElsewhere);
        let all = noticed + of(Verdict::Missed);
        (all > 0.0).then(|| noticed / all)
    }

    /// Print all tables.
    pub fn print(&self, profiler: &str) {
        self.wrong.iter().for_each(|wrong| println!("wrong: {profiler}: {wrong}"));
        self.unchecked.iter().for_each(|number| println!("unchecked: {profiler}: {number}"));
        println!(
            "table: {profiler}: {} programs, of which {} are not replayed exactly. Without comparison: {:?}",
            self.programs, self.not_replayed, self.skipped
        );
        let otherwise = self.repeated_otherwise.len();
        println!("repeated: {profiler}: {} faults, {otherwise} reports that differ", self.repeated);
        let was_wrong = self.sum(|_, _, _, _| true).remove(&Verdict::WrongBefore).unwrap_or(0);
        println!("apart: {profiler}: {was_wrong} faults in numbers that are wrong without the fault");
        self.repeated_otherwise.iter().for_each(|one| println!("repeated otherwise: {profiler}: {one}"));
        for metric in METRICS {
            for layer in [Layer::Report, Layer::Counter, Layer::Mapping, Layer::Removed] {
                let sum = self.sum(|_, of, in_layer, _| (of, in_layer) == (metric, layer));
                if !sum.is_empty() {
                    println!("layers: | {profiler} | {} | {} | {}", metric.name(), layer.name(), row(&sum));
                }
            }
        }
        let kinds: std::collections::BTreeSet<_> =
            self.faults.keys().map(|(_, metric, layer, kind)| (*metric, *layer, *kind)).collect();
        for (metric, layer, kind) in kinds {
            let sum = self.sum(|_, of, in_layer, other| (of, in_layer, other) == (metric, layer, kind));
            let (metric, layer) = (metric.name(), layer.name());
            println!("kinds: | {profiler} | {metric} | {layer} | {kind} | {}", row(&sum));
        }
        let suites: std::collections::BTreeSet<&String> =
            self.numbers.keys().map(|(suite, _)| suite).collect();
        for suite in suites {
            let Some(checked) = self.numbers.get(&(suite.clone(), Metric::Line)) else { continue };
            let unchecked: usize = checked.unchecked.values().sum();
            let noticed = ["plus one", "zero or not", "doubled"].map(|kind| {
                let sum = self.sum(|of, metric, layer, other| {
                    (of, metric, layer, other) == (suite, Metric::Line, Layer::Report, kind)
                });
                let of = |verdict| sum.get(&verdict).copied().unwrap_or(0);
                let all: usize = sum.values().sum();
                percent(of(Verdict::Noticed), all - of(Verdict::Braces) - of(Verdict::WrongBefore))
            });
            let without = percent(unchecked, checked.all);
            println!(
                "lines: | {suite} | {profiler} | {} | {without} | {} |",
                checked.all,
                noticed.join(" | ")
            );
        }
        for metric in METRICS {
            let mut sum = Checked::default();
            for (_, one) in self.numbers.iter().filter(|((_, of), _)| *of == metric) {
                sum.all += one.all;
                one.unchecked.iter().for_each(|(why, n)| *sum.unchecked.entry(why.clone()).or_default() += n);
            }
            if sum.all == 0 {
                continue;
            }
            let mut reasons: Vec<(&String, &usize)> = sum.unchecked.iter().collect();
            reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let unchecked: usize = sum.unchecked.values().sum();
            let listed: Vec<String> =
                reasons.iter().map(|(why, count)| format!("{} {why}", percent(**count, sum.all))).collect();
            println!(
                "checked: | {profiler} | {} | {} | {} | {} |",
                metric.name(),
                sum.all,
                percent(unchecked, sum.all),
                listed.join("; ")
            );
        }
        for ((metric, layer, class), missed) in &self.missed {
            let (metric, layer) = (metric.name(), layer.name());
            println!("classes: | {profiler} | {metric} | {layer} | {class} | {} |", missed.len());
            for one in missed {
                println!("missed: {profiler}, {metric}, {layer}, {class}: {one}");
            }
        }
    }
}
