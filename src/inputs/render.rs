//! Prints answers in formats for people and for programs.

use std::fmt::Write;

use serde_json::{Value, json};

use super::answer::Answer;
use super::search::{Input, RunEnd};
use crate::coverage::Share;
use crate::model::number_of;
use crate::report::table;

/// One input per line, in hexadecimal bits, separated by spaces.
pub fn hex(answer: &Answer) -> String {
    let line = |input: &Input| {
        let words = answer.values(input, |number, bits| {
            let digits = (number.width() as usize).div_ceil(4);
            let mask = if digits >= 16 { u64::MAX } else { (1 << (4 * digits)) - 1 };
            format!("0x{:0digits$x}", bits & mask)
        });
        words.join(" ") + "\n"
    };
    answer.inputs.iter().map(line).collect()
}

/// Everything, with exact values.
pub fn json(answer: &Answer) -> Value {
    let input = |input: &Input| {
        let cells = answer.cells.iter().zip(&input.bits).map(|(cell, bits)| {
            json!({
                "cell": cell.label,
                "type": cell.number,
                "value": cell.number.decimal(*bits),
                "literal": cell.number.literal(*bits),
                "bits": format!("{bits:#x}"),
            })
        });
        json!({ "cells": cells.collect::<Vec<_>>(), "ends": input.end, "behind": input.last_line })
    };
    let outcome = &answer.outcome;
    let unmet = outcome.unmet.iter().map(|(at, closest)| {
        json!({
            "target": outcome.targets[*at].name,
            "line": outcome.targets[*at].line,
            // As text, because it may exceed 64 bits.
            "closest": closest.map(|closest| closest.to_string()),
            "only_by_faults": outcome.only_by_faults.contains(at),
        })
    });
    json!({
        "entry": answer.entry,
        "line": answer.line,
        "targets": answer.requested(),
        "met": answer.met(),
        "inputs": answer.inputs.iter().map(input).collect::<Vec<_>>(),
        "faults": outcome.faults.iter().map(input).collect::<Vec<_>>(),
        "deemed_infeasible": unmet.collect::<Vec<_>>(),
        "complete": outcome.complete,
        "evaluations": outcome.evaluations,
        "seconds": answer.seconds,
        "coverage": answer.coverage,
    })
}

/// For people.
pub fn text(answer: &Answer) -> String {
    let mut out = format!(
        "{} (line {}): {} of {} met by {}, {} evaluations in {:.3} s\n",
        answer.entry,
        answer.line,
        answer.met(),
        answer.requested(),
        number_of(answer.inputs.len(), "input"),
        answer.outcome.evaluations,
        answer.seconds,
    );
    if let Some(columns) = answer.coverage {
        let share = |share: Share| match share.of {
            0 => "none".to_string(),
            of => format!("{:.2} % of {of}", share.percent()),
        };
        let _ = writeln!(
            out,
            "gcov: lines {}, branches executed {}, taken at least once {}, calls {}",
            share(columns.lines),
            share(columns.conditions),
            share(columns.branches),
            share(columns.calls),
        );
    }
    if !answer.inputs.is_empty() && !answer.cells.is_empty() {
        let head: Vec<&str> = answer.cells.iter().map(|cell| cell.label.as_str()).collect();
        let rows: Vec<Vec<String>> = answer.inputs.iter().map(|input| answer.literals(input)).collect();
        let _ = write!(out, "\n{}", table(&head, &[], rows));
    }
    let faults = answer.outcome.faults.iter().map(|fault| {
        let line = fault.last_line.map_or(String::new(), |line| format!(" after line {line}"));
        format!("{}{line}: {}", end(fault.end), answer.literals(fault).join(", "))
    });
    list(&mut out, "Inputs with which the function does not end cleanly", &faults.collect::<Vec<_>>());
    list_unmet(&mut out, answer);
    out
}

fn list(out: &mut String, heading: &str, rows: &[String]) {
    if !rows.is_empty() {
        let _ = write!(out, "\n{heading}:\n  {}\n", rows.join("\n  "));
    }
}

fn end(end: RunEnd) -> String {
    let text = match end {
        RunEnd::Signalled(4) => "an index outside its array, or a trap (SIGILL)",
        RunEnd::Signalled(6) => "abort (SIGABRT)",
        RunEnd::Signalled(8) => "division by zero or overflow (SIGFPE)",
        RunEnd::Signalled(11) => "a crash (SIGSEGV)",
        RunEnd::Signalled(number) => return format!("signal {number}"),
        RunEnd::Endless => "no end within the limits of a run",
        RunEnd::Returned | RunEnd::Exited(_) => "a normal end",
    };
    text.to_string()
}

fn list_unmet(out: &mut String, answer: &Answer) {
    let outcome = &answer.outcome;
    let name = |at: usize| format!("line {}: {}", outcome.targets[at].line, outcome.targets[at].name);
    let (by_faults, infeasible): (Vec<_>, Vec<_>) =
        outcome.unmet.iter().partition(|(at, _)| outcome.only_by_faults.contains(at));
    list(out, "Met only by such inputs", &by_faults.into_iter().map(|(at, _)| name(*at)).collect::<Vec<_>>());
    let heading = if outcome.complete { "Deemed infeasible" } else { "Not met when the search had to end" };
    let infeasible = infeasible.into_iter().map(|(at, closest)| {
        let note =
            closest.map_or("never reached".to_string(), |closest| format!("closest: {closest} steps away"));
        format!("{} ({note})", name(*at))
    });
    list(out, heading, &infeasible.collect::<Vec<_>>());
}
