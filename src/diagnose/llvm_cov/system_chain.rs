//! Chains of `&&` and `||` in macros of the system, which are one condition each.

use super::facts::{Facts, Position};
use crate::diagnose::decision::decisions_on;
use crate::model::{Cause, Layer, Symptom};
use crate::replay::{uncounted_chain_at, uncounted_chains};
use crate::syntax::SystemChain;

const MECHANISM: &str = "chain-in-system-macro";

impl Facts<'_> {
    /// The fault that the operand with a branch at `start` has no counter of its own, and `formula` is its count instead.
    pub(super) fn uncounted_chain(&self, start: Position, formula: &str) -> Option<Cause> {
        let found = uncounted_chain_at(self.truth, Some(self.data.version), start)?;
        let evidence = format!(
            "The operand at {}:{} is a chain in a macro of the system, which has no counter; its branch has the count {formula}.",
            start.0, start.1
        );
        Some(self.chain_fault(found, evidence))
    }

    /// The fault that such an operand of the decision of `symptom` has no bit in the test vectors: those that contain its value are
    /// lost.
    pub(super) fn unrecorded_chain(&self, symptom: &Symptom) -> Option<Cause> {
        let is_low = symptom.reported.is_none() || symptom.reported < symptom.expected.last().copied();
        let here = decisions_on(self.truth, symptom.line);
        let is_in = |chain: &&SystemChain| {
            here.iter().any(|found| found.chain.operands.contains(&chain.points.start))
        };
        let found = uncounted_chains(self.truth, Some(self.data.version)).find(is_in).filter(|_| is_low)?;
        let evidence = format!(
            "An operand of the decision on line {} is a chain in a macro of the system, whose value no test vector has.",
            symptom.line
        );
        Some(self.chain_fault(found, evidence))
    }

    fn chain_fault(&self, chain: &SystemChain, evidence: String) -> Cause {
        Cause::new(Layer::Mapping, MECHANISM, self.element("operand", chain.points.start), evidence)
    }
}
