//! A small set of inputs that meets what all of them meet.

use super::session::Found;

/// Indices into `found` of a greedy cover of `wanted` targets: at each step the input that meets most of what
/// is left, the earliest of equals.
pub fn cover(found: &[Found], wanted: &[bool]) -> Vec<usize> {
    let mut left: Vec<bool> = wanted.to_vec();
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
    use super::super::run::Ended;
    use super::*;

    #[test]
    fn what_others_meet_is_left_out() {
        let found =
            |meets: &[usize]| Found { input: Vec::new(), ended: Ended::Returned, meets: meets.to_vec() };
        let all = [found(&[0]), found(&[0, 1]), found(&[2]), found(&[1, 2]), found(&[3])];
        assert_eq!(cover(&all, &[true, true, true, false]), [1, 2]);
    }
}
