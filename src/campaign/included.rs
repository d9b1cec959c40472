//! The files that a program includes: each has a report of its own, on which the relations that need no variant are tested.

use anyhow::Result;

use super::job::{comparable_peer, contradicted, counts_of, hash};
use super::program_cache::CachedProgram;
use super::{Batch, Job};
use crate::journal::{Checked, IncludedFile, JobRecord};
use crate::model::{Family, Finding};
use crate::syntax::Program;
use crate::toolchain::{Request, Worker};
use crate::triage::Subject;

impl Batch<'_> {
    /// Test the relations that need no variant on each file with code that the program in `request` includes; the texts
    /// of those with findings.
    pub(super) fn inspect_included_files(
        &self,
        job: &Job,
        cached: &CachedProgram,
        worker: &mut Worker,
        request: &Request<'_>,
        record: &mut JobRecord,
        checked: &mut Checked,
    ) -> Result<Vec<String>> {
        let source = self.source(job);
        let mut texts = Vec::new();
        // llvm-cov counts the text of macros, and gcov the code that names them.
        let has_macros = self.profiler(job).info().profiler == Family::LlvmCov;
        for (path, lines) in source.included_code(request.source, has_macros) {
            let name = source.name_of_included(&path);
            let request = Request { file: Some(&path), ..*request };
            let text = String::from_utf8_lossy(&fs_err::read(&path)?).into_owned();
            let program = Program::parse(text);
            let report = match self.profile(job, worker, &request)? {
                Ok(report) if !program.is_too_deep => report,
                // Macros that nothing expands have no report.
                Err(_) if lines == 0 => continue,
                _ => {
                    checked.included.insert(name, lines);
                    continue;
                }
            };
            let (truth, peer) = self.what_is_known(job, cached, worker, &request, &report)?;
            let mut subject =
                Subject::new(self.profiler(job), worker, &program, &report, request, &truth, &cached.facts);
            subject.peer = peer.as_ref().and_then(|peer| comparable_peer(peer, &report, self.settings));
            let findings = self.test_contradictions(&mut subject)?;
            let counts = counts_of(&subject, &findings);
            *checked += self.checked(&subject, &counts);
            if !findings.is_empty() {
                record.included.push(IncludedFile {
                    file: name.clone(),
                    source: hash(&program.source),
                    counts,
                });
                texts.push(program.source);
            }
            record.add_included(&name, findings);
        }
        Ok(texts)
    }

    /// The findings of every relation that needs no variant.
    fn test_contradictions(&self, subject: &mut Subject<'_>) -> Result<Vec<Finding>> {
        let mut findings = Vec::new();
        for name in self.settings.relations.iter().filter(|name| !name.makes_variants()) {
            findings.extend(contradicted(subject, *name, &self.settings.triage)?);
        }
        Ok(findings)
    }
}
