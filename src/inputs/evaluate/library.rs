//! The function under test, loaded into this process. This is the only part of the search with `unsafe` code: it calls
//! foreign code and reads memory that it shares with the harness. The process exists only for that ([`super`]), so the
//! function can break nothing else.
#![allow(unsafe_code, reason = "foreign code is loaded and called; see above")]

use std::ffi::c_char;

use anyhow::{Context, Result, bail};
use libloading::{Library, Symbol};

use super::super::search::{Run, RunEnd, Subject, Visit};
use super::job::{Built, Isolation};

/// The head of the harness's `struct shared`.
#[repr(C)]
struct Head {
    count: u64,
    result: u64,
    steps: u64,
    end: u32,
}

/// The most visits of a run that the harness keeps.
const LOG: usize = 8192;

type RunFn = unsafe extern "C" fn(*const u64);
type SetTextFn = unsafe extern "C" fn(i32, *const c_char, u32, u32);

pub struct ProbedLibrary {
    head: *const Head,
    log: *const Visit,
    later: *const u8,
    bounds: *const (i64, i64),
    run: RunFn,
    set_text: SetTextFn,
    conditions: usize,
    /// The cases of all switches.
    cases: usize,
}

impl ProbedLibrary {
    pub fn load(built: &Built) -> Result<ProbedLibrary> {
        let path = &built.library;
        let probes = &built.problem.probes;
        let (conditions, cases) =
            (probes.conditions.len(), probes.switches.iter().map(|switch| switch.cases.len()).sum());
        let forks = built.isolation == Isolation::Fork;
        // SAFETY: the library is the probed source with our harness, whose functions have these types. Its
        // initialisers are the program's own, and this process exists to run them.
        unsafe {
            let library = Library::new(path.as_str()).with_context(|| format!("load {path}"))?;
            let open: Symbol<unsafe extern "C" fn(u32, u32, i32) -> *const Head> =
                library.get(b"recount_open")?;
            let head = open(saturated(conditions), saturated(cases), forks.into());
            if head.is_null() {
                bail!("not enough memory to share with {path}");
            }
            let shared: Symbol<unsafe extern "C" fn(i32) -> *const u8> = library.get(b"recount_shared")?;
            let (log, later, bounds) = (shared(0).cast(), shared(1), shared(2).cast());
            let run = *library.get::<RunFn>(b"recount_run")?;
            let set_text = *library.get::<SetTextFn>(b"recount_set_text")?;
            // It is never unloaded, because its timer may still fire.
            std::mem::forget(library);
            Ok(ProbedLibrary { head, log, later, bounds, run, set_text, conditions, cases })
        }
    }

    /// Set the arguments, with the program's name first, and the standard input of the next run.
    pub fn set_text(&mut self, arguments: &[String], input: &str) {
        let mut text: String = arguments.iter().map(|argument| format!("{argument}\0")).collect();
        let at = text.len();
        text.push_str(input);
        let count = i32::try_from(arguments.len()).unwrap_or(i32::MAX);
        // SAFETY: the text lives through the call, which copies as much as fits.
        unsafe { (self.set_text)(count, text.as_ptr().cast(), saturated(text.len()), saturated(at)) }
    }
}

fn saturated(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}

impl Subject for ProbedLibrary {
    fn run(&mut self, input: &[u64]) -> Run<'_> {
        // SAFETY: the entry reads as many cells as the problem has, which is how many the search passes. The log holds
        // `count` visits, written by the run, which is over; `later` and `bounds` are as long as requested.
        unsafe {
            (self.run)(input.as_ptr());
            let head = self.head.read_volatile();
            let count = usize::try_from(head.count).unwrap_or(LOG).min(LOG);
            let with = (head.end >> 8).cast_signed();
            let end = match head.end & 0xff {
                0 => RunEnd::Returned,
                1 => RunEnd::Exited(with),
                2 => RunEnd::Signalled(with),
                _ => RunEnd::Endless,
            };
            let later = if count == LOG { self.conditions } else { 0 };
            Run {
                end,
                visits: std::slice::from_raw_parts(self.log, count),
                later: std::slice::from_raw_parts(self.later, later),
                bounds: std::slice::from_raw_parts(self.bounds, self.cases),
                result: head.result,
            }
        }
    }
}
