//! The function under test, loaded into this process. The one place of the search that is `unsafe`: it calls
//! foreign code and reads the memory that the harness shares. The process is there for nothing else
//! ([`super::evaluate`]), so that what the function breaks is not ours.
#![allow(unsafe_code, reason = "foreign code is loaded and called; see above")]

use std::ffi::c_char;
use std::mem::ManuallyDrop;

use anyhow::{Context, Result, bail};
use camino::Utf8Path;
use libloading::{Library, Symbol};

use super::super::search::{Ended, Run, Subject, Visit};

/// The head of the harness's `struct shared`.
#[repr(C)]
struct Head {
    count: u64,
    result: u64,
    steps: u64,
    ended: u32,
}

/// Visits that the harness keeps of a run.
const LOG: usize = 8192;

type RunFn = unsafe extern "C" fn(*const u64);
type SayFn = unsafe extern "C" fn(i32, *const c_char, u32, u32);

/// A probed function in this process.
pub struct Loaded {
    // Never unloaded: its timer may still strike.
    _library: ManuallyDrop<Library>,
    head: *const Head,
    log: *const Visit,
    later: *const u8,
    bounds: *const (i64, i64),
    run: RunFn,
    say: SayFn,
    sizes: Sizes,
}

/// What the harness has to have room for.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Conditions.
    pub conditions: usize,
    /// Cases of all switches.
    pub bounds: usize,
}

impl Loaded {
    /// Load `library`, a probed source with the harness. With `forks` each run has a process of its own.
    ///
    /// # Errors
    /// When it cannot be loaded, or there is no memory.
    pub fn new(library: &Utf8Path, sizes: Sizes, forks: bool) -> Result<Loaded> {
        let unsigned = |size: usize| u32::try_from(size).unwrap_or(u32::MAX);
        // SAFETY: the library is the probed source with our harness, whose functions have these types; its
        // initialisers are the program's own, which this process exists to run.
        unsafe {
            let loaded = Library::new(library.as_str()).with_context(|| format!("load {library}"))?;
            let open: Symbol<unsafe extern "C" fn(u32, u32, i32) -> *const Head> =
                loaded.get(b"recount_open")?;
            let head = open(unsigned(sizes.conditions), unsigned(sizes.bounds), forks.into());
            if head.is_null() {
                bail!("no memory for what is shared with {library}");
            }
            let place: Symbol<unsafe extern "C" fn(i32) -> *const u8> = loaded.get(b"recount_place")?;
            let (log, later, bounds) = (place(0).cast(), place(1), place(2).cast());
            let run = *loaded.get::<RunFn>(b"recount_run")?;
            let say = *loaded.get::<SayFn>(b"recount_say")?;
            Ok(Loaded { head, log, later, bounds, run, say, sizes, _library: ManuallyDrop::new(loaded) })
        }
    }

    /// Give the next run these arguments, the program's name first, and this standard input.
    pub fn say(&mut self, arguments: &[String], input: &str) {
        let mut text: String = arguments.iter().map(|argument| format!("{argument}\0")).collect();
        let at = text.len();
        text.push_str(input);
        let size = |size: usize| u32::try_from(size).unwrap_or(u32::MAX);
        let count = i32::try_from(arguments.len()).unwrap_or(i32::MAX);
        // SAFETY: the text lives through the call, which copies what fits.
        unsafe { (self.say)(count, text.as_ptr().cast(), size(text.len()), size(at)) }
    }
}

impl Subject for Loaded {
    fn run(&mut self, input: &[u64]) -> Run<'_> {
        // SAFETY: the entry reads as many cells as the problem has, which is what the search gives. The log holds
        // `count` visits, written by the run that is over; `later` and `bounds` are as long as was asked for.
        unsafe {
            (self.run)(input.as_ptr());
            let head = self.head.read_volatile();
            let count = usize::try_from(head.count).unwrap_or(LOG).min(LOG);
            let with = (head.ended >> 8).cast_signed();
            let ended = match head.ended & 0xff {
                0 => Ended::Returned,
                1 => Ended::Exited(with),
                2 => Ended::Signalled(with),
                _ => Ended::Endless,
            };
            let later = if count == LOG { self.sizes.conditions } else { 0 };
            Run {
                ended,
                visits: std::slice::from_raw_parts(self.log, count),
                later: std::slice::from_raw_parts(self.later, later),
                bounds: std::slice::from_raw_parts(self.bounds, self.sizes.bounds),
                result: head.result,
            }
        }
    }
}
