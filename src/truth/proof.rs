//! The proof that the instrumented program is the program.
//!
//! With its counters compiled away, it must compile to the code of the program, twice. Without optimisation, nothing but
//! the braces and parentheses of the instrumentation is left in it: code whose result is never used counts here too.
//! With optimisation, everything is left that the counters do not need. Only the names of local labels may differ.
//!
//! The proof says that the instrumented program executes what the program executes. That each counter is in the right
//! place is tested elsewhere (`tests/truth_property.rs`, `scripts/prove-truth`).

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use anyhow::Result;
use regex::{Captures, Regex};

use super::own_lines;
use crate::syntax::{Instrumented, Preprocessed, Uncounted, instrument, without_comments};
use crate::toolchain::{Assembly, Profiler, Request, SOURCE, Worker, assemble, counts_conditions};

/// Levels at which the program without counters may be shown to be the program. Equality at one of them is enough; the
/// allocation of registers may differ at another.
const LEVELS: [&str; 3] = ["-O1", "-O2", "-Os"];

/// Whether the instrumented program of `request` is proved to be the program, with the compiler of `profiler`; the reason
/// why not.
///
/// # Errors
/// Internal errors, errors of the machine, and interrupts.
pub fn prove(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    request: &Request<'_>,
) -> Result<std::result::Result<(), String>> {
    let source = own_lines(profiler, request.source);
    let with_vectors = counts_conditions(request.flags);
    let stripped = without_comments(&source);
    let request = Request { source: &stripped, ..*request };
    let mut compare = |pairs: &[(Uncounted, &'static str)]| {
        let assembled = assemble(profiler, worker, &request, |text| {
            let instrumented = instrument(&Preprocessed::new(text, SOURCE).of(&source), with_vectors);
            instrumented.map_or_else(Vec::new, |found| units(&found, pairs))
        })?;
        Ok::<_, anyhow::Error>(assembled.map(|texts| texts.chunks(2).map(is_same).collect::<Vec<bool>>()))
    };
    let first = match compare(&[(Uncounted::Shape, "-O0"), (Uncounted::Values, LEVELS[0])])? {
        Ok(first) => first,
        Err(outcome) => {
            let reason = outcome.reason().map_or_else(String::new, |reason| format!(", {reason}"));
            return Ok(Err(format!("{}{reason}", outcome.name())));
        }
    };
    match first[..] {
        [true, true] => return Ok(Ok(())),
        [false, _] => return Ok(Err("its code differs without optimisation".into())),
        _ => {}
    }
    for level in &LEVELS[1..] {
        if compare(&[(Uncounted::Values, level)])?.is_ok_and(|same| same == [true]) {
            return Ok(Ok(()));
        }
    }
    Ok(Err(format!("its code differs with {}", LEVELS.join(", "))))
}

fn units(found: &Instrumented, pairs: &[(Uncounted, &'static str)]) -> Vec<Assembly> {
    let both = |(remains, level): &(Uncounted, &'static str)| {
        [found.original().to_string(), found.without_counters(*remains)].map(|text| Assembly { text, level })
    };
    pairs.iter().flat_map(both).collect()
}

fn is_same(texts: &[String]) -> bool {
    normal_form(&texts[0]) == normal_form(&texts[1])
}

/// Assembly with local labels numbered in their order, without comments and without directives that only describe.
fn normal_form(assembly: &str) -> String {
    static IGNORED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^\s*(?:#|//|nop\b|\.(?:file|loc|ident|cfi\w*|p2align|size|type)\b).*\n")
            .expect("a constant")
    });
    static LABEL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\.L[\w.$]+").expect("a constant"));
    let code = IGNORED.replace_all(assembly, "");
    let mut numbers = HashMap::new();
    let numbered = |found: &Captures<'_>| {
        let next = numbers.len();
        format!(".L{}", numbers.entry(found[0].to_string()).or_insert(next))
    };
    match LABEL.replace_all(&code, numbered) {
        Cow::Borrowed(_) => code.into_owned(),
        Cow::Owned(numbered) => numbered,
    }
}

#[cfg(test)]
mod tests {
    use super::normal_form;

    #[test]
    fn only_the_names_of_labels_may_differ() {
        let one = "\t.file\t\"a.c\"\nf:\n.L2:\n\tjne\t.L2\n\tjmp\t.L7\n";
        let same = "f:\n\tnop\n.L5:\n\tjne\t.L5\n\tjmp\t.L1\n";
        let other = "f:\n.L5:\n\tjne\t.L1\n\tjmp\t.L5\n";
        assert_eq!(normal_form(one), normal_form(same));
        assert_ne!(normal_form(one), normal_form(other));
    }
}
