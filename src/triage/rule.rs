//! What each rule says in words, and where the maintainers of the profiler document it.

use crate::model::{Artefact, Convention, Instability, Rule};

/// The cause in words; none for a wrong count, which its signature describes.
pub(super) fn sentence(rule: Rule) -> Option<&'static str> {
    match rule {
        Rule::Unstable(rule) => Some(instability(rule)),
        Rule::Artefact(rule) => Some(artefact(rule)),
        Rule::Convention(rule) => Some(convention(rule)),
        Rule::Wrong(_) => None,
    }
}

fn instability(rule: Instability) -> &'static str {
    match rule {
        Instability::DoesNotRepeat => "the program's output or its counts vary from run to run",
        Instability::LayoutDependent => {
            "the program depends on addresses or uninitialised memory: a different memory layout changes its counts"
        }
        Instability::UndefinedBehaviour => {
            "the program has undefined behaviour, as a sanitizer or valgrind reports"
        }
        Instability::UnspecifiedBehaviour => {
            "the program has unspecified behaviour: two compilers of one family count differently"
        }
        Instability::SeveralProcesses => {
            "the program runs as several processes, which share or lose one profile"
        }
    }
}

fn artefact(rule: Artefact) -> &'static str {
    match rule {
        Artefact::ClosingBrace => {
            "a line of braces, which contains nothing that can run, changes its count when a jump before it is deleted"
        }
        Artefact::Punctuation => {
            "a line that contains only punctuation, which cannot run, shows the count of adjacent code"
        }
        Artefact::UnexpandedNow => {
            "a macro's definition loses its count when the last use of the macro is deleted"
        }
        Artefact::SummedDefinition => {
            "the line of a macro's definition shows the sum of equal regions that an expansion left there"
        }
        Artefact::UnreferencedNow => {
            "a static function that is no longer called is omitted, or mapped as a single region"
        }
        Artefact::UnreachableNow => {
            "deleting the jump or call made other code unreachable or reachable, so its 0 disappeared or appeared"
        }
        Artefact::LastReturn => {
            "another `return` takes the count of the function's end when the `return` at its end is deleted"
        }
        Artefact::SystemMacro => {
            "a line that begins with a macro of a system header has a count only where a region begins on it"
        }
        Artefact::CounterMacro => {
            "the program counts its own text with __COUNTER__, whose value changes with every deletion"
        }
    }
}

fn convention(rule: Convention) -> &'static str {
    match rule {
        Convention::LostProcess => {
            "the profile lacks a process, or a part of one: profilers write the counts of a process when it exits, and the program may write or reset them before"
        }
        Convention::InheritedCounts => "a forked process writes the counts of its parent too",
        Convention::LostUpdate => {
            "threads race on the counters: the flag -fprofile-update=single does not update them atomically"
        }
        Convention::StackedLabels => {
            "gcov counts `case`s and labels that follow each other on the line of the first"
        }
        Convention::EndlessLoop => {
            "gcov counts the jumps back of a loop without a condition, if at all, on the line of its head, or on that of the statement without code with which its body begins"
        }
        Convention::AfterTrap => {
            "code after an instruction that traps is counted as executed unless -fnon-call-exceptions is given"
        }
        Convention::AfterNoReturn => "code after a call that exits or jumps away is counted as executed",
        Convention::SummedRegions => {
            "llvm-cov adds up the regions that the expansions of a macro leave at one place"
        }
        Convention::NoCount => {
            "the line has no count in one of the two reports and a right count in the other; gcov may omit \
             unreachable lines"
        }
        Convention::NoPoint => "the counts differ on a line for which our counters have no ground truth",
        Convention::PeerMacro => {
            "gcov counts a macro with branches or loops where it is used, llvm-cov also where it is defined"
        }
        Convention::PeerDoWhile => {
            "gcov and llvm-cov count the lines of `do` and of its `while` by different rules"
        }
        Convention::PeerElseIf => {
            "llvm-cov gives an `else if` the count of the `else`, gcov the count of its condition"
        }
        Convention::PeerCase => {
            "llvm-cov counts how often control reaches `case` and `switch`, gcov how often it jumps there"
        }
        Convention::PeerContinuation => {
            "in a multi-line statement, gcov counts only the lines that have code of their own, llvm-cov counts all lines"
        }
        Convention::BothAdmissible => {
            "parts of the line ran different numbers of times, and each profiler shows the count of one of them"
        }
        Convention::PeerIsWrong => {
            "this count is right and that of the other profiler is wrong; a job of that profiler explains it"
        }
        Convention::PeerOnly => {
            "two profilers differ on a line without ground truth, so it is unknown which one is wrong"
        }
    }
}

/// The bug report or page in which the maintainers document the rule, where we know one.
pub fn upstream(rule: Rule) -> Option<&'static str> {
    match rule {
        Rule::Convention(Convention::EndlessLoop) => {
            Some("https://gcc.gnu.org/bugzilla/show_bug.cgi?id=106090")
        }
        Rule::Convention(Convention::AfterTrap) => {
            Some("https://gcc.gnu.org/onlinedocs/gcc/Code-Gen-Options.html")
        }
        Rule::Convention(Convention::AfterNoReturn) => {
            Some("https://github.com/llvm/llvm-project/issues/54577")
        }
        _ => None,
    }
}
