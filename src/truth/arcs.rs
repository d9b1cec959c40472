//! The arcs of a program's control flow graphs that a run took, in their order: the ground truth of paths.
//!
//! gcc counts the arcs that are not on a spanning tree (`instrument_edges` in profile.cc), and their order decides the path of each
//! call: from one of them to the next one leads one way on the tree. So each place where the assembly of the program increments
//! a counter of an arc also writes, into a file in memory, which one it was and the frame pointer of the call. This shares with gcov
//! where it counts arcs, which other relations check, and nothing with how gcc counts paths.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::LazyLock;

use anyhow::Result;
use regex::Regex;

use crate::model::{Execution, Family};
use crate::toolchain::{Profiler, Request, Worker, counts_paths, has_threads, run_assembly};

/// The most arcs that are recorded of a run. Each takes 16 bytes.
const MOST_ARCS: usize = 1 << 20;

/// An arc that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakenArc {
    /// The number of its counter in the function.
    pub counter: usize,
    /// The frame pointer. It distinguishes calls that are active at the same time.
    pub frame: u64,
}

/// The arcs that a run took, of each function by its name in the assembly.
pub type ArcTrace = BTreeMap<String, Vec<TakenArc>>;

/// The arcs that a run of the program takes, if it behaves as in `execution`, in which it had so many `processes`. None if paths are
/// not counted, with threads or several processes, on another machine than x86-64, and if there are too many.
///
/// # Errors
/// Internal errors, errors of the machine, and interrupts.
pub fn arc_trace(
    profiler: &dyn Profiler,
    worker: &mut Worker,
    request: &Request<'_>,
    execution: &Execution,
    processes: usize,
) -> Result<Option<ArcTrace>> {
    let is_traced = cfg!(target_arch = "x86_64")
        && profiler.info().profiler == Family::Gcov
        && counts_paths(request.flags)
        && !has_threads(request.source, request.flags)
        && processes <= 1;
    if !is_traced {
        return Ok(None);
    }
    let output = worker.extra().into_string();
    let counters = std::cell::RefCell::new(Vec::new());
    let size = MOST_ARCS * RECORD;
    let ran = run_assembly(profiler, worker, request, size as u64, |text| {
        let (traced, found) = traced(text, &output, size);
        *counters.borrow_mut() = found;
        traced
    })?;
    let counters = counters.into_inner();
    Ok(ran.ok().filter(|(ran, _)| ran == execution).and_then(|(_, written)| read(&written, &counters)))
}

/// The size of a record: the number of the place, from 1, and the frame pointer.
const RECORD: usize = 16;

/// The trace in `written`. None if it may be full.
fn read(written: &[u8], counters: &[(String, usize)]) -> Option<ArcTrace> {
    let word = |bytes: &[u8]| bytes.try_into().map(u64::from_le_bytes).ok();
    let mut trace = ArcTrace::new();
    for record in written.chunks_exact(RECORD) {
        let (place, frame) = record.split_at(RECORD / 2);
        let place = usize::try_from(word(place)?).ok()?;
        if place == 0 {
            return Some(trace);
        }
        let (function, counter) = counters.get(place - 1)?;
        // A function is seldom new, so its name is seldom copied.
        if !trace.contains_key(function) {
            trace.insert(function.clone(), Vec::new());
        }
        trace.get_mut(function)?.push(TakenArc { counter: *counter, frame: word(frame)? });
    }
    None
}

/// The assembly `text` with a record after each store to a counter of an arc, and the function and the counter of each place.
fn traced(text: &str, output: &str, size: usize) -> (String, Vec<(String, usize)>) {
    // `build_var` in coverage.cc names the counters.
    static STORE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^\s+\w+\s+[^#]*,\s*__gcov0\.(\S+?)(?:\+(\d+))?\(%rip\)\s*$").expect("a constant")
    });
    let (mut made, mut counters) = (String::with_capacity(2 * text.len()), Vec::new());
    // A function with the attribute `optimize` may have no frame pointer of its own. Its arcs are not recorded.
    let mut has_frame = false;
    for line in text.lines() {
        let _ = writeln!(made, "{line}");
        has_frame = line.trim() == "movq\t%rsp, %rbp" || has_frame && line.trim() != ".cfi_startproc";
        let Some(store) = STORE.captures(line).filter(|_| has_frame) else { continue };
        let offset: usize = store.get(2).and_then(|offset| offset.as_str().parse().ok()).unwrap_or(0);
        counters.push((store[1].to_string(), offset / 8));
        let _ = writeln!(made, "\tpushq\t${}\n\tcall\t__recount_arc", counters.len());
    }
    made.push_str(&RUNTIME.replace("OUTPUT", output).replace("SIZE", &size.to_string()));
    (made, counters)
}

/// `__recount_arc` writes a record and changes no register that the program uses; an increment has changed the flags before.
/// `__recount_open` maps the file before anything else of the program runs, by system calls, as the program has no file
/// open then that it would not have otherwise.
const RUNTIME: &str = r#"
	.data
	.balign	8
__recount_next:
	.quad	0
__recount_end:
	.quad	0
	.section	.rodata
__recount_path:
	.string	"OUTPUT"
	.text
__recount_arc:
	pushq	%rax
	movq	__recount_next(%rip), %rax
	cmpq	__recount_end(%rip), %rax
	jae	.Lrecount_full
	pushq	%rcx
	movq	24(%rsp), %rcx
	movq	%rcx, (%rax)
	movq	%rbp, 8(%rax)
	addq	$16, %rax
	movq	%rax, __recount_next(%rip)
	popq	%rcx
.Lrecount_full:
	popq	%rax
	ret	$8
__recount_open:
	pushq	%rbx
	movl	$2, %eax
	leaq	__recount_path(%rip), %rdi
	movl	$2, %esi
	syscall
	testl	%eax, %eax
	js	.Lrecount_left
	movl	%eax, %ebx
	movl	$9, %eax
	xorl	%edi, %edi
	movq	$SIZE, %rsi
	movl	$3, %edx
	movl	$1, %r10d
	movl	%ebx, %r8d
	xorl	%r9d, %r9d
	syscall
	cmpq	$-4096, %rax
	ja	.Lrecount_close
	movq	%rax, __recount_next(%rip)
	addq	$SIZE, %rax
	movq	%rax, __recount_end(%rip)
.Lrecount_close:
	movl	$3, %eax
	movl	%ebx, %edi
	syscall
.Lrecount_left:
	popq	%rbx
	ret
	.section	.preinit_array, "aw"
	.balign	8
	.quad	__recount_open
	.text
"#;
