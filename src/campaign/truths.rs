//! Truth shared: one build a program and family, for all versions, and for all variants that only delete what
//! did not run; one for each program that a relation makes of it. In the same way what the other family
//! reports of a program.
//!
//! It is always the first profiler of a family that tells, whoever asks first, so
//! that the result does not depend on the order of jobs.

use std::sync::Arc;

use anyhow::Result;

use super::remembered::{Key, Remembered};
use crate::model::{Count, Family};
use crate::syntax::Program;
use crate::toolchain::{Bench, Detail, Probed, Profile, Profiler, Report, Request};
use crate::truth::{Told, Truth, Untold, believed, counted, tell};

/// The truths of a campaign, and the reports of peers.
pub struct Truths {
    tellers: Vec<Probed>,
    told: Remembered<Told>,
    reports: Remembered<Profile>,
}

/// What the first profiler of the other family gives on a program.
pub struct PeerProfile {
    /// The profiler.
    pub profiler: Probed,
    /// Its profile.
    pub profile: Arc<Profile>,
}

impl Truths {
    /// Truth by the first of `profilers` of each family.
    pub fn new(profilers: &[Probed]) -> Truths {
        let mut tellers: Vec<Probed> = Vec::new();
        for profiler in profilers {
            if tellers.iter().all(|teller| teller.info().profiler != profiler.info().profiler) {
                tellers.push(Arc::clone(profiler));
            }
        }
        let told = |told: &Told| told.as_ref().map_or(0, Truth::bytes);
        // They are of lines alone.
        let report = |profile: &Profile| {
            profile.as_ref().map_or(0, |report| {
                report.execution.stdout.len() + report.coverage.last_line() as usize * size_of::<Count>()
            })
        };
        Truths { tellers, told: Remembered::new(told), reports: Remembered::new(report) }
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
        let teller = self.tellers.iter().find(|teller| teller.info().profiler == info.profiler);
        let shared = match teller {
            Some(teller) => self.told.get(key(what, request, info.profiler)?, || {
                tell(&**teller, bench, &Request { dialect: None, ..*request })
            })?,
            None => Arc::new(Err(Untold::Silent)),
        };
        let is_own = teller.is_some_and(|teller| teller.info() == info);
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

    /// What the peer of `profiler` gives on the program of `request`; none where the campaign has no profiler of
    /// another family.
    pub fn peer(
        &self,
        profiler: &dyn Profiler,
        bench: &mut Bench,
        request: &Request<'_>,
    ) -> Result<Option<PeerProfile>> {
        let family = profiler.info().profiler;
        let peer = self.tellers.iter().find(|teller| teller.info().profiler != family);
        let Some(peer) = peer else { return Ok(None) };
        let key = key("report", request, peer.info().profiler)?;
        let request = Request { dialect: None, detail: Detail::Lines, ..*request };
        let profile = self.reports.get(key, || peer.profile(bench, &request))?;
        Ok(Some(PeerProfile { profiler: Arc::clone(peer), profile }))
    }
}

/// `what` is asked of `family` about the program of `request`, run in that way.
fn key(what: &str, request: &Request<'_>, family: Family) -> Result<Key> {
    let Request { source, folder, flags, input, runs, .. } = request;
    Ok(blake3::hash(&serde_json::to_vec(&(what, source, folder, flags, input, runs, family))?))
}
