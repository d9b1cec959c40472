//! The proof that the instrumented program is the program.
//!
//! With its counters compiled away, it must compile to the code of the program, twice: with nothing but the braces and
//! parentheses of the instrumentation, where code whose result is never used counts too, and with everything that the counters do
//! not need, such as `!!` around a test. Compilers generate the same code for both without optimisation, but for a few
//! functions, where another level or another language of the compiler decides. Only the names of local labels may differ.
//!
//! A function whose code differs (some compilers allocate other registers) is left out of the instrumentation, and the
//! proof is made for the rest.
//!
//! The proof says that the instrumented program executes what the program executes. That each counter is in the right
//! place is tested elsewhere (`tests/truth_property.rs`, `scripts/prove-truth`).

use std::collections::BTreeSet;

use anyhow::Result;

use super::Texts;
use super::assembly::{DATA, unlike};
use crate::syntax::{Instrumented, Uncounted, instrument};
use crate::toolchain::{
    Assembly, Level, Profiler, Request, StepResult, Worker, assemble, assemble_texts, counts_conditions,
};

/// Ways to show that the program without counters is the program. Equality by one of them is enough; the allocation of
/// registers may differ at another level.
const VALUES: [(Uncounted, Level); 12] = [
    (Uncounted::Values, &["-O0"]),
    (Uncounted::Tests, &["-O0"]),
    // Only clang has this language, in which a test that is negated twice is the test.
    (Uncounted::Tests, &["-O0", "-emit-llvm"]),
    (Uncounted::Values, &["-O1"]),
    (Uncounted::Values, &["-O2"]),
    (Uncounted::Values, &["-Og"]),
    (Uncounted::Values, &["-Os"]),
    (Uncounted::Values, &["-O3"]),
    // Without inlining a difference stays in its function.
    (Uncounted::Values, &["-O1", "-fno-inline"]),
    (Uncounted::Values, &["-O2", "-fno-inline"]),
    (Uncounted::Tests, &["-O1"]),
    (Uncounted::Tests, &["-O2"]),
];

/// Ways to show that the shape is the program's.
const SHAPE: [(Uncounted, Level); 3] =
    [(Uncounted::Shape, &["-O0"]), (Uncounted::Shape, &["-Og"]), (Uncounted::Shape, &["-O1"])];

/// The names of the functions that have to be left out of the instrumentation, so that the rest is proved; or why there is
/// no proof.
pub type Proof = std::result::Result<BTreeSet<String>, String>;

/// Whether the instrumented program of `request` is proved to be the program, with the compiler of `profiler`.
///
/// # Errors
/// Internal errors, errors of the machine, and interrupts.
pub fn prove(profiler: &dyn Profiler, worker: &mut Worker, request: &Request<'_>) -> Result<Proof> {
    prove_changed(profiler, worker, request, &|_| ())
}

/// Whether `instrumented`, a unit of a package, is proved to be the program that it was made from, with the compiler of
/// `profiler` and these flags.
///
/// # Errors
/// Internal errors, errors of the machine, and interrupts.
pub fn prove_unit(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    flags: &[String],
    instrumented: &Instrumented,
) -> Result<Proof> {
    proof(&mut |pairs, left_out| {
        let mut unit = instrumented.clone();
        unit.leave_out(left_out);
        assemble_texts(profiler, worker, flags, &units(&unit, pairs))
    })
}

/// [`prove`], with `change` made to the instrumented program: tests make mistakes in it.
fn prove_changed(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    request: &Request<'_>,
    change: &dyn Fn(&mut Instrumented),
) -> Result<Proof> {
    let texts = match Texts::of(profiler, request) {
        Ok(texts) => texts,
        Err(why) => return Ok(Err(why.to_string())),
    };
    let with_vectors = counts_conditions(request.flags);
    let request = Request { source: &texts.program, ..*request };
    proof(&mut |pairs, left_out| {
        assemble(profiler, worker, &request, |text| {
            let mut instrumented = instrument(&texts.preprocessed(text), with_vectors);
            if let Some(found) = &mut instrumented {
                change(found);
                found.leave_out(left_out);
            }
            instrumented.map_or_else(Vec::new, |found| units(&found, pairs))
        })
    })
}

/// Assembles the program and the instrumented one, for each of the pairs, without the functions that are left out.
type Assembler<'a> = dyn FnMut(&[(Uncounted, Level)], &BTreeSet<String>) -> StepResult<Vec<String>> + 'a;

fn proof(assembler: &mut Assembler<'_>) -> Result<Proof> {
    let differing = match differing(assembler, &BTreeSet::new())? {
        Ok(names) if names.is_empty() => return Ok(Ok(names)),
        Ok(names) => names,
        Err(why) => return Ok(Err(why)),
    };
    // What is left must be the program without them.
    Ok(match self::differing(assembler, &differing)? {
        Ok(names) if names.is_empty() => Ok(differing.into_iter().filter(|name| name != DATA).collect()),
        Ok(names) => Err(format!(
            "the code of {} differs",
            differing.union(&names).cloned().collect::<Vec<_>>().join(", ")
        )),
        Err(why) => Err(why),
    })
}

/// The names of the functions whose code differs at every level.
fn differing(assembler: &mut Assembler<'_>, left_out: &BTreeSet<String>) -> Result<Proof> {
    let mut compare = |pairs: &[(Uncounted, Level)]| {
        let assembled = assembler(pairs, left_out)?;
        Ok::<_, anyhow::Error>(assembled.map(|texts| texts.chunks(2).map(unlike).collect::<Vec<_>>()))
    };
    let first = match compare(&[SHAPE[0], VALUES[0]])? {
        Ok(first) => first,
        Err(outcome) => {
            let reason = outcome.reason().map_or_else(String::new, |reason| format!(", {reason}"));
            return Ok(Err(format!("{}{reason}", outcome.name())));
        }
    };
    let Ok([mut shape, mut values]) = <[BTreeSet<String>; 2]>::try_from(first) else {
        return Ok(Err("it is nested too deeply".into()));
    };
    for (ways, left) in [(&SHAPE[1..], &mut shape), (&VALUES[1..], &mut values)] {
        for way in ways {
            if left.is_empty() {
                break;
            }
            if let Ok(unlike) = compare(&[*way])? {
                left.retain(|name| unlike[0].contains(name));
            }
        }
    }
    Ok(Ok(shape.union(&values).cloned().collect()))
}

fn units(found: &Instrumented, pairs: &[(Uncounted, Level)]) -> Vec<Assembly> {
    let both = |(remains, level): &(Uncounted, Level)| {
        [found.original().to_string(), found.without_counters(*remains)].map(|text| Assembly { text, level })
    };
    pairs.iter().flat_map(both).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use camino::Utf8PathBuf;

    use super::prove_changed;
    use crate::config::Settings;
    use crate::corpus::Input;
    use crate::syntax::Instrumented;
    use crate::toolchain::{Request, Worker, select};

    const PROGRAM: &str = "\
int printf(const char *, ...);
static int calls, unused;
static int next(int n) { calls++; return n % 3; }
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 9; i++) {
        if (next(i) && i > 2)
            sum += 2;
        unused += i;
        switch (i) {
        case 1:
            if (sum)
        case 4:
            unused++;
            sum += 5;
            break;
        default:
            sum++;
        }
        while (sum > 40)
            sum -= 7;
        sum += ({ int twice = 2 * i; twice; });
    }
    printf(\"%d %d\\n\", sum, calls);
    return 0;
}
";

    /// The index of the insertion before the text `at`, of the kind that begins with `begins`.
    fn before(found: &Instrumented, at: &str, begins: &str) -> usize {
        let place = found.text.find(at).unwrap_or_else(|| panic!("{at}"));
        let here = |(offset, text): &(usize, String)| *offset <= place && text.starts_with(begins);
        found.inserts.iter().rposition(here).unwrap_or_else(|| panic!("{at}, {begins}"))
    }

    fn after(found: &Instrumented, at: &str, begins: &str) -> usize {
        let place = found.text.find(at).unwrap_or_else(|| panic!("{at}"));
        let here = |(offset, text): &(usize, String)| *offset > place && text.starts_with(begins);
        found.inserts.iter().position(here).unwrap_or_else(|| panic!("{at}, {begins}"))
    }

    /// The offset after the text `at`.
    fn end(found: &Instrumented, at: &str) -> usize {
        found.text.find(at).unwrap_or_else(|| panic!("{at}")) + at.len()
    }

    type Mistake = (&'static str, fn(&mut Instrumented));

    fn moved(found: &mut Instrumented, index: usize, offset: usize) {
        let (_, text) = found.inserts.remove(index);
        let index = found.inserts.partition_point(|(at, _)| *at <= offset);
        found.inserts.insert(index, (offset, text));
    }

    /// Mistakes that change what the program does, or what it would do if results were used.
    const MISTAKES: [Mistake; 9] = [
        ("the braces of a body close too late", |found| {
            let index = after(found, "unused++;", "}");
            let offset = end(found, "sum += 5;");
            moved(found, index, offset);
        }),
        ("the same for code whose result is never used", |found| {
            let index = after(found, "sum += 2;", "}");
            let offset = end(found, "unused += i;");
            moved(found, index, offset);
        }),
        ("a body loses its braces", |found| {
            let open = before(found, "sum -= 7;", "{");
            found.inserts[open].1.clear();
            let close = after(found, "sum -= 7;", "}");
            found.inserts[close].1.clear();
        }),
        ("an operand is evaluated twice", |found| {
            let index = before(found, "next(i) &&", "(!!(");
            found.inserts[index].1 += "next(i),";
        }),
        ("a condition is inverted", |found| {
            let index = before(found, "sum > 40", "(!!(");
            found.inserts[index].1 = found.inserts[index].1.replace("(!!(", "(!(");
        }),
        ("a test becomes a number of its own", |found| {
            let index = after(found, "i > 2", ")?(");
            found.inserts[index].1 = found.inserts[index].1.replace(",1)", ",0)");
        }),
        ("a statement is lost", |found| {
            let index = before(found, "unused += i;", "recount_truth");
            found.inserts[index].1 += "if(0)";
        }),
        ("a counter is put before the colon of its label", |found| {
            let index = after(found, "case 4", "recount_truth");
            let offset = end(found, "case 4");
            moved(found, index, offset);
        }),
        ("the value of a statement expression is followed by a counter", |found| {
            let offset = end(found, "twice;");
            let index = found.inserts.partition_point(|(at, _)| *at <= offset);
            found.inserts.insert(index, (offset, "recount_truth[0]++;".into()));
        }),
    ];

    fn proving(compiler: &str) -> Option<(crate::toolchain::Probed, Worker, tempfile::TempDir)> {
        let Ok(mut profilers) = select(&[compiler.to_string()]) else {
            eprintln!("SKIPPED: {compiler} is not installed");
            assert!(std::env::var_os("RECOUNT_REQUIRE_ALL").is_none(), "{compiler} is required");
            return None;
        };
        let temp = tempfile::tempdir().expect("a folder");
        let folder = Utf8PathBuf::from_path_buf(temp.path().join("w0")).expect("UTF-8");
        let worker = Worker::new(folder, "/bin/false".into(), Settings::quick().limits);
        Some((profilers.remove(0), worker, temp))
    }

    /// Those of which no program results.
    const REJECTED: [&str; 2] = [
        "a counter is put before the colon of its label",
        "the value of a statement expression is followed by a counter",
    ];

    /// The compiled code of `compiler` shows each mistake in the instrumented program.
    fn finds_every_mistake(compiler: &str) {
        let Some((profiler, mut worker, _temp)) = proving(compiler) else { return };
        let input = Input::default();
        let request = Request { flags: &[], ..Request::new(PROGRAM, &input) };
        let right = prove_changed(&*profiler, &mut worker, &request, &|_| ()).unwrap();
        assert_eq!(right, Ok(BTreeSet::new()));
        for (name, mistake) in MISTAKES {
            let proof = prove_changed(&*profiler, &mut worker, &request, &mistake).unwrap();
            let is_caught = match &proof {
                Ok(left_out) => !left_out.is_empty(),
                Err(reason) if REJECTED.contains(&name) => reason.starts_with("does not compile"),
                Err(reason) => reason.starts_with("the code of "),
            };
            assert!(is_caught, "{name}: {proof:?}");
            println!("caught by the compiled code, {compiler}: {name}");
        }
    }

    #[test]
    fn every_mistake_is_found_with_gcc() {
        finds_every_mistake("gcov");
    }

    #[test]
    fn every_mistake_is_found_with_clang() {
        finds_every_mistake("llvm-cov");
    }
}
