//! The compiler flags and the header for each [`Perturbation`].

use super::request::Perturbation;

/// A header that moves a program's data, constants and zeros.
pub const PADDING: &str = "padding.h";

const PADDING_TEXT: &str = "\
static __attribute__((used)) char recount_data[4099] = {1};
static __attribute__((used)) const char recount_constants[1031] = {1};
static __attribute__((used)) char recount_zeros[2053];
static __attribute__((used)) const char *const recount_text = \"a string literal of an odd length\";
";

/// Moves them by another number of bytes: literals by 12 instead of 2 of each 16.
const MORE_PADDING: &str = "\
static __attribute__((used)) char recount_more_data[5] = {1};
static __attribute__((used)) const char *const recount_more_text = \"nine more\";
";

/// The text of [`PADDING`] for a build that has it.
pub fn padding(perturbation: Perturbation) -> Option<String> {
    match perturbation {
        Perturbation::Layout => Some(PADDING_TEXT.to_string()),
        Perturbation::Distances => Some([PADDING_TEXT, MORE_PADDING].concat()),
        Perturbation::Nothing | Perturbation::Uninitialised | Perturbation::Zeroed => None,
    }
}

/// Compiler flags of the perturbation; `has_pattern` where the compiler can initialise variables.
pub fn perturbation_flags(perturbation: Perturbation, has_pattern: bool) -> Vec<String> {
    let mut flags: Vec<&str> = Vec::new();
    match perturbation {
        Perturbation::Nothing => {}
        Perturbation::Layout => flags.push("-falign-functions=512"),
        // Functions with odd lengths, because a program may depend on any bit of a distance.
        Perturbation::Distances => flags.extend(["-falign-functions=1", "-fpatchable-function-entry=37"]),
        Perturbation::Uninitialised => {
            flags.extend(has_pattern.then_some("-ftrivial-auto-var-init=pattern"));
        }
        Perturbation::Zeroed => flags.extend(has_pattern.then_some("-ftrivial-auto-var-init=zero")),
    }
    if padding(perturbation).is_some() {
        flags.extend(["-fstack-protector-all", "-include", PADDING]);
        // Longer calls and addresses move everything inside a function.
        flags.extend(cfg!(target_arch = "x86_64").then_some("-mcmodel=large"));
    }
    flags.into_iter().map(String::from).collect()
}
