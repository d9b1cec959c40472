//! Builds a function or a program with probes into a shared object.

use anyhow::{Context, Result};
use camino::Utf8Path;

use super::build_env::BuildEnv;
use super::evaluate::{Built, Isolation, SearchOptions};
use super::search::{GoalName, Problem};
use super::source::{Candidate, Source};
use crate::syntax::search::{ProbeOptions, probe};

/// Linker options for a shared object whose memory can be restored and whose calls stay inside.
const LINK: [&str; 3] = [
    "-shared",
    "-Wl,-z,norelro,-z,now,-Bsymbolic,--no-undefined",
    "-Wl,--wrap=exit,--wrap=_exit,--wrap=abort,--wrap=__assert_fail,--wrap=sleep,--wrap=usleep,--wrap=nanosleep,--wrap=pause",
];

/// Options that end a run at an index outside an array of known length. Otherwise the access could overwrite the stack frame
/// of the function or of the harness. The run would then show behaviour that no C program must have, and could end the
/// search.
const BOUNDS_CHECKS: [&str; 2] = ["-fsanitize=bounds", "-fsanitize-undefined-trap-on-error"];

/// The functions of the harness that the call uses.
const HARNESS_FUNCTIONS: &str = "\
extern void *recount_array(int, unsigned long);
extern void recount_result(const char *, unsigned long long);
extern void recount_exit(int);
extern int recount_argc(void);
extern char **recount_argv(void);
";

/// The call of a whole program.
const PROGRAM_CALL: &str = "\
static void recount_enter(const unsigned long long *recount_cell)
{
    (void)recount_cell;
    recount_exit(((int (*)(int, char **))recount_main)(recount_argc(), recount_argv()));
}
";

/// The pointer through which the harness finds the call.
const ENTRY_POINTER: &str = "\nvoid (*const recount_entry)(const unsigned long long *) = recount_enter;\n";

/// Build `candidate` of `source` in `folder`. The error says why it does not compile or link.
pub fn build(
    env: &BuildEnv,
    source: &Source,
    candidate: &Candidate,
    options: &SearchOptions,
    (folder, checks_bounds): (&Utf8Path, bool),
) -> Result<Built> {
    let probe_options = ProbeOptions {
        lines: options.goal == GoalName::Lines,
        returned_comparisons: options.goal == GoalName::True,
    };
    let (probed, probes) =
        probe(&source.preprocessed, &source.probed(candidate, options.callees), probe_options);
    let (rename, call, returns, program) = match candidate {
        Candidate::Function(entry) => ("", entry.call(), entry.returns, None),
        Candidate::Program(program) => {
            ("#define main recount_main\n", PROGRAM_CALL.to_string(), None, Some(program.clone()))
        }
    };
    let file = folder.join("probed.c");
    fs_err::write(&file, format!("{rename}{HARNESS_FUNCTIONS}{probed}\n{call}{ENTRY_POINTER}"))?;
    let library = folder.join("probed.so");
    let mut args = vec!["-w", "-fPIC", "-fno-strict-aliasing"];
    args.extend(BOUNDS_CHECKS.iter().filter(|_| checks_bounds));
    args.extend(LINK);
    args.extend([file.as_str(), env.harness.as_str()]);
    args.extend(env.objects.iter().map(String::as_str));
    args.extend(["-lm", "-o", library.as_str()]);
    env.compile(&["-O0"], &env.flags, &args)
        .with_context(|| format!("{}: does not build with probes", candidate.name()))?;
    let needs_fork = program.is_some() || source.shares_memory(candidate.name());
    let isolation = if needs_fork { Isolation::Fork } else { Isolation::Call };
    let problem = Problem {
        cells: candidate.cells(),
        probes,
        returns,
        texts: source.texts.clone(),
        constants: source.constants.clone(),
    };
    Ok(Built { library, problem, isolation, program })
}
