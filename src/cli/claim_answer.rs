//! The answer of `recount claim` for one profiler, from the finding on the claimed count, the counts that are reported,
//! and ground truth.

use crate::model::{Count, Finding, LARGEST_COUNT, ReportNumber, Rule, Verdict, WrongKind, named_enum};

named_enum! {
    /// The result for one profiler.
    pub enum Answer {
        Confirmed = "wrong, as claimed",
        WrongOtherwise = "wrong, but the claimed count is wrong too",
        Convention = "intended behaviour",
        /// Several counts are right; the report has one, the claim another.
        Several = "not decided: ground truth admits both counts",
        /// The line has nothing but braces, and no root cause is known for its count.
        Braces = "not decided: the count of a line of braces is no evidence of a fault",
        /// The difference is due to the program, not to the profiler.
        Unstable = "unstable",
        NotAffected = "not affected",
        ClaimIsWrong = "right; the claim is wrong",
        NoCount = "not affected: the line has no count, and needs none",
        NoTruth = "no ground truth",
        /// There is no report.
        Untried = "not checked",
    }
}

/// The answer on the count of a line.
pub fn answer(
    is_profiled: bool,
    finding: Option<&Finding>,
    count: Count,
    truth: &[u64],
    expected: Count,
) -> Answer {
    let is_right = |count: Count| count.map_or(truth.is_empty(), |count| truth.contains(&count));
    let is_without_code = finding.is_some_and(|finding| finding.rule == Some(Rule::Wrong(WrongKind::NoCode)));
    let is_confirmed = match expected {
        None => is_without_code,
        // A trap proves that the line ran, but not how often.
        Some(claimed) if truth.is_empty() => claimed > 0 && !is_without_code,
        Some(_) => is_right(expected),
    };
    match finding.map(|finding| finding.verdict) {
        _ if !is_profiled => Answer::Untried,
        Some(Verdict::Wrong) if is_confirmed => Answer::Confirmed,
        Some(Verdict::Wrong) => Answer::WrongOtherwise,
        Some(Verdict::Convention) if count != expected || !is_right(count) => Answer::Convention,
        Some(Verdict::Unstable) => Answer::Unstable,
        _ if count == expected => Answer::NotAffected,
        _ if count.is_none() => Answer::NoCount,
        _ if truth.is_empty() => Answer::NoTruth,
        _ if !is_right(count) => Answer::Braces,
        _ if is_right(expected) => Answer::Several,
        _ => Answer::ClaimIsWrong,
    }
}

/// [`answer`] for a metric that may have several counts on the line: the claim is about any of them.
pub fn answer_of_several(
    is_profiled: bool,
    finding: Option<&Finding>,
    numbers: &[ReportNumber],
    expected: Count,
) -> Answer {
    let is_claimed = |right: &[u64]| expected.is_some_and(|count| right.contains(&count));
    // A count that no program reaches is wrong, whatever the right one is.
    let is_impossible = |number: &ReportNumber| {
        number.is_wrong() && number.expected.is_empty() && number.count > Some(LARGEST_COUNT)
    };
    // Code that is never evaluated needs no elements, although a zero in them is right.
    let is_needless = |finding: &Finding| {
        finding.rule == Some(Rule::Wrong(WrongKind::NoCode))
            || finding.signature.ends_with("/unevaluated-code")
    };
    let is_right = |number: &ReportNumber| !number.expected.is_empty() && !number.is_wrong();
    // A zero may be in the code that is never evaluated.
    let is_needed = |number: &ReportNumber| is_right(number) && number.count > Some(0);
    let is_confirmed = |finding: &Finding| {
        let truth = finding.truth.as_deref().unwrap_or_default();
        finding.before != expected && is_claimed(truth)
            || expected.is_none() && is_needless(finding) && !numbers.iter().any(is_needed)
            || expected.is_some_and(|count| count < LARGEST_COUNT) && numbers.iter().any(is_impossible)
            || numbers.iter().any(|number| number.is_wrong() && is_claimed(&number.expected))
    };
    let reports = |number: &&ReportNumber| number.count == expected;
    match finding {
        _ if !is_profiled => Answer::Untried,
        Some(finding) if finding.verdict == Verdict::Wrong && is_confirmed(finding) => Answer::Confirmed,
        // Another count on the line may be the claimed one.
        Some(finding) if finding.verdict == Verdict::Convention && is_confirmed(finding) => {
            Answer::Convention
        }
        _ if numbers.iter().filter(reports).any(is_right) => Answer::NotAffected,
        Some(Finding { verdict: Verdict::Wrong, .. }) => Answer::WrongOtherwise,
        Some(Finding { verdict: Verdict::Convention, .. }) => Answer::Convention,
        Some(Finding { verdict: Verdict::Unstable, .. }) => Answer::Unstable,
        _ if numbers.is_empty() && expected.is_some() => Answer::NoCount,
        _ if numbers.is_empty() || numbers.iter().any(|number| reports(&number)) => Answer::NotAffected,
        _ if numbers.iter().all(|number| number.expected.is_empty()) => Answer::NoTruth,
        _ if numbers.iter().any(|number| is_right(number) && is_claimed(&number.expected)) => Answer::Several,
        // The claim may be about one of those that are not known.
        _ if numbers.iter().any(|number| number.reason.is_some()) => Answer::NoTruth,
        _ => Answer::ClaimIsWrong,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Metric;

    #[test]
    fn without_a_finding_the_report_is_right_or_says_nothing() {
        let of = |count, truth: &[u64], expected| answer(true, None, count, truth, expected);
        assert_eq!(of(Some(2), &[2], Some(2)), Answer::NotAffected);
        assert_eq!(of(Some(2), &[2], Some(1)), Answer::ClaimIsWrong);
        assert_eq!(of(Some(2), &[1, 2], Some(1)), Answer::Several);
        assert_eq!(of(None, &[2], Some(2)), Answer::NoCount);
        assert_eq!(of(Some(2), &[], Some(1)), Answer::NoTruth);
        assert_eq!(of(Some(3), &[1], Some(1)), Answer::Braces);
        assert_eq!(of(Some(3), &[1], None), Answer::Braces);
        assert_eq!(answer(false, None, None, &[], Some(1)), Answer::Untried);
    }

    #[test]
    fn a_claim_may_be_about_any_of_several_counts() {
        let number = |count, expected: &[u64]| ReportNumber {
            metric: Metric::Region,
            line: 1,
            what: String::new(),
            count,
            expected: expected.to_vec(),
            reason: None,
            whole: None,
        };
        let of = |numbers: &[ReportNumber], expected| answer_of_several(true, None, numbers, expected);
        let numbers = [number(Some(1), &[1]), number(Some(2), &[2])];
        assert_eq!(of(&numbers, Some(2)), Answer::NotAffected);
        assert_eq!(of(&numbers, Some(3)), Answer::ClaimIsWrong);
        assert_eq!(of(&[], Some(3)), Answer::NoCount);
        assert_eq!(of(&[], None), Answer::NotAffected);
        assert_eq!(of(&[number(Some(1), &[])], Some(3)), Answer::NoTruth);
        let unknown = ReportNumber { reason: Some("not known".into()), ..number(Some(2), &[]) };
        assert_eq!(of(&[number(Some(1), &[1]), unknown], Some(3)), Answer::NoTruth);
        assert_eq!(answer_of_several(false, None, &[], Some(1)), Answer::Untried);
    }
}
