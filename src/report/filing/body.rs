//! What a report says, part by part, however it is laid out.

use super::super::counts::{place, shown};
use super::super::table::table;
use super::{Filing, words};
use crate::journal::{Standing, Tried};
use crate::model::{RelationName, major};
use crate::toolchain::{Annotated, REPORTED_SOURCE};

/// A part of a report.
#[derive(Clone, Debug)]
pub enum Part {
    /// A heading, where the layout has any.
    Heading(&'static str),
    /// Sentences.
    Text(String),
    /// What stands on a terminal, or a table.
    Block(String),
    /// The same, which few will read.
    Folded(&'static str, String),
}

/// Everything but title and fields. `mark` stands before a line's number.
pub fn parts(filing: &Filing<'_>, mark: &str) -> Vec<Part> {
    let bundle = filing.bundle;
    let mut parts = Vec::new();
    parts.extend(filing.class.as_ref().map(|class| Part::Text(class.note())));
    let Annotated { compiler, verbose, .. } = &filing.program;
    parts.push(Part::Folded("The compiler", format!("$ {compiler} -v\n{verbose}")));
    parts.push(Part::Heading("The program and its report"));
    parts.extend(session(&bundle.program, &filing.program));
    if bundle.finding.relation == RelationName::Views {
        parts.push(Part::Text("The same run in other formats is printed by".into()));
        parts.push(Part::Block(typed(&filing.program.others)));
    }
    parts.push(Part::Heading("What is wrong"));
    parts.push(Part::Text(words::claim(&bundle.finding, mark)));
    parts.extend(why(filing, mark).map(Part::Text));
    parts.extend(headers(filing).map(Part::Text));
    if bundle.program.replace("\r\n", "\n").contains(|c: char| c.is_control() && !"\n\t".contains(c)) {
        parts.push(Part::Text("Control characters of the program are shown as ^X.".into()));
    }
    if let (Some(source), Some(annotated)) = (&bundle.variant, &filing.variant) {
        let edit = bundle.finding.edit().unwrap_or_else(|| "code is deleted".into());
        let (title, what) = match bundle.finding.rewriting {
            None => ("The program without what is not executed", "With this edit the counts move"),
            Some(_) => ("The program, written differently", "The edit"),
        };
        parts.push(Part::Heading(title));
        parts.push(Part::Text(format!("{what}: {edit}.")));
        parts.extend(session(source, annotated));
    }
    parts.extend(contrast(filing));
    parts.push(Part::Heading("Affected versions"));
    parts.extend(versions(filing));
    parts
}

/// A program, the commands, and what they print.
fn session(source: &str, annotated: &Annotated) -> [Part; 2] {
    [
        Part::Block(format!("$ cat {REPORTED_SOURCE}\n{source}")),
        Part::Block(format!("{}{}", typed(&annotated.commands), annotated.report)),
    ]
}

fn typed(commands: &[String]) -> String {
    commands.iter().map(|command| format!("$ {command}\n")).collect()
}

/// How we know.
fn why(filing: &Filing<'_>, mark: &str) -> Option<String> {
    let finding = &filing.bundle.finding;
    let mut sentences = Vec::new();
    let counted = finding.truth.as_ref().is_some_and(|truth| !truth.is_empty());
    match (finding.line, counted) {
        (Some(line), true) => {
            let by = if filing.confirmed.counted { "this compiler" } else { "a compiler of the same family" };
            sentences.push(format!(
                "The right count of {} is that of a counter put into the source, which was then built by \
                 {by} without coverage; that program does what this one does.",
                place(finding.metric, line, mark)
            ));
        }
        _ if finding.relation == RelationName::Flow => {
            sentences.push(
                "Nobody counted: the right count follows from the other counts of the report alone.".into(),
            );
        }
        _ => {}
    }
    if finding.is_unseen() {
        let culprit = finding.culprit.iter().flat_map(|culprit| &culprit.lines);
        let lines: Vec<String> = culprit.map(|(first, _)| format!("{mark}{first}")).collect();
        sentences.push(format!(
            "With __builtin_trap() in the place of what begins on line {} the program dies by the trap, so that code runs.",
            lines.join(" and ")
        ));
    }
    let watchers = filing.confirmed.watchers.join(", ");
    match watchers.rsplit_once(", ") {
        Some((some, last)) => {
            sentences.push(format!("{some} and {last} find nothing wrong with the program."));
        }
        None if watchers.is_empty() => {}
        None => sentences.push(format!("{watchers} finds nothing wrong with the program.")),
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// That the program is not all that is needed, where it is not.
fn headers(filing: &Filing<'_>) -> Option<String> {
    let beside = filing.program.commands.iter().any(|command| command.contains(" -I. "));
    beside.then(|| "The headers that the program includes by #include \"…\" lie beside it.".into())
}

/// The nearest program that is counted right.
fn contrast(filing: &Filing<'_>) -> Vec<Part> {
    let bundle = filing.bundle;
    let told = bundle.reduction.as_ref().map(|reduction| &reduction.contrast);
    // Two programs stand side by side already.
    if told.is_none() && filing.variant.is_some() && bundle.contrast.is_none() {
        return Vec::new();
    }
    let mut parts = vec![Part::Heading("A program that is counted right")];
    if let (Some(source), Some(annotated)) = (&bundle.contrast, &filing.contrast) {
        parts.push(Part::Text(match told {
            Some(Ok(edit)) => when(edit),
            _ => "With a small edit the result is correct:".into(),
        }));
        parts.extend(session(source, annotated));
        return parts;
    }
    parts.push(Part::Text(match told {
        Some(Err(reason)) => format!("No program that is counted right is shown beside it: {reason}."),
        _ => "No similar program that is counted right was looked for.".into(),
    }));
    parts
}

/// The beginning of a sentence on the contrast: the edit is told as it stands behind "when".
fn when(edit: &str) -> String {
    format!("When {edit}, the result is correct:")
}

fn versions(filing: &Filing<'_>) -> Vec<Part> {
    let finding = &filing.bundle.finding;
    let is_own = |tried: &&Tried| tried.compiler.starts_with(finding.profiler.compiler());
    let tried: Vec<&Tried> = filing.bundle.versions.iter().filter(is_own).collect();
    if tried.is_empty() {
        return vec![Part::Text(format!("{} is affected; other versions were not tried.", finding.compiler))];
    }
    let right = finding.truth.as_deref();
    let rows: Vec<Vec<String>> = tried
        .iter()
        .map(|tried| {
            let says = tried.standing(right).name();
            let (count, says) = match &tried.count {
                Err(reason) => ("-".into(), format!("{says}: {reason}")),
                Ok(count) => (shown(*count), says.into()),
            };
            vec![tried.compiler.clone(), tried.version.clone(), count, says]
        })
        .collect();
    vec![
        Part::Text(range(&tried, right)),
        Part::Block(table(&["compiler", "version", "count", ""], &[2], &rows)),
    ]
}

/// Where the affected versions begin and end, among those that told anything.
fn range(tried: &[&Tried], right: Option<&[u64]>) -> String {
    let mut told: Vec<&&Tried> = tried.iter().filter(|tried| tried.count.is_ok()).collect();
    told.sort_by_key(|tried| major(&tried.compiler));
    let names = |wanted: Standing| -> Vec<&str> {
        let of_kind = told.iter().filter(|tried| tried.standing(right) == wanted);
        of_kind.map(|tried| tried.compiler.as_str()).collect()
    };
    let (affected, clean) = (names(Standing::Affected), names(Standing::NotAffected));
    let others = names(Standing::WrongOtherwise);
    if !affected.is_empty() && !others.is_empty() {
        let mut said =
            format!("Affected: {}; wrong in another way: {}", affected.join(", "), others.join(", "));
        if !clean.is_empty() {
            said = format!("{said}; not affected: {}", clean.join(", "));
        }
        return said + ".";
    }
    match (affected.as_slice(), clean.as_slice()) {
        ([], _) => "None of the versions that were tried is affected.".into(),
        ([only], []) if tried.len() == 1 => format!("{only} is affected; other versions were not tried."),
        ([only], []) => format!("{only} is affected, and no other version could be tried."),
        ([first, .., last], []) => {
            format!("Every version that was tried is affected, from {first} to {last}.")
        }
        ([first, ..], clean) if told.iter().skip(clean.len()).all(|tried| tried.affected) => {
            format!("Affected since {first}; not affected: {}.", clean.join(", "))
        }
        (affected, clean) => {
            format!("Affected: {}; not affected: {}.", affected.join(", "), clean.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_told_by_where_they_begin() {
        let tried = |compiler: &str, affected: Option<bool>| Tried {
            compiler: compiler.into(),
            version: "1.2".into(),
            count: if affected.is_some() { Ok(Some(0)) } else { Err("no report".into()) },
            verdict: None,
            affected: affected == Some(true),
        };
        let said = |all: &[(&str, Option<bool>)]| {
            let all: Vec<Tried> = all.iter().map(|(compiler, affected)| tried(compiler, *affected)).collect();
            range(&all.iter().collect::<Vec<_>>(), None)
        };
        let (yes, no) = (Some(true), Some(false));
        assert_eq!(
            said(&[("gcc-9", yes), ("gcc-12", yes), ("gcc-16", None)]),
            "Every version that was tried is affected, from gcc-9 to gcc-12."
        );
        assert_eq!(said(&[("gcc-12", yes), ("gcc-9", no)]), "Affected since gcc-12; not affected: gcc-9.");
        assert_eq!(said(&[("gcc-9", yes), ("gcc-12", no)]), "Affected: gcc-9; not affected: gcc-12.");
        assert!(said(&[("gcc-9", None)]).starts_with("None"));
        assert_eq!(said(&[("gcc-9", yes)]), "gcc-9 is affected; other versions were not tried.");
        assert_eq!(
            range(&[&tried("gcc-9", yes), &tried("gcc-12", no)], Some(&[3])),
            "Affected: gcc-9; wrong in another way: gcc-12."
        );
    }

    #[test]
    fn an_edit_is_told_as_a_condition() {
        assert_eq!(
            when("`l:` on line 7 is removed"),
            "When `l:` on line 7 is removed, the result is correct:"
        );
    }
}
