//! Truth shared: one build a program and family, for all variants and versions; and in the same way
//! what the other family reports of a program.
//!
//! It is always the first profiler of a family that tells, whoever asks first, so
//! that the result does not depend on the order of jobs.

use std::sync::Arc;

use anyhow::Result;

use super::remembered::{Key, Remembered};
use crate::syntax::Program;
use crate::toolchain::{Bench, Detail, Probed, Profile, Profiler, Report, Request, counts_conditions};
use crate::truth::{Told, Untold, believed, tell};

/// The truths of a campaign, and the reports of peers.
#[derive(Default)]
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
        Truths { tellers, ..Truths::default() }
    }

    /// The truth of `program`, whose hash is `source`, for a `report` of `profiler` on it: shared
    /// if the shared one does the same, else told by the profiler's own compiler.
    pub fn of(
        &self,
        profiler: &dyn Profiler,
        bench: &mut Bench,
        program: &Program,
        source: &str,
        request: &Request<'_>,
        report: &Report,
    ) -> Result<Arc<Told>> {
        let info = profiler.info();
        let teller = self.tellers.iter().find(|teller| teller.info().profiler == info.profiler);
        let shared = match teller {
            Some(teller) => self.shared(&**teller, bench, program, source, request)?,
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
        let own = tell(profiler, bench, program, &Request { dialect: Some(report.dialect), ..*request })?;
        Ok(Arc::new(believed(own, &report.execution)))
    }

    fn shared(
        &self,
        teller: &dyn Profiler,
        bench: &mut Bench,
        program: &Program,
        source: &str,
        request: &Request<'_>,
    ) -> Result<Arc<Told>> {
        let key = key(source, request, teller)?;
        self.told.get(key, || tell(teller, bench, program, &Request { dialect: None, ..*request }))
    }

    /// What the peer of `profiler` gives on the program whose hash is `source`; none where the campaign
    /// has no profiler of another family.
    pub fn peer(
        &self,
        profiler: &dyn Profiler,
        bench: &mut Bench,
        source: &str,
        request: &Request<'_>,
    ) -> Result<Option<PeerProfile>> {
        let family = profiler.info().profiler;
        let peer = self.tellers.iter().find(|teller| teller.info().profiler != family);
        let Some(peer) = peer else { return Ok(None) };
        let key = key(source, request, &**peer)?;
        let request = Request { dialect: None, detail: Detail::Lines, ..*request };
        let profile = self.reports.get(key, || peer.profile(bench, &request))?;
        Ok(Some(PeerProfile { profiler: Arc::clone(peer), profile }))
    }
}

/// What `asked` finds out about the program whose hash is `source`, run by `request`.
fn key(source: &str, request: &Request<'_>, asked: &dyn Profiler) -> Result<Key> {
    let asked_for = (request.input, counts_conditions(request.flags));
    Ok((source.to_string(), serde_json::to_string(&asked_for)?, asked.info().profiler))
}
