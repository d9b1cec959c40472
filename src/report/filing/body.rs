//! The text of a report, part by part, independent of the layout.

use std::fmt::Write;

use super::content::{Filing, Part};
use super::mechanism;
use crate::journal::{FindingBundle, Standing, VersionResult};
use crate::model::{CoveredParts, Line, Metric, RelationName};
use crate::report::claim::{all_parts, claim_of};
use crate::report::counts::{admissible, capital, place, shown};
use crate::report::table::table;
use crate::toolchain::{Annotated, REPORTED_SOURCE};

/// Whether the report needs the variant: not if the line of the finding itself has count 0 although its code runs.
pub fn needs_variant(bundle: &FindingBundle) -> bool {
    bundle.variant.is_some() && !bundle.finding.is_unseen()
}

/// Everything but the title and the fields. `mark` precedes a line's number.
pub fn parts(filing: &Filing<'_>, mark: &str) -> Vec<Part> {
    let bundle = filing.bundle;
    let mut parts = Vec::new();
    parts.extend(filing.class.as_ref().map(|class| Part::Text(class.note())));
    let Annotated { compiler, verbose, .. } = &filing.program;
    parts.push(Part::Folded("The compiler", format!("$ {compiler} -v\n{verbose}")));
    parts.push(Part::Heading("The program and its report"));
    parts.extend(session(&bundle.program, &filing.program));
    parts.extend(warnings(&filing.program));
    if bundle.finding.relation == RelationName::Views {
        parts.push(Part::Text("These commands print the same run in other formats:".into()));
        parts.push(Part::Block(typed(&filing.program.others)));
    }
    parts.push(Part::Heading("What is wrong"));
    parts.push(Part::Text(claim_of(bundle, mark)));
    parts.extend(evidence(filing, mark).map(Part::Text));
    if filing.program.commands.iter().any(|command| command.contains(" -I. ")) {
        let text = "The program needs the headers that it includes with #include \"…\" in the same folder.";
        parts.push(Part::Text(text.into()));
    }
    if bundle.program.replace("\r\n", "\n").contains(|c: char| c.is_control() && !"\n\t".contains(c)) {
        parts.push(Part::Text(
            "Control characters of the program are shown as symbols, such as ␛ for ESC.".into(),
        ));
    }
    parts.extend(mechanism::parts(filing, mark));
    if let (Some(source), Some(annotated)) = (&bundle.variant, &filing.variant) {
        let edit = bundle.finding.edit().unwrap_or_else(|| "delete code".into());
        parts.push(Part::Heading(match bundle.finding.rewriting {
            None => "The program without code that is not executed",
            Some(_) => "The rewritten program",
        }));
        parts.push(Part::Text(format!("The edit: {edit}.")));
        parts.extend(session(source, annotated));
    }
    parts.extend(contrast(filing));
    parts.push(Part::Heading("Affected versions"));
    parts.extend(versions(filing));
    parts
}

/// A program, the commands, and their output.
fn session(source: &str, annotated: &Annotated) -> [Part; 2] {
    [
        Part::Block(format!("$ cat {REPORTED_SOURCE}\n{source}")),
        Part::Block(format!("{}{}", typed(&annotated.commands), annotated.report)),
    ]
}

/// What the compiler prints about the program.
fn warnings(program: &Annotated) -> Vec<Part> {
    if program.warnings.trim().is_empty() {
        return vec![Part::Text(format!("{} prints no warning.", program.compiler))];
    }
    vec![Part::Text(format!("{} prints:", program.compiler)), Part::Block(program.warnings.clone())]
}

fn typed(commands: &[String]) -> String {
    commands.iter().map(|command| format!("$ {command}\n")).collect()
}

/// How the right count is known.
fn evidence(filing: &Filing<'_>, mark: &str) -> Option<String> {
    let finding = &filing.bundle.finding;
    let by = if filing.confirmed.counted { "this compiler" } else { "a compiler of the same family" };
    let mut sentences = Vec::new();
    if let (Some(line), Some(parts)) = (finding.line, filing.bundle.covered()) {
        sentences.push(of_parts(finding.metric, line, mark, &parts, by));
    } else if let (Some(line), Some(truth)) = (finding.line, finding.right_counts()) {
        sentences.push(format!(
            "I added a counter at {} and built the program with {by}, without coverage. The counter reaches {}, and the \
             output is unchanged.",
            place(finding.metric, line, mark),
            admissible(truth)
        ));
    } else if finding.relation == RelationName::Flow {
        sentences.push(
            "There is no ground truth: the right count follows from the other counts of the report.".into(),
        );
    }
    if finding.is_unseen() {
        let culprit = finding.culprit.iter().flat_map(|culprit| &culprit.lines);
        let lines: Vec<String> = culprit.map(|(first, _)| format!("{mark}{first}")).collect();
        sentences.push(format!(
            "If __builtin_trap() replaces the code that begins on line {}, the trap ends the program, so that code runs.",
            lines.join(" and ")
        ));
    }
    let watchers = filing.confirmed.watchers.join(", ");
    match watchers.rsplit_once(", ") {
        Some((some, last)) => sentences.push(format!("{some} and {last} report no error in the program.")),
        None if watchers.is_empty() => {}
        None => sentences.push(format!("{watchers} reports no error in the program.")),
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// How it is known which parts are covered.
fn of_parts(metric: Metric, line: Line, mark: &str, parts: &CoveredParts, by: &str) -> String {
    let all = all_parts(metric, parts.all, line, mark);
    let right = admissible(&parts.right);
    if metric == Metric::Branch {
        return format!(
            "I recorded the value of each condition, in a program built with {by}, without coverage, whose output is \
             unchanged. The counts of the outcomes add up to {right}."
        );
    }
    if metric == Metric::Region {
        return format!(
            "I counted how often the code with which each region begins ran, in a program built with {by}, without \
             coverage, whose output is unchanged. These counts add up to {right}."
        );
    }
    if metric == Metric::Path {
        return format!(
            "gcov counts the arcs of the function apart from its paths, and shows them with -b. By the counts of the arcs {right} \
             of {all} were taken."
        );
    }
    let vectors: Vec<&str> =
        parts.what.iter().filter_map(|what| Some(what.split_once("; vectors ")?.1)).collect();
    let definition = match metric {
        Metric::Condition => {
            "masking MC/DC (Whalen et al., 2013), which gcc's manual names for -fcondition-coverage"
        }
        _ => {
            "MC/DC: two vectors with different outcomes in which only this condition differs among those that both evaluated"
        }
    };
    let recorded = format!(
        "I recorded the values of the conditions each time the decision was evaluated, in a program built with {by}, \
         without coverage, whose output is unchanged."
    );
    // A decision of one condition has none.
    if vectors.is_empty() {
        return format!("{recorded} With these, {right} of {all} are covered.");
    }
    format!(
        "{recorded} The vectors (T true, F false, - not evaluated; in parentheses the outcome of the decision) are {}. With \
         these, {right} of {all} are covered, by {definition}.",
        vectors.join("; ")
    )
}

/// The nearest program with a correct count.
fn contrast(filing: &Filing<'_>) -> Vec<Part> {
    let bundle = filing.bundle;
    let found = bundle.reduction.as_ref().map(|reduction| &reduction.contrast);
    // The report already has two programs.
    if found.is_none() && filing.variant.is_some() && bundle.contrast.is_none() {
        return Vec::new();
    }
    let mut parts = vec![Part::Heading("A similar program with a correct count")];
    if let (Some(source), Some(annotated)) = (&bundle.contrast, &filing.contrast) {
        parts.push(Part::Text(match found {
            Some(Ok(edit)) => format!("When {edit}, the result is correct:"),
            _ => "With a small edit the result is correct:".into(),
        }));
        parts.extend(session(source, annotated));
        return parts;
    }
    parts.push(Part::Text(match found {
        Some(Err(reason)) => format!("I found no similar program with a correct count: {reason}."),
        _ => "I did not look for a similar program with a correct count.".into(),
    }));
    parts
}

fn versions(filing: &Filing<'_>) -> Vec<Part> {
    let finding = &filing.bundle.finding;
    let is_own = |tried: &&VersionResult| tried.compiler.starts_with(finding.profiler.compiler());
    let tried: Vec<&VersionResult> = filing.bundle.versions.iter().filter(is_own).collect();
    if tried.is_empty() {
        return vec![Part::Text(format!("{} is affected; other versions were not tried.", finding.compiler))];
    }
    let right = filing.bundle.right();
    let right = right.as_deref();
    let rows = tried.iter().map(|tried| {
        let result = tried.standing(right).name();
        let (count, result) = match &tried.count {
            Err(reason) => ("-".into(), format!("{result}: {reason}")),
            Ok(count) => (shown(*count), result.into()),
        };
        vec![tried.name(), tried.version.clone(), count, result]
    });
    vec![
        Part::Text(format!("{}{}", range(&tried, right), known_to(&tried, right))),
        Part::Block(table(&["compiler", "version", "count", "result"], &[2], rows)),
    ]
}

/// Bugzilla's fields `Known to fail` and `Known to work`, and whether an older version is right.
fn known_to(tried: &[&VersionResult], right: Option<&[u64]>) -> String {
    let with = |wanted: &[Standing]| -> Vec<String> {
        let of_kind = tried.iter().filter(|tried| wanted.contains(&tried.standing(right)));
        let version = |tried: &&VersionResult| {
            let date = tried.snapshot.as_ref().map(|date| format!(", snapshot of {date}"));
            format!("{}{}", tried.version, date.unwrap_or_default())
        };
        of_kind.map(version).collect()
    };
    let fail = with(&[Standing::Affected, Standing::WrongOtherwise]);
    let work = with(&[Standing::NotAffected]);
    let mut out = format!(" Known to fail: {}.", fail.join("; "));
    if !work.is_empty() {
        let _ = write!(out, " Known to work: {}.", work.join("; "));
    }
    if is_regression(&tried.iter().copied(), right) {
        out.push_str(" This is a regression.");
    }
    out
}

/// Whether a version before the oldest affected one is right.
pub fn is_regression<'a>(
    tried: &(impl IntoIterator<Item = &'a VersionResult> + Clone),
    right: Option<&[u64]>,
) -> bool {
    let oldest = |wanted: Standing| {
        let of_kind = tried.clone().into_iter().filter(|tried| tried.standing(right) == wanted);
        of_kind.map(VersionResult::age).min()
    };
    let (first_right, first_wrong) = (oldest(Standing::NotAffected), oldest(Standing::Affected));
    first_right.zip(first_wrong).is_some_and(|(right, wrong)| right < wrong)
}

/// The affected versions among those with a count.
fn range(tried: &[&VersionResult], right: Option<&[u64]>) -> String {
    let mut counted: Vec<&&VersionResult> = tried.iter().filter(|tried| tried.count.is_ok()).collect();
    counted.sort_by_key(|tried| tried.age());
    let names = |wanted: Standing| -> Vec<String> {
        let of_kind = counted.iter().filter(|tried| tried.standing(right) == wanted);
        of_kind.map(|tried| tried.name()).collect()
    };
    let lists = [Standing::Affected, Standing::WrongOtherwise, Standing::NotAffected]
        .map(|standing| (standing.name(), names(standing)));
    let [(_, affected), (_, others), (_, clean)] = &lists;
    match (affected.as_slice(), others.as_slice(), clean.as_slice()) {
        ([], ..) => "None of the versions that were tried is affected.".into(),
        ([only], [], []) if tried.len() == 1 => {
            format!("{only} is affected; other versions were not tried.")
        }
        ([only], [], []) => format!("{only} is affected, and no other version could be tried."),
        ([first, .., last], [], []) => {
            format!("Every version that was tried is affected, from {first} to {last}.")
        }
        ([first, ..], [], clean) if counted.iter().skip(clean.len()).all(|tried| tried.affected) => {
            format!("Affected since {first}; not affected: {}.", clean.join(", "))
        }
        _ => {
            let lists = lists.iter().filter(|(_, names)| !names.is_empty());
            let lists: Vec<String> =
                lists.map(|(name, names)| format!("{name}: {}", names.join(", "))).collect();
            format!("{}.", capital(&lists.join("; ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_of_affected_versions_is_named() {
        let tried = |compiler: &str, affected: Option<bool>| VersionResult {
            compiler: compiler.into(),
            version: "1.2".into(),
            snapshot: None,
            count: if affected.is_some() { Ok(Some(0)) } else { Err("no report".into()) },
            verdict: None,
            affected: affected == Some(true),
        };
        let sentence = |all: &[(&str, Option<bool>)]| {
            let all: Vec<VersionResult> =
                all.iter().map(|(compiler, affected)| tried(compiler, *affected)).collect();
            range(&all.iter().collect::<Vec<_>>(), None)
        };
        let (yes, no) = (Some(true), Some(false));
        assert_eq!(
            sentence(&[("gcc-9", yes), ("gcc-12", yes), ("gcc-16", None)]),
            "Every version that was tried is affected, from gcc-9 to gcc-12."
        );
        assert_eq!(
            sentence(&[("gcc-12", yes), ("gcc-9", no)]),
            "Affected since gcc-12; not affected: gcc-9."
        );
        assert_eq!(sentence(&[("gcc-9", yes), ("gcc-12", no)]), "Affected: gcc-9; not affected: gcc-12.");
        assert!(sentence(&[("gcc-9", None)]).starts_with("None"));
        assert_eq!(sentence(&[("gcc-9", yes)]), "gcc-9 is affected; other versions were not tried.");
        assert_eq!(
            range(&[&tried("gcc-9", yes), &tried("gcc-12", no)], Some(&[3])),
            "Affected: gcc-9; wrong in another way: gcc-12."
        );
    }
}
