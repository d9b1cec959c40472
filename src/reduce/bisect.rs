//! Bisection: between which two builds of a profiler the result changed.

use anyhow::Result;

/// Two builds next to each other, apart from builds between them that cannot be tested, of which one is affected and the
/// other is not; none if the oldest and the newest build agree. `is_affected` is asked at most once for each build; it is
/// none for a build that cannot be tested.
pub(super) fn change(
    builds: usize,
    mut is_affected: impl FnMut(usize) -> Result<Option<bool>>,
) -> Result<Option<(usize, usize)>> {
    let mut all = 0..builds;
    let Some((mut before, first)) = first_tested(&mut all, &mut is_affected)? else { return Ok(None) };
    let Some((mut after, last)) = first_tested(&mut all.rev(), &mut is_affected)? else { return Ok(None) };
    if first == last {
        return Ok(None);
    }
    // Builds between the two that have not been tested.
    let mut between: Vec<usize> = (before + 1..after).collect();
    while !between.is_empty() {
        let build = between.remove(between.len() / 2);
        match is_affected(build)? {
            None => continue,
            Some(answer) if answer == first => before = build,
            Some(_) => after = build,
        }
        between.retain(|build| (before + 1..after).contains(build));
    }
    Ok(Some((before, after)))
}

/// The first of `builds` that can be tested, with its answer.
fn first_tested(
    builds: &mut impl Iterator<Item = usize>,
    is_affected: &mut impl FnMut(usize) -> Result<Option<bool>>,
) -> Result<Option<(usize, bool)>> {
    for build in builds {
        if let Some(answer) = is_affected(build)? {
            return Ok(Some((build, answer)));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The change in an archive whose builds are affected (`x`), not affected (`.`) or cannot be tested (`?`), and the
    /// number of builds that were tested.
    fn found(archive: &str) -> (Option<(usize, usize)>, usize) {
        let mut asked = vec![false; archive.len()];
        let change = change(archive.len(), |build| {
            assert!(!std::mem::replace(&mut asked[build], true), "build {build} was tested twice");
            Ok(match archive.as_bytes()[build] {
                b'x' => Some(true),
                b'.' => Some(false),
                _ => None,
            })
        });
        (change.unwrap(), asked.iter().filter(|asked| **asked).count())
    }

    #[test]
    fn the_first_affected_or_fixed_build_is_found() {
        assert_eq!(found("....xxx").0, Some((3, 4)));
        assert_eq!(found("xxx.").0, Some((2, 3)));
        assert_eq!(found(".?x").0, Some((0, 2)));
        assert_eq!(found("??.?x?x??").0, Some((2, 4)));
        for archive in ["", "x", "?", "??", "xx", "..x.", "?x?"] {
            assert_eq!(found(archive).0, None, "{archive}");
        }
    }

    #[test]
    fn few_builds_are_tested() {
        let archive = format!("{}{}", ".".repeat(700), "x".repeat(300));
        let (change, tested) = found(&archive);
        assert_eq!(change, Some((699, 700)));
        assert!(tested <= 12, "{tested}");
    }

    proptest! {
        #[test]
        fn the_two_builds_differ_and_none_between_them_can_be_tested(
            archive in proptest::collection::vec(prop_oneof![Just('x'), Just('.'), Just('?')], 0..40),
        ) {
            let text: String = archive.iter().collect();
            if let (Some((before, after)), _) = found(&text) {
                prop_assert!(before < after && archive[before] != archive[after]);
                prop_assert!(archive[before + 1..after].iter().all(|build| *build == '?'));
            }
        }
    }
}
