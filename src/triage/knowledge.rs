//! What is known of a program: what really ran, whether its behaviour is defined, what the other family reports.
//!
//! All of it is the program's and not one version's, so it is found out once for all versions of a family: the
//! truth of P, for all variants that only delete what did not run; the truth of each program that a relation makes
//! of it; whether sanitizers complain of them. It is always the same profiler that is asked first, whoever
//! wants to know, so that the result does not depend on the order of jobs.

use std::sync::Arc;

use anyhow::Result;

use super::remembered::{Key, Remembered};
use crate::model::{Execution, Family};
use crate::syntax::Program;
use crate::toolchain::{Bench, Detail, Probed, Profile, Profiler, Report, Request, watch, watcher_count};
use crate::truth::{Told, Untold, believed, counted, tell};

/// What the profilers of a family know of a program with an input, and of what is made of it.
pub struct Knowledge {
    /// The first profiler of the family.
    teller: Option<Probed>,
    /// The newest one, whose sanitizers see most.
    newest: Option<Probed>,
    /// The first one of the other family.
    peer: Option<Probed>,
    told: Remembered<Told>,
    undefined: Remembered<Option<bool>>,
    reports: Remembered<Profile>,
}

/// What the first profiler of the other family gives on a program.
pub struct PeerProfile {
    /// The profiler.
    pub profiler: Probed,
    /// Its profile.
    pub profile: Arc<Profile>,
}

impl Knowledge {
    /// Nothing yet; `profilers` of all families will be asked.
    pub fn new(profilers: &[Probed], family: Family) -> Knowledge {
        let is_ours = |profiler: &&Probed| profiler.info().profiler == family;
        let ours = || profilers.iter().filter(is_ours);
        Knowledge {
            teller: ours().next().cloned(),
            newest: ours().max_by_key(|profiler| profiler.info().major()).cloned(),
            peer: profilers.iter().find(|profiler| !is_ours(profiler)).cloned(),
            told: Remembered::default(),
            undefined: Remembered::default(),
            reports: Remembered::default(),
        }
    }

    /// The truth of `program` for a `report` of `profiler` on it: shared if the shared one does the same, else
    /// told by the profiler's own compiler.
    pub fn of(
        &self,
        profiler: &dyn Profiler,
        bench: &mut Bench,
        program: &Program,
        request: &Request<'_>,
        report: &Report,
    ) -> Result<Arc<Told>> {
        self.shared_or_own("program", profiler, bench, request, report, |teller, bench, request| {
            tell(teller, bench, program, request)
        })
    }

    /// The same for the program of `request` that a relation made of one that has truth, so that it is known to
    /// stay one process with one thread.
    pub fn of_variant(
        &self,
        profiler: &dyn Profiler,
        bench: &mut Bench,
        request: &Request<'_>,
        report: &Report,
    ) -> Result<Arc<Told>> {
        self.shared_or_own("variant", profiler, bench, request, report, counted)
    }

    fn shared_or_own(
        &self,
        what: &str,
        profiler: &dyn Profiler,
        bench: &mut Bench,
        request: &Request<'_>,
        report: &Report,
        tell: impl Fn(&dyn Profiler, &mut Bench, &Request<'_>) -> Result<Told>,
    ) -> Result<Arc<Told>> {
        let info = profiler.info();
        let shared = match &self.teller {
            Some(teller) => self.told.get(key(what, request)?, || {
                tell(&**teller, bench, &Request { dialect: None, ..*request })
            })?,
            None => Arc::new(Err(Untold::Silent)),
        };
        let is_own = self.teller.as_ref().is_some_and(|teller| teller.info() == info);
        let final_word = |told: &Told| match told {
            Ok(truth) => truth.execution == report.execution,
            Err(untold) => is_own || untold.is_plain(),
        };
        if final_word(&shared) {
            return Ok(shared);
        }
        if is_own {
            return Ok(Arc::new(Err(Untold::Differs)));
        }
        let own = tell(profiler, bench, &Request { dialect: Some(report.dialect), ..*request })?;
        Ok(Arc::new(believed(own, &report.execution)))
    }

    /// Whether the program of `request`, which `did` this under `profiler`, shows undefined behaviour, so that no
    /// report on it can be blamed: by the watchers of the newest version, or where it did something else under
    /// one of them, by those of `profiler`.
    pub fn is_undefined(
        &self,
        profiler: &dyn Profiler,
        bench: &mut Bench,
        request: &Request<'_>,
        did: &Execution,
    ) -> Result<bool> {
        let Some(newest) = &self.newest else { return Ok(false) };
        let asked = format!("undefined {:?} {}", did.ending, blake3::hash(&did.stdout));
        let shared = self.undefined.get(key(&asked, request)?, || {
            let request = Request { dialect: None, ..*request };
            Ok(match watch(&**newest, bench, &request, did)? {
                Err(_) => Some(true),
                Ok(silent) => (silent.len() == watcher_count(newest.info().profiler)).then_some(false),
            })
        })?;
        match *shared {
            None if newest.info() != profiler.info() => Ok(watch(profiler, bench, request, did)?.is_err()),
            said => Ok(said == Some(true)),
        }
    }

    /// What the peer gives on the program of `request`; none where the campaign has no profiler of another family.
    pub fn peer(&self, bench: &mut Bench, request: &Request<'_>) -> Result<Option<PeerProfile>> {
        let Some(peer) = &self.peer else { return Ok(None) };
        let key = key("report", request)?;
        let request = Request { dialect: None, detail: Detail::Lines, ..*request };
        let profile = self.reports.get(key, || peer.profile(bench, &request))?;
        Ok(Some(PeerProfile { profiler: Arc::clone(peer), profile }))
    }
}

/// `what` is asked about the program of `request`, run in that way.
fn key(what: &str, request: &Request<'_>) -> Result<Key> {
    let Request { source, flags, input, runs, .. } = request;
    Ok(blake3::hash(&serde_json::to_vec(&(what, source, flags, input, runs))?))
}
