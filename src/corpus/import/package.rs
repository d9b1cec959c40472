//! The import of a package after its build: its programs, joined into one C file each.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, ensure};
use camino::{Utf8Path, Utf8PathBuf};

use super::build::{Program, Sources, below, flags, linked_programs, orders, unlinked_programs};
use super::calls::{Built, Unit};
use super::clang::has_main;
use super::joining::{Part, joined, with_included_c};
use super::recorder::{Recorded, Seen, SeenCalls, run_here};
use super::self_contained::{SelfContained, self_contained};
use super::{DOES_NOT_COMPILE, Fates, Folder, Taken, skip, text_of};
use crate::corpus::{Input, Sidecar};
use crate::model::Termination;

/// Every program is tried with its files in at most this many orders.
pub const MOST_ORDERS: usize = 3;

/// The most programs that are written for calls with binary or long input.
const MOST_PROGRAMS: usize = 4;

/// An import while its programs are tried.
pub struct Package<'a> {
    folder: &'a Folder,
    sources: Sources<'a>,
    /// C files whose text is part of the files that include them.
    included: BTreeSet<Utf8PathBuf>,
    programs: Vec<Program>,
    fates: Fates,
    /// The headers that were copied.
    written: BTreeSet<Utf8PathBuf>,
    /// The headers of each program.
    headers: BTreeMap<Utf8PathBuf, BTreeSet<Utf8PathBuf>>,
}

impl<'a> Package<'a> {
    /// The package in `root`, to be imported to `folder`.
    pub fn new(built: &Built, root: &'a Utf8Path, folder: &'a Folder) -> Result<Package<'a>> {
        let mut sources = Sources { root, texts: BTreeMap::new(), with_main: BTreeSet::new() };
        let (mut included, mut fates) = (BTreeSet::new(), Fates::new());
        let read = |path: &Utf8Path| text_of(path).ok()?.ok();
        for unit in built.units.values().filter(|unit| unit.source.is_file()) {
            match text_of(&unit.source)? {
                Ok(text) => {
                    let (text, paths) = with_included_c(&unit.source, &text, &read);
                    included.extend(paths.iter().map(|path| below(path, root)));
                    if has_main(&text) && has_main_after_preprocessing(unit)? {
                        sources.with_main.insert(unit.source.clone());
                    }
                    sources.texts.insert(unit.source.clone(), text);
                }
                Err(skipped) => drop(fates.insert(below(&unit.source, root), Err(skipped))),
            }
        }
        let mut programs =
            if built.links.is_empty() { unlinked_programs(built, &sources) } else { Vec::new() };
        for (file, program) in linked_programs(built, &sources) {
            match program {
                Ok(program) => programs.push(program),
                Err(skipped) => drop(fates.insert(file, Err(skipped))),
            }
        }
        let (written, headers) = (BTreeSet::new(), BTreeMap::new());
        Ok(Package { folder, sources, included, programs, fates, written, headers })
    }

    /// The binaries of the programs.
    pub fn outputs(&self) -> BTreeSet<Utf8PathBuf> {
        self.programs.iter().filter_map(|program| program.output.clone()).collect()
    }

    /// Write the programs that have not compiled yet, with their files in the order number `turn`. `seen` has the
    /// calls of the programs by their tests.
    pub fn write(&mut self, turn: usize, seen: &SeenCalls) -> Result<Fates> {
        let mut fates = Fates::new();
        for program in self.programs.clone() {
            let is_open = match self.fates.get(&program.file) {
                None => true,
                Some(Err(skipped)) => turn > 0 && skipped.reason == DOES_NOT_COMPILE,
                Some(Ok(_)) => false,
            };
            let orders = orders(&program);
            if let Some(units) = orders.get(turn).filter(|_| is_open) {
                self.write_program(&program, units, seen, &mut fates)?;
            }
        }
        Ok(fates)
    }

    /// Why programs and files are skipped.
    pub fn reasons(&self) -> Vec<&super::Skipped> {
        self.fates.values().filter_map(|fate| fate.as_ref().err()).collect()
    }

    /// Keep the fates of the programs that were tried.
    pub fn keep(&mut self, fates: Fates) {
        self.fates.extend(fates);
    }

    /// Write `program` with its files in the order of `units`, and one program for each call whose input no sidecar can describe.
    fn write_program(
        &mut self,
        program: &Program,
        units: &[Unit],
        seen: &SeenCalls,
        fates: &mut Fates,
    ) -> Result<()> {
        let sorted = match flags(units, self.sources.root, &self.folder.root) {
            Ok(sorted) => sorted,
            Err(skipped) => {
                fates.insert(program.file.clone(), Err(skipped));
                return Ok(());
            }
        };
        let headers: Vec<BTreeSet<Utf8PathBuf>> =
            units.iter().map(|unit| self.headers_of(unit)).collect::<Result<_>>()?;
        if let Some(code) = headers.iter().flatten().find(|header| header.extension() == Some("c")) {
            fates.insert(program.file.clone(), Err(skip("includes another C file", code.as_str())));
            return Ok(());
        }
        let needed: BTreeSet<Utf8PathBuf> = headers.iter().flatten().cloned().collect();
        for header in needed.difference(&self.written) {
            self.folder.write(header, &fs_err::read(self.sources.root.join(header))?)?;
        }
        self.written.extend(needed.iter().cloned());
        let names: Vec<Utf8PathBuf> =
            units.iter().map(|unit| below(&unit.source, self.sources.root)).collect();
        let text = |unit: &Unit| self.sources.texts.get(&unit.source).map_or("", String::as_str);
        let parts = units.iter().zip(&names).zip(&headers);
        let parts = parts.map(|((unit, name), headers)| Part { name, text: text(unit), headers });
        let read =
            |path: &Utf8PathBuf| fs_err::read_to_string(self.sources.root.join(path)).unwrap_or_default();
        let texts = needed.iter().map(|path| (path.clone(), read(path))).collect();
        let text = joined(&parts.collect::<Vec<_>>(), &texts);
        self.headers.insert(program.file.clone(), needed);
        let mut notes = Vec::new();
        if units.len() > 1 {
            notes.push(format!("{} files in one", units.len()));
        }
        notes.extend(sorted.note());
        let libraries = program.libraries.iter().filter(|library| !sorted.kept.contains(library));
        let flags: Vec<String> = sorted.kept.iter().chain(libraries).cloned().collect();
        let seen = program.output.as_ref().and_then(|output| seen.get(output));
        let mut inputs = Vec::new();
        if let Some(seen) = seen {
            let (described, left_out) = seen.inputs(self.folder, &program.file)?;
            notes.extend(left_out);
            inputs = described;
        }
        let others: Vec<(usize, &Recorded)> = seen.into_iter().flat_map(Seen::others).collect();
        if others.len() > MOST_PROGRAMS {
            notes.push(format!(
                "{} calls by its tests left out: binary or long input",
                others.len() - MOST_PROGRAMS
            ));
        }
        for (number, call) in others.into_iter().take(MOST_PROGRAMS) {
            let file = Utf8PathBuf::from(format!("{}.test-{number}.c", program.file.with_extension("")));
            let SelfContained { source, args, stdin } = self_contained(&text, call, usize::MAX);
            let input = Input { name: format!("test-{number}"), args, stdin };
            let notes =
                vec![format!("{} with a call by its tests whose input is binary or long", program.file)];
            self.take(
                file,
                &source,
                Sidecar { flags: flags.clone(), inputs: vec![input], seconds: None },
                notes,
                fates,
            )?;
        }
        self.take(program.file.clone(), &text, Sidecar { flags, inputs, seconds: None }, notes, fates)
    }

    fn take(
        &self,
        file: Utf8PathBuf,
        text: &str,
        sidecar: Sidecar,
        notes: Vec<String>,
        fates: &mut Fates,
    ) -> Result<()> {
        self.folder.program(&file, text.as_bytes(), &sidecar)?;
        fates.insert(file, Ok(Taken { sidecar, notes, exit: None }));
        Ok(())
    }

    /// The files of the package that `unit` includes, according to the compiler, without the C files that are part of
    /// its text.
    fn headers_of(&self, unit: &Unit) -> Result<BTreeSet<Utf8PathBuf>> {
        let mut args = unit.flags.clone();
        args.extend(["-w".into(), "-MM".into(), unit.source.to_string()]);
        let exit = run_here("cc", args, &unit.cwd, Vec::new())?;
        let rule = String::from_utf8_lossy(&exit.stdout).replace("\\\n", " ");
        let files = rule.split_once(':').map_or("", |(_, files)| files).split_whitespace();
        let root = self.sources.root.canonicalize_utf8()?;
        let paths = files.skip(1).filter_map(|file| {
            let path = unit.cwd.join(file).canonicalize_utf8().ok()?;
            Some(path.strip_prefix(&root).ok()?.to_path_buf())
        });
        Ok(paths.filter(|path| !self.included.contains(path)).collect())
    }

    /// Give every source its row in the list, and remove the headers that no program needs.
    pub fn finish(mut self) -> Result<Fates> {
        let mut needed = BTreeSet::new();
        for program in &self.programs {
            let is_taken = self.fates.get(&program.file).is_some_and(Result::is_ok);
            if is_taken {
                needed.extend(self.headers.remove(&program.file).unwrap_or_default());
            }
            let reason = if is_taken { "part of a program" } else { "part of a skipped program" };
            for unit in program.units() {
                let row = self.fates.entry(below(&unit.source, self.sources.root));
                row.or_insert_with(|| Err(skip(reason, program.file.as_str())));
            }
        }
        for source in self.sources.texts.keys() {
            let row = self.fates.entry(below(source, self.sources.root));
            row.or_insert_with(|| Err(skip("in no program that was taken", "")));
        }
        self.folder.tidy(&self.written, &needed)?;
        ensure!(!self.fates.is_empty(), "the sources that the build compiled no longer exist");
        Ok(self.fates)
    }
}

/// Whether `unit` still has its `main` after preprocessing.
fn has_main_after_preprocessing(unit: &Unit) -> Result<bool> {
    let mut args = unit.flags.clone();
    args.extend(["-w".into(), "-E".into(), unit.source.to_string()]);
    let exit = run_here("cc", args, &unit.cwd, Vec::new())?;
    // A file that cannot be preprocessed here is judged by its text.
    Ok(exit.termination != Termination::Exited(0) || has_main(&String::from_utf8_lossy(&exit.stdout)))
}
