//! What was found, for people and for programs.

use std::fmt::Write;

use serde_json::{Value, json};

use super::search::Ended;
use super::{Answer, Input};
use crate::coverage::Share;
use crate::report::table;

/// One test a line, in hexadecimal bits, separated by spaces.
pub fn hex(found: &Answer) -> String {
    let line = |input: &Input| {
        let cells = found.cells.iter().zip(&input.bits);
        let words: Vec<String> = cells
            .map(|(cell, bits)| {
                let digits = (cell.number.width() as usize).div_ceil(4);
                let mask = if digits >= 16 { u64::MAX } else { (1 << (4 * digits)) - 1 };
                format!("0x{:0digits$x}", bits & mask)
            })
            .collect();
        words.join(" ") + "\n"
    };
    found.inputs.iter().map(line).collect()
}

/// Everything, with exact values.
pub fn json(found: &Answer) -> Value {
    let input = |input: &Input| {
        let cells = found.cells.iter().zip(&input.bits).map(|(cell, bits)| {
            json!({
                "cell": cell.label,
                "type": cell.number,
                "value": cell.number.decimal(*bits),
                "literal": cell.number.literal(*bits),
                "bits": format!("{bits:#x}"),
            })
        });
        json!({ "cells": cells.collect::<Vec<_>>(), "ends": input.ended, "behind": input.behind })
    };
    let outcome = &found.outcome;
    let target = |at: usize| {
        let target = &outcome.targets[at];
        json!({ "target": target.name, "line": target.line })
    };
    let unmet = outcome.unmet.iter().map(|(at, closest)| {
        let mut unmet = target(*at);
        unmet["closest"] = closest.map_or(Value::Null, |closest| Value::from(closest.to_string()));
        unmet["only_by_faults"] = outcome.only_by_faults.contains(at).into();
        unmet
    });
    json!({
        "entry": found.entry,
        "line": found.line,
        "targets": outcome.targets.iter().filter(|target| target.wanted).count(),
        "met": met(found),
        "inputs": found.inputs.iter().map(input).collect::<Vec<_>>(),
        "faults": found.faults.iter().map(input).collect::<Vec<_>>(),
        "deemed_infeasible": unmet.collect::<Vec<_>>(),
        "complete": outcome.complete,
        "evaluations": outcome.evaluations,
        "seconds": found.seconds,
        "coverage": found.coverage,
    })
}

/// How many of the wanted targets were met.
pub fn met(found: &Answer) -> usize {
    let wanted = found.outcome.targets.iter().filter(|target| target.wanted).count();
    wanted - found.outcome.unmet.len()
}

/// For people.
pub fn text(found: &Answer) -> String {
    let outcome = &found.outcome;
    let wanted = outcome.targets.iter().filter(|target| target.wanted).count();
    let mut out = format!(
        "{} (line {}): {} of {wanted} met by {} inputs, {} evaluations in {:.3} s\n",
        found.entry,
        found.line,
        met(found),
        found.inputs.len(),
        outcome.evaluations,
        found.seconds,
    );
    if let Some(columns) = found.coverage {
        let share = |share: Share| match share.of {
            0 => "none there".to_string(),
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
    if !found.inputs.is_empty() && !found.cells.is_empty() {
        out.push('\n');
        let head: Vec<&str> = found.cells.iter().map(|cell| cell.label.as_str()).collect();
        let rows: Vec<Vec<String>> = found.inputs.iter().map(|input| literals(found, input)).collect();
        out.push_str(&table(&head, &[], &rows));
    }
    faults(&mut out, found);
    unmet(&mut out, found);
    out
}

fn literals(found: &Answer, input: &Input) -> Vec<String> {
    found.cells.iter().zip(&input.bits).map(|(cell, bits)| cell.number.literal(*bits)).collect()
}

fn faults(out: &mut String, found: &Answer) {
    if found.faults.is_empty() {
        return;
    }
    out.push_str("\nInputs that end badly:\n");
    for fault in &found.faults {
        let how = match fault.ended {
            Ended::Signalled(8) => "division by zero or overflow (SIGFPE)".to_string(),
            Ended::Signalled(11) => "a crash (SIGSEGV)".to_string(),
            Ended::Signalled(4) => "an index outside of its array, or a trap (SIGILL)".to_string(),
            Ended::Signalled(6) => "abort (SIGABRT)".to_string(),
            Ended::Signalled(number) => format!("signal {number}"),
            Ended::Endless => "no end within its steps".to_string(),
            Ended::Returned | Ended::Exited(_) => "well".to_string(),
        };
        let behind = fault.behind.map_or(String::new(), |line| format!(" behind line {line}"));
        let _ = writeln!(out, "  {how}{behind}: {}", literals(found, fault).join(", "));
    }
}

fn unmet(out: &mut String, found: &Answer) {
    let outcome = &found.outcome;
    let (by_faults, infeasible): (Vec<_>, Vec<_>) =
        outcome.unmet.iter().partition(|(at, _)| outcome.only_by_faults.contains(at));
    let name = |at: usize| format!("line {}: {}", outcome.targets[at].line, outcome.targets[at].name);
    if !by_faults.is_empty() {
        out.push_str("\nMet only by inputs that end badly:\n");
        for (at, _) in by_faults {
            let _ = writeln!(out, "  {}", name(*at));
        }
    }
    if !infeasible.is_empty() {
        let heading =
            if outcome.complete { "Deemed infeasible" } else { "Not met when the search had to end" };
        let _ = writeln!(out, "\n{heading}:");
        for (at, closest) in infeasible {
            let note = closest
                .map_or("never reached".to_string(), |closest| format!("closest: {closest} steps away"));
            let _ = writeln!(out, "  {} ({note})", name(*at));
        }
    }
}
