//! Truth shared: one build a program and family, for all variants and versions.
//!
//! It is always the first profiler of a family that tells, whoever asks first, so
//! that the result does not depend on the order of jobs.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use anyhow::Result;

use super::workers::lock;
use crate::model::Family;
use crate::syntax::Program;
use crate::toolchain::{Bench, Probed, Profiler, Report, Request};
use crate::truth::{Told, Untold, believed, tell};

/// Programs whose truth is remembered. A plan has the jobs of a program beside each other.
const REMEMBERED: usize = 32;

type Key = (String, String, Family);

/// What is known of a program: locked while somebody finds it out.
type Cell = Arc<Mutex<Option<Arc<Told>>>>;

/// The truths of a campaign.
#[derive(Default)]
pub struct Truths {
    tellers: Vec<Probed>,
    cells: Mutex<VecDeque<(Key, Cell)>>,
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
        Truths { tellers, cells: Mutex::default() }
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
        let input = serde_json::to_string(request.input)?;
        let cell = self.cell((source.to_string(), input, teller.info().profiler));
        let mut cell = lock(&cell);
        if let Some(told) = &*cell {
            return Ok(Arc::clone(told));
        }
        let told = Arc::new(tell(teller, bench, program, &Request { dialect: None, ..*request })?);
        *cell = Some(Arc::clone(&told));
        Ok(told)
    }

    fn cell(&self, key: Key) -> Cell {
        let mut cells = lock(&self.cells);
        if let Some((_, cell)) = cells.iter().find(|(known, _)| *known == key) {
            return Arc::clone(cell);
        }
        if cells.len() == REMEMBERED {
            cells.pop_front();
        }
        let cell = Cell::default();
        cells.push_back((key, Arc::clone(&cell)));
        cell
    }
}
