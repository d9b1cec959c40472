//! Compiler flags of an imported test: which ones the program needs, which ones only say how it is optimised or
//! diagnosed, and which ones make it something that recount does not check.
//!
//! recount builds at -O0 with the profiler's own flags. A flag is kept if it changes what the source means or what it
//! is linked with. The others are dropped and named in `import.tsv`.

use super::{Skipped, skip};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sorted {
    pub kept: Vec<String>,
    pub dropped: Vec<String>,
}

impl Sorted {
    /// The note for `import.tsv` on the flags that are dropped.
    pub fn note(&self) -> Option<String> {
        (!self.dropped.is_empty()).then(|| format!("without {}", self.dropped.join(" ")))
    }
}

/// Flags whose value is the next word.
const WITH_VALUE: &str = "-D -U -l --param -aux-info -x -Xlinker -I -include -isystem -iquote -idirafter -imacros -L \
    -T -u -z -MF -MT -MQ -o -Xclang -mllvm -dumpdir";

/// Beginnings of flags that are kept: the preprocessor and the linker, the language, types and layout, arithmetic,
/// memory and control flow.
const KEPT: [&str; 5] = [
    "-D -U -l -std= -ansi -trigraphs -pthread -no-pie -pie -rdynamic -Wl, -m",
    "-fgnu89-inline -fno-gnu89-inline -fms-extensions -fplan9-extensions -fpermissive -fno-asm -fasm \
     -flax-vector-conversions -ffreestanding -fhosted -fno-hosted -fbuiltin -fno-builtin -fextended-identifiers \
     -fdollars-in-identifiers -fexec-charset= -fwide-exec-charset= -finput-charset= -fno-canonical-system-headers \
     -fcond-mismatch -fallow-parameterless-variadic-functions -fblocks -foffload-abi -ftrivial-auto-var-init= \
     -fstrict-flex-arrays -fchar8_t",
    "-fshort-enums -fno-short-enums -fshort-wchar -fno-short-wchar -funsigned-char -fsigned-char -fno-signed-char \
     -fno-unsigned-char -funsigned-bitfields -fsigned-bitfields -fpack-struct -fsso-struct= -fcommon -fno-common \
     -fno-zero-initialized-in-bss -fpcc-struct-return -freg-struct-return",
    "-fwrapv -fno-wrapv -ftrapv -ffast-math -fno-fast-math -fmath-errno -fno-math-errno -ftrapping-math \
     -fno-trapping-math -fsignaling-nans -fno-signaling-nans -frounding-math -funsafe-math -ffinite-math \
     -fno-finite-math -fsigned-zeros -fno-signed-zeros -fassociative-math -freciprocal-math -fcx- -fno-cx- \
     -fexcess-precision= -ffp-contract= -ffp-int-builtin -fno-fp-int-builtin -fsingle-precision-constant \
     -ffloat-store",
    "-fno-strict-aliasing -fno-strict-overflow -fno-delete-null-pointer-checks -fexceptions -fnon-call-exceptions \
     -fasynchronous-unwind-tables -funwind-tables -fno-exceptions -finstrument-functions -fstack-protector \
     -fno-stack-protector -fcf-protection -fPIC -fpic -fPIE -fpie -fno-pic -fno-PIC -fno-pie -fno-PIE \
     -fvisibility= -ftls-model= -fno-semantic-interposition -fstack-clash-protection -fzero-call-used-regs= \
     -fno-plt -fpatchable-function-entry",
];

/// Beginnings of machine flags that only steer the optimiser, and are dropped.
const TUNING: &str =
    "-mtune= -mllvm -mbranch-cost -mprefer-vector-width -mveclibabi -mmemcpy-strategy -mdump";

/// Beginnings of flags that no program can have here, by reason.
const REFUSED: &[(&str, &str)] = &[
    ("needs another ABI", "-m32 -m16 -mx32"),
    ("needs link-time optimisation", "-flto"),
    ("needs a sanitizer", "-fsanitize"),
    ("needs a split stack", "-fsplit-stack"),
    ("needs parallel regions", "-fopenmp -fopenacc -ftree-parallelize-loops -fcilkplus"),
    ("needs transactional memory", "-fgnu-tm"),
    ("is written in GIMPLE", "-fgimple"),
    ("needs a compiler plugin", "-fplugin"),
    ("is built without libraries", "-nostdlib -nostartfiles -nodefaultlibs"),
    ("is built without standard headers", "-nostdinc"),
    ("is a library", "-shared"),
    ("is part of a program", "-r -c"),
    ("is not built into a program", "-S -E -fsyntax-only"),
    ("is preprocessed", "-fpreprocessed"),
    ("is in another language", "-x"),
    ("needs other files", "-I -include -imacros -isystem -iquote -idirafter -L -T -B -specs --sysroot @"),
    ("needs a variable of the testsuite", "$ %"),
    ("needs assembler flags", "-Wa, -Xassembler"),
    ("needs preprocessor flags", "-Wp,"),
    ("is for another target", "--target -target"),
];

/// Flags of [`REFUSED`] that must match as a whole.
const WHOLE: &str = "-r -c -S -E -shared";

/// Beginnings of flags that look refused but have no effect on the program.
const HARMLESS: &str = "-fopenmp-simd -fno-lto -fno-sanitize -rdynamic";

/// Whether `words`, a list separated by white space, contains `word`.
pub fn is_in(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|one| one == word)
}

pub fn begins_with_one_of(words: &str, flag: &str) -> bool {
    words.split_whitespace().any(|beginning| flag.starts_with(beginning))
}

/// Sort `flags` into those that are kept and those that are dropped.
///
/// # Errors
/// The first flag that no program can have here.
pub fn sort(flags: &[String]) -> Result<Sorted, Skipped> {
    let mut sorted = Sorted::default();
    let mut words = flags.iter();
    while let Some(flag) = words.next() {
        let mut both = vec![flag.clone()];
        if is_in(WITH_VALUE, flag) {
            both.extend(words.next().cloned());
        }
        if let Some(reason) = refusal(flag) {
            return Err(skip(reason, both.join(" ")));
        }
        let is_kept = KEPT.iter().any(|group| begins_with_one_of(group, flag));
        let is_kept = is_kept && !begins_with_one_of(TUNING, flag);
        if is_kept { &mut sorted.kept } else { &mut sorted.dropped }.extend(both);
    }
    Ok(sorted)
}

/// The reason why no program can have `flag` here.
fn refusal(flag: &str) -> Option<&'static str> {
    if !flag.starts_with(['-', '@', '$', '%']) {
        return Some("needs other files");
    }
    if begins_with_one_of(HARMLESS, flag) {
        return None;
    }
    let matches = |word: &str| if is_in(WHOLE, word) { flag == word } else { flag.starts_with(word) };
    REFUSED.iter().find(|(_, words)| words.split_whitespace().any(matches)).map(|(reason, _)| *reason)
}

/// The words of a line of flags; quotes keep spaces together.
pub fn split(line: &str) -> Vec<String> {
    shlex::split(line).unwrap_or_else(|| line.split_whitespace().map(String::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Result<Sorted, Skipped> {
        sort(&split(line))
    }

    #[test]
    fn flags_that_change_the_program_are_kept() {
        let sorted =
            of("-O2 -std=c99 -D X=1 -fno-tree-ccp --param a=1 -g -W -Wall -Wl,-z,now -lm -fdump-tree-all -mtune=k8 -mavx").unwrap();
        assert_eq!(sorted.kept, ["-std=c99", "-D", "X=1", "-Wl,-z,now", "-lm", "-mavx"]);
        let dropped =
            ["-O2", "-fno-tree-ccp", "--param", "a=1", "-g", "-W", "-Wall", "-fdump-tree-all", "-mtune=k8"];
        assert_eq!(sorted.dropped, dropped);
        assert_eq!(of("-rdynamic -fopenmp-simd").unwrap().kept, ["-rdynamic"]);
    }

    #[test]
    fn a_refused_flag_is_reported_with_the_reason() {
        assert_eq!(of("-O2 -m32"), Err(skip("needs another ABI", "-m32")));
        assert_eq!(of("-include other.h"), Err(skip("needs other files", "-include other.h")));
        assert_eq!(of("other.c"), Err(skip("needs other files", "other.c")));
        assert_eq!(of("-fopenmp"), Err(skip("needs parallel regions", "-fopenmp")));
        assert_eq!(of("-fsanitize=address").unwrap_err().reason, "needs a sanitizer");
    }
}
