//! Programs on which two profilers disagree, and the filter of C2V (ICSE 2019): a program is kept for inspection if its
//! inconsistent lines are not similar to those of a program that was kept before.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use crate::journal::{Journal, RunFolder};
use crate::model::{Finding, Line, RelationName, number_of};
use crate::syntax::without_comments;

/// Programs with at least this Jaccard similarity are similar.
const ALIKE: f64 = 0.8;

/// The largest number of kept programs that are named.
const NAMED: usize = 10;

/// A paragraph on the programs with a finding of `peer`; empty if there is none.
///
/// # Errors
/// If a source that a journal names is not in its run's folder.
pub fn inconsistent(journals: &[Journal]) -> Result<String> {
    let mut programs: BTreeMap<&str, (&RunFolder, &str, BTreeSet<Line>)> = BTreeMap::new();
    for journal in journals {
        for record in &journal.records {
            let is_of_peer = |finding: &&Finding| finding.relations().any(|name| name == RelationName::Peer);
            let lines: BTreeSet<Line> =
                record.findings.iter().filter(is_of_peer).flat_map(Finding::lines).collect();
            if !lines.is_empty() {
                let entry = programs.entry(&record.program);
                entry.or_insert_with(|| (&journal.folder, &record.source, BTreeSet::new())).2.extend(lines);
            }
        }
    }
    if programs.is_empty() {
        return Ok(String::new());
    }
    let tokens = |(folder, hash, lines): &(&RunFolder, &str, BTreeSet<Line>)| -> Result<BTreeSet<String>> {
        Ok(tokens(&fs_err::read_to_string(folder.blob(hash))?, lines))
    };
    let all: Vec<BTreeSet<String>> = programs.values().map(tokens).collect::<Result<_>>()?;
    let kept: Vec<&str> = kept(&all).into_iter().filter_map(|at| programs.keys().nth(at).copied()).collect();
    let more = if kept.len() > NAMED { " …" } else { "" };
    Ok(format!(
        "peer: {}, {} kept by C2V's filter (Jaccard < {ALIKE}): {}{more}\n",
        number_of(programs.len(), "inconsistent program"),
        kept.len(),
        kept[..kept.len().min(NAMED)].join(" ")
    ))
}

/// The indices of the `programs`, which are sets of tokens, that are not similar to one kept before them.
fn kept(programs: &[BTreeSet<String>]) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    for (at, tokens) in programs.iter().enumerate() {
        if kept.iter().all(|other| similarity(tokens, &programs[*other]) < ALIKE) {
            kept.push(at);
        }
    }
    kept
}

/// Jaccard similarity: the size of the intersection over the size of the union.
fn similarity(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let (shared, all) = (a.intersection(b).count(), a.union(b).count());
    if all == 0 { 1.0 } else { shared as f64 / all as f64 }
}

/// The tokens of `lines`: words, numbers, and single other characters.
fn tokens(source: &str, lines: &BTreeSet<Line>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (_, text) in (1..).zip(without_comments(source).lines()).filter(|(line, _)| lines.contains(line)) {
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let end = if is_word(first) { word } else { first.len_utf8() };
            found.insert(rest[..end].to_string());
            rest = rest[end..].trim_start();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> BTreeSet<String> {
        tokens(text, &BTreeSet::from([1]))
    }

    #[test]
    fn only_tokens_of_the_inconsistent_lines_count_and_comments_do_not() {
        let found = tokens("a;\nb1 += 2; /* no */\nc;\n", &BTreeSet::from([2]));
        assert_eq!(found, ["b1", "+", "=", "2", ";"].map(String::from).into());
    }

    #[test]
    fn a_program_is_kept_if_it_is_not_similar_to_a_kept_one() {
        let first = of("for (i = 0; i < 9; i++)");
        // One of ten tokens differs: 9 of 11.
        let alike = of("for (i = 0; i < 8; i++)");
        let other = of("while (x)");
        assert!(similarity(&first, &alike) < 0.9 && similarity(&first, &alike) >= ALIKE);
        assert_eq!(kept(&[first.clone(), alike, other, first]), [0, 2]);
        assert_eq!(kept(&[BTreeSet::new(), BTreeSet::new()]), [0]);
    }

    #[test]
    fn a_program_similar_to_one_that_was_not_kept_may_be_kept() {
        let chain = ["a b c d e f g h i", "a b c d e f g h j", "a b c d e f g k j"].map(of);
        assert_eq!(kept(&chain), [0, 2]);
    }
}
