//! Compiler flags of somebody else's test: which are the program's own, which say only how
//! it was to be optimised or looked at, and which make it something that is not checked here.
//!
//! recount builds at -O0 with the profiler's own flags. A flag stays if it changes what the
//! source means or what it is linked with; the rest goes, and `import.tsv` names it.

/// What becomes of the flags of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sorted {
    /// Those that the sidecar gets.
    pub kept: Vec<String>,
    /// Those that go.
    pub dropped: Vec<String>,
}

/// Flags that need their next word.
const WITH_VALUE: &[&str] = &[
    "-D",
    "-U",
    "-l",
    "--param",
    "-aux-info",
    "-x",
    "-Xlinker",
    "-I",
    "-include",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-imacros",
    "-L",
    "-T",
    "-u",
    "-z",
    "-MF",
    "-MT",
    "-MQ",
    "-o",
    "-Xclang",
    "-mllvm",
    "-dumpdir",
];

/// Flags without which the program would be another one, by how they begin.
const KEPT: &[&str] = &[
    "-D",
    "-U",
    "-l",
    "-std=",
    "-ansi",
    "-trigraphs",
    "-pthread",
    "-no-pie",
    "-pie",
    "-rdynamic",
    "-Wl,",
    "-m",
    // The language.
    "-fgnu89-inline",
    "-fno-gnu89-inline",
    "-fms-extensions",
    "-fplan9-extensions",
    "-fpermissive",
    "-fno-asm",
    "-fasm",
    "-flax-vector-conversions",
    "-ffreestanding",
    "-fhosted",
    "-fno-hosted",
    "-fbuiltin",
    "-fno-builtin",
    "-fextended-identifiers",
    "-fdollars-in-identifiers",
    "-fexec-charset=",
    "-fwide-exec-charset=",
    "-finput-charset=",
    "-fno-canonical-system-headers",
    "-fcond-mismatch",
    "-fallow-parameterless-variadic-functions",
    "-fblocks",
    "-foffload-abi",
    "-ftrivial-auto-var-init=",
    "-fstrict-flex-arrays",
    "-fchar8_t",
    // Types and layout.
    "-fshort-enums",
    "-fno-short-enums",
    "-fshort-wchar",
    "-fno-short-wchar",
    "-funsigned-char",
    "-fsigned-char",
    "-fno-signed-char",
    "-fno-unsigned-char",
    "-funsigned-bitfields",
    "-fsigned-bitfields",
    "-fpack-struct",
    "-fsso-struct=",
    "-fcommon",
    "-fno-common",
    "-fno-zero-initialized-in-bss",
    "-fpcc-struct-return",
    "-freg-struct-return",
    // Arithmetic.
    "-fwrapv",
    "-fno-wrapv",
    "-ftrapv",
    "-ffast-math",
    "-fno-fast-math",
    "-fmath-errno",
    "-fno-math-errno",
    "-ftrapping-math",
    "-fno-trapping-math",
    "-fsignaling-nans",
    "-fno-signaling-nans",
    "-frounding-math",
    "-funsafe-math",
    "-ffinite-math",
    "-fno-finite-math",
    "-fsigned-zeros",
    "-fno-signed-zeros",
    "-fassociative-math",
    "-freciprocal-math",
    "-fcx-",
    "-fno-cx-",
    "-fexcess-precision=",
    "-ffp-contract=",
    "-ffp-int-builtin",
    "-fno-fp-int-builtin",
    "-fsingle-precision-constant",
    "-ffloat-store",
    // ProgramCache and control.
    "-fno-strict-aliasing",
    "-fno-strict-overflow",
    "-fno-delete-null-pointer-checks",
    "-fexceptions",
    "-fnon-call-exceptions",
    "-fasynchronous-unwind-tables",
    "-funwind-tables",
    "-fno-exceptions",
    "-finstrument-functions",
    "-fstack-protector",
    "-fno-stack-protector",
    "-fcf-protection",
    "-fPIC",
    "-fpic",
    "-fPIE",
    "-fpie",
    "-fno-pic",
    "-fno-PIC",
    "-fno-pie",
    "-fno-PIE",
    "-fvisibility=",
    "-ftls-model=",
    "-fno-semantic-interposition",
    "-fstack-clash-protection",
    "-fzero-call-used-regs=",
    "-fno-plt",
    "-fpatchable-function-entry",
];

/// Flags of the machine that only steer the optimiser.
const TUNING: &[&str] = &[
    "-mtune=",
    "-mllvm",
    "-mbranch-cost",
    "-mprefer-vector-width",
    "-mveclibabi",
    "-mmemcpy-strategy",
    "-mdump",
];

/// Flags that no program here can have, with the reason.
const REFUSED: &[(&str, &str)] = &[
    ("-m32", "another ABI"),
    ("-m16", "another ABI"),
    ("-mx32", "another ABI"),
    ("-flto", "link-time optimisation"),
    ("-fsanitize", "a sanitizer"),
    ("-fsplit-stack", "a split stack"),
    ("-fopenacc", "parallel regions"),
    ("-ftree-parallelize-loops", "parallel regions"),
    ("-fgnu-tm", "transactional memory"),
    ("-fgimple", "the compiler's own language"),
    ("-fplugin", "a plugin of the compiler"),
    ("-fcilkplus", "parallel regions"),
    ("-nostdlib", "a program without its libraries"),
    ("-nostartfiles", "a program without its libraries"),
    ("-nodefaultlibs", "a program without its libraries"),
    ("-nostdinc", "a program without its headers"),
    ("-shared", "a library"),
    ("-r", "a part of a program"),
    ("-c", "a part of a program"),
    ("-S", "no program"),
    ("-E", "no program"),
    ("-fsyntax-only", "no program"),
    ("-fpreprocessed", "preprocessed text"),
    ("-x", "another language"),
    ("-I", "files elsewhere"),
    ("-include", "files elsewhere"),
    ("-imacros", "files elsewhere"),
    ("-isystem", "files elsewhere"),
    ("-iquote", "files elsewhere"),
    ("-idirafter", "files elsewhere"),
    ("-L", "files elsewhere"),
    ("-T", "files elsewhere"),
    ("-B", "files elsewhere"),
    ("-specs", "files elsewhere"),
    ("--sysroot", "files elsewhere"),
    ("@", "files elsewhere"),
    ("$", "a variable of the testsuite"),
    ("%", "a variable of the testsuite"),
    ("-Wa,", "flags of the assembler"),
    ("-Wp,", "flags of the preprocessor"),
    ("-Xassembler", "flags of the assembler"),
    ("--target", "another target"),
    ("-target", "another target"),
];

/// Sort `flags`.
///
/// # Errors
/// The first flag that the program cannot do without and cannot have, and what it stands for.
pub fn sort(flags: &[String]) -> Result<Sorted, (String, &'static str)> {
    let mut sorted = Sorted::default();
    let mut words = flags.iter();
    while let Some(flag) = words.next() {
        let mut both = vec![flag.clone()];
        if WITH_VALUE.contains(&flag.as_str()) {
            both.extend(words.next().cloned());
        }
        if let Some(what) = refused(flag) {
            return Err((both.join(" "), what));
        }
        let tunes = TUNING.iter().any(|tuning| flag.starts_with(tuning));
        let keeps = KEPT.iter().any(|kept| flag.starts_with(kept)) && !tunes;
        if keeps { &mut sorted.kept } else { &mut sorted.dropped }.extend(both);
    }
    Ok(sorted)
}

/// What `flag` stands for, if no program here can have it.
fn refused(flag: &str) -> Option<&'static str> {
    if !flag.starts_with(['-', '@', '$', '%']) {
        return Some("files elsewhere");
    }
    // What takes part in no link, and `simd` alone, is harmless.
    if ["-fopenmp-simd", "-fno-lto", "-fno-sanitize", "-rdynamic"].iter().any(|fine| flag.starts_with(fine)) {
        return None;
    }
    if flag.starts_with("-fopenmp") {
        return Some("parallel regions");
    }
    let whole = ["-r", "-c", "-S", "-E", "-shared"];
    let is = |(name, what): &(&str, &'static str)| {
        let matches = if whole.contains(name) { flag == *name } else { flag.starts_with(name) };
        matches.then_some(*what)
    };
    REFUSED.iter().find_map(is)
}

/// The words of a line of flags; quotes keep spaces together.
pub fn split(line: &str) -> Vec<String> {
    shlex::split(line).unwrap_or_else(|| line.split_whitespace().map(String::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Result<Sorted, (String, &'static str)> {
        sort(&split(line))
    }

    #[test]
    fn what_the_source_means_stays() {
        let sorted =
            of("-O2 -std=c99 -D X=1 -fno-tree-ccp --param a=1 -g -W -Wall -Wl,-z,now -lm -fdump-tree-all -mtune=k8 -mavx").unwrap();
        assert_eq!(sorted.kept, ["-std=c99", "-D", "X=1", "-Wl,-z,now", "-lm", "-mavx"]);
        let dropped =
            ["-O2", "-fno-tree-ccp", "--param", "a=1", "-g", "-W", "-Wall", "-fdump-tree-all", "-mtune=k8"];
        assert_eq!(sorted.dropped, dropped);
        assert_eq!(of("-rdynamic -fopenmp-simd").unwrap().kept, ["-rdynamic"]);
    }

    #[test]
    fn what_cannot_be_had_is_said() {
        assert_eq!(of("-O2 -m32"), Err(("-m32".into(), "another ABI")));
        assert_eq!(of("-include other.h"), Err(("-include other.h".into(), "files elsewhere")));
        assert_eq!(of("other.c"), Err(("other.c".into(), "files elsewhere")));
        assert_eq!(of("-fopenmp"), Err(("-fopenmp".into(), "parallel regions")));
        assert_eq!(of("-fsanitize=address").unwrap_err().1, "a sanitizer");
    }
}
