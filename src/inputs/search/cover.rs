//! A small set of inputs that meets all targets that were met.

use super::session::Found;

/// Indices into `found` of a greedy cover of the `requested` targets: each step takes the input that meets most of the
/// remaining targets, and the earliest of equals.
pub fn cover(found: &[Found], requested: &[bool]) -> Vec<usize> {
    let mut left: Vec<bool> = requested.to_vec();
    let mut chosen = Vec::new();
    loop {
        let gain = |at: &usize| found[*at].meets.iter().filter(|target| left[**target]).count();
        let best = (0..found.len()).rev().max_by_key(gain).filter(|at| gain(at) > 0);
        let Some(best) = best else { break };
        for target in &found[best].meets {
            left[*target] = false;
        }
        chosen.push(best);
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::super::run::RunEnd;
    use super::super::session::Input;
    use super::*;

    #[test]
    fn inputs_that_add_nothing_are_left_out() {
        let input = Input { bits: Vec::new(), end: RunEnd::Returned, last_line: None };
        let found = |meets: &[usize]| Found { input: input.clone(), meets: meets.to_vec() };
        let all = [found(&[0]), found(&[0, 1]), found(&[2]), found(&[1, 2]), found(&[3])];
        assert_eq!(cover(&all, &[true, true, true, false]), [1, 2]);
    }
}
