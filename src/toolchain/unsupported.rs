//! Programs and flags that recount does not check, each with the reason and the remedy.
//!
//! Flags that a relation adds are not restricted: the relation knows how they change the report.

use crate::model::{Family, OPTIMISED};

/// Options of LLVM with which a counter says that code ran, but not how often.
const WITHOUT_COUNTS: [&str; 2] = ["enable-single-byte-coverage", "conditional-counter-update"];

/// What the user asks recount to check.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    pub is_cxx: bool,
    /// The flags of the program and of the command line, without those that recount adds.
    pub flags: &'a [String],
    /// Whether the report is compared with ground truth.
    pub wants_truth: bool,
}

/// Why a profiler of `family` cannot be checked on this program, and what to do.
pub fn unsupported(family: Family, asked: &Asked<'_>) -> Option<String> {
    if asked.is_cxx {
        return Some(
            "it is a C++ source, and recount checks C only; translate it to C, or leave it out".into(),
        );
    }
    let with_flag = asked.flags.iter().find_map(|flag| unsupported_flag(flag));
    with_flag.or_else(|| optimisation(family, asked))
}

/// Options of both compilers by which functions or files are left out of the profile.
const SELECTIONS: [&str; 5] = [
    "-fprofile-exclude-files=",
    "-fprofile-filter-files=",
    "-fprofile-function-groups=",
    "-fprofile-list=",
    "-fprofile-selected-function-group=",
];

fn unsupported_flag(flag: &str) -> Option<String> {
    if SELECTIONS.iter().any(|option| flag.starts_with(option)) {
        return Some(format!("{flag} leaves functions out of the report; remove it from the flags"));
    }
    // The option may be a word of its own after -mllvm, or be joined to it by `=`.
    let is_off = flag.ends_with("=false") || flag.ends_with("=0");
    WITHOUT_COUNTS.iter().find(|option| flag.contains(**option) && !is_off).map(|option| {
        format!("single-byte counters do not count how often a line runs; remove -{option} from the flags")
    })
}

/// gcov's counts are defined without optimisation only ("Using gcov with GCC Optimization" in GCC's manual). The last
/// of several levels applies.
fn optimisation(family: Family, asked: &Asked<'_>) -> Option<String> {
    let level = asked.flags.iter().rfind(|flag| flag.starts_with("-O"))?;
    // Without ground truth, recount only compares reports with each other, as configs/cod.toml does at every level.
    if family != Family::Gcov || level == "-O0" || !asked.wants_truth {
        return None;
    }
    Some(format!("{OPTIMISED}; remove {level} from the flags, or use llvm-cov"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Asked<'_> = Asked { is_cxx: false, flags: &[], wants_truth: true };

    fn reason(family: Family, flags: &[&str]) -> Option<String> {
        let flags: Vec<String> = flags.iter().map(ToString::to_string).collect();
        unsupported(family, &Asked { flags: &flags, ..PLAIN })
    }

    #[test]
    fn gcov_is_not_checked_with_optimisation_and_llvm_cov_is() {
        for level in ["-O", "-O1", "-O2", "-O3", "-Os", "-Ofast", "-Oz", "-Og"] {
            let reason = |family| reason(family, &["-DX", level]);
            assert!(reason(Family::Gcov).unwrap().contains(&format!("remove {level} from")), "{level}");
            assert_eq!(reason(Family::LlvmCov), None, "{level}");
        }
        assert_eq!(reason(Family::Gcov, &["-O2", "-O0"]), None, "the last level applies");
        assert!(reason(Family::Gcov, &["-O0", "-O2"]).is_some());
        assert_eq!(reason(Family::Gcov, &["-DO2", "-std=c99", "-fprofile-update=atomic"]), None);
    }

    #[test]
    fn each_unsupported_mode_has_a_remedy() {
        for family in [Family::Gcov, Family::LlvmCov] {
            for (flags, remedy) in [
                (&["-mllvm", "-enable-single-byte-coverage"][..], "remove -enable-single-byte-coverage"),
                (&["-mllvm=-enable-single-byte-coverage=true"], "remove -enable-single-byte-coverage"),
                (&["-fprofile-list=l"], "-fprofile-list=l leaves functions out"),
            ] {
                let reason = reason(family, flags).unwrap();
                assert!(reason.contains(remedy), "{flags:?}: {reason}");
            }
            assert_eq!(reason(family, &["-mllvm", "-enable-single-byte-coverage=false"]), None);
        }
        assert!(unsupported(Family::LlvmCov, &Asked { is_cxx: true, ..PLAIN }).is_some());
        assert_eq!(unsupported(Family::LlvmCov, &PLAIN), None);
    }
}
