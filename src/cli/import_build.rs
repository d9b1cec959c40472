//! `recount import build`: a package is built under recorders, and its programs become folders of one
//! C file each.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, anyhow, bail};
use camino::{Utf8Path, Utf8PathBuf};

use super::exit::{Exit, Failure, bad_input, ours};
use super::import::{check, conclude};
use super::import_check::ANY_EXIT;
use super::import_flags::BuildFlags;
use super::import_recorder::{Recorder, Seen, run_here};
use crate::corpus::Sidecar;
use crate::corpus::import::build::{
    Mains, Program, Texts, alone, below, flags as flags_of, orders, programs,
};
use crate::corpus::import::calls::{Built, Unit, database};
use crate::corpus::import::clang::has_main;
use crate::corpus::import::joining::{Part, joined, whole};
use crate::corpus::import::{Fate, Fates, Folder, Taken, skip, text_of};
use crate::model::Termination;
use crate::sys::ScratchRoot;

pub fn build(flags: &BuildFlags) -> Result<Exit, Failure> {
    let root = std::env::current_dir().map_err(ours)?;
    let root = Utf8PathBuf::try_from(root).map_err(bad_input)?;
    let folder = Folder::new(&flags.common.out).map_err(bad_input)?;
    let scratch = ScratchRoot::new().map_err(ours)?;
    let recorder = Recorder::new(scratch.path()).map_err(ours)?;
    let built = built(flags, &root, &recorder)?;
    let mut import = Import::new(&built, &root, &folder).map_err(ours)?;
    if built.links.is_empty() {
        import.programs = alone(&built, &root, &import.mains);
    } else {
        for (file, found) in programs(&built, &root, &import.texts, &import.mains) {
            match found {
                Ok(program) => import.programs.push(program),
                Err(fate) => drop(import.fates.insert(file, *fate)),
            }
        }
    }
    let mut seen = BTreeMap::new();
    if let Some(test) = &flags.test {
        let outputs = import.programs.iter().filter_map(|program| program.output.clone()).collect();
        seen = recorder.watch(test, &root, outputs).map_err(bad_input)?;
    }
    let mut tried = None;
    for turn in 0..3 {
        let mut fates = import.turn(turn, &seen).map_err(ours)?;
        tried = check(&folder, &mut fates, &flags.common)?.or(tried);
        import.fates.extend(fates);
        if flags.common.no_check {
            break;
        }
    }
    import.finish().map_err(ours)?;
    conclude(&folder, &import.fates, tried.as_deref(), &flags.common).map_err(ours)
}

/// What the command did, or what the database says.
fn built(flags: &BuildFlags, root: &Utf8Path, recorder: &Recorder) -> Result<Built, Failure> {
    let calls = match &flags.compile_commands {
        Some(file) => {
            let text = fs_err::read_to_string(file).map_err(bad_input)?;
            database(&text, file).map_err(bad_input)?
        }
        None => recorder.build(&flags.command, root).map_err(bad_input)?,
    };
    let built = Built::of(&calls);
    if built.units.is_empty() {
        return Err(bad_input(anyhow!(
            "no C file was compiled; clean what is built already, as in `make clean`, and see that the build \
             takes its compiler from PATH or CC"
        )));
    }
    Ok(built)
}

/// An import while its programs are tried.
struct Import<'a> {
    root: &'a Utf8Path,
    folder: &'a Folder,
    texts: Texts,
    mains: Mains,
    /// C files that stand in the texts of those that include them.
    inside: BTreeSet<Utf8PathBuf>,
    programs: Vec<Program>,
    fates: Fates,
    written: BTreeSet<Utf8PathBuf>,
    needed: BTreeSet<Utf8PathBuf>,
    headers: BTreeMap<Utf8PathBuf, BTreeSet<Utf8PathBuf>>,
}

impl<'a> Import<'a> {
    fn new(built: &Built, root: &'a Utf8Path, folder: &'a Folder) -> Result<Import<'a>> {
        let mut import = Import {
            root,
            folder,
            texts: Texts::new(),
            mains: Mains::new(),
            inside: BTreeSet::new(),
            programs: Vec::new(),
            fates: Fates::new(),
            written: BTreeSet::new(),
            needed: BTreeSet::new(),
            headers: BTreeMap::new(),
        };
        let read = |path: &Utf8Path| text_of(path).ok()?.ok();
        for unit in built.units.values().filter(|unit| unit.source.is_file()) {
            match text_of(&unit.source)? {
                Ok(text) => {
                    let (text, inside) = whole(&unit.source, &text, &read);
                    import.inside.extend(inside.iter().map(|path| below(path, root)));
                    if has_main(&text) && is_main(unit)? {
                        import.mains.insert(unit.source.clone());
                    }
                    import.texts.insert(unit.source.clone(), text);
                }
                Err(fate) => drop(import.fates.insert(below(&unit.source, root), fate)),
            }
        }
        Ok(import)
    }

    /// Write those programs that have an order of files left to be tried.
    fn turn(&mut self, turn: usize, seen: &BTreeMap<Utf8PathBuf, Seen>) -> Result<Fates> {
        let mut fates = Fates::new();
        for program in self.programs.clone() {
            let open = match self.fates.get(&program.file) {
                None => true,
                Some(Fate::Skipped(skipped)) => turn > 0 && skipped.reason == "does not compile",
                Some(Fate::Taken(_)) => false,
            };
            let orders = orders(&program);
            let Some(units) = orders.get(turn).filter(|_| open) else { continue };
            let fate = self.write(&program, units, seen)?;
            fates.insert(program.file.clone(), fate);
        }
        Ok(fates)
    }

    fn write(
        &mut self,
        program: &Program,
        units: &[Unit],
        seen: &BTreeMap<Utf8PathBuf, Seen>,
    ) -> Result<Fate> {
        let sorted = match flags_of(units, self.root, &self.folder.root) {
            Ok(sorted) => sorted,
            Err(fate) => return Ok(*fate),
        };
        let mut headers = Vec::new();
        for unit in units {
            let included = self.included(unit)?;
            if let Some(code) = included.iter().find(|header| header.extension() == Some("c")) {
                return Ok(skip("its code is in another C file", code.as_str()));
            }
            headers.push(included);
        }
        let needed: BTreeSet<Utf8PathBuf> = headers.iter().flatten().cloned().collect();
        for header in needed.difference(&self.written) {
            self.folder.write(header, &fs_err::read(self.root.join(header))?)?;
        }
        self.written.extend(needed.iter().cloned());
        let text = self.joined(units, &headers);
        self.headers.insert(program.file.clone(), needed);
        let mut notes = Vec::new();
        if units.len() > 1 {
            notes.push(format!("{} files in one", units.len()));
        }
        if !sorted.dropped.is_empty() {
            notes.push(format!("without {}", sorted.dropped.join(" ")));
        }
        let calls = program.output.as_ref().and_then(|output| seen.get(output));
        let inputs = match calls {
            Some(calls) => {
                notes.extend(calls.notes.clone());
                calls.inputs(self.folder, &program.file)?
            }
            None => Vec::new(),
        };
        let libraries = program.libraries.iter().filter(|library| !sorted.kept.contains(library));
        let flags = sorted.kept.iter().chain(libraries).cloned().collect();
        let taken = Taken { sidecar: Sidecar { flags, inputs, seconds: None }, notes, exit: ANY_EXIT };
        self.folder.program(&program.file, text.as_bytes(), &taken.sidecar)?;
        Ok(Fate::Taken(taken))
    }

    /// The text of one file for `units`, which include `headers`.
    fn joined(&self, units: &[Unit], headers: &[BTreeSet<Utf8PathBuf>]) -> String {
        let names: Vec<Utf8PathBuf> = units.iter().map(|unit| below(&unit.source, self.root)).collect();
        let text = |unit: &Unit| self.texts.get(&unit.source).map_or("", String::as_str);
        let parts: Vec<Part<'_>> = units
            .iter()
            .zip(&names)
            .zip(headers)
            .map(|((unit, name), headers)| Part { name, text: text(unit), headers })
            .collect();
        let read = |path: &Utf8PathBuf| fs_err::read_to_string(self.root.join(path)).unwrap_or_default();
        let all: BTreeSet<&Utf8PathBuf> = headers.iter().flatten().collect();
        let texts = all.into_iter().map(|path| (path.clone(), read(path))).collect();
        joined(&parts, &texts)
    }

    /// What `unit` includes from below the package, as the compiler says, but for the C files in its text.
    fn included(&self, unit: &Unit) -> Result<BTreeSet<Utf8PathBuf>> {
        let mut args = unit.flags.clone();
        args.extend(["-w".into(), "-MM".into(), unit.source.to_string()]);
        let exit = run_here("cc", args, &unit.cwd, Vec::new())?;
        let rule = String::from_utf8_lossy(&exit.stdout).replace("\\\n", " ");
        let files = rule.split_once(':').map_or("", |(_, files)| files).split_whitespace();
        let paths = files.skip(1).filter_map(|file| {
            let path = unit.cwd.join(file).canonicalize_utf8().ok()?;
            Some(path.strip_prefix(self.root.canonicalize_utf8().ok()?).ok()?.to_path_buf())
        });
        Ok(paths.filter(|path| !self.inside.contains(path)).collect())
    }

    /// Every source gets its row, and headers that no program needs go.
    fn finish(&mut self) -> Result<()> {
        let is_taken = |file: &Utf8Path, fates: &Fates| matches!(fates.get(file), Some(Fate::Taken(_)));
        for program in &self.programs {
            let taken = is_taken(&program.file, &self.fates);
            if taken {
                self.needed.extend(self.headers.remove(&program.file).unwrap_or_default());
            }
            let reason = if taken { "part of a program" } else { "part of a program that is skipped" };
            for unit in std::iter::once(&program.main).chain(&program.others) {
                let row = self.fates.entry(below(&unit.source, self.root));
                row.or_insert_with(|| skip(reason, program.file.as_str()));
            }
        }
        for source in self.texts.keys() {
            let row = self.fates.entry(below(source, self.root));
            row.or_insert_with(|| skip("in no program that could be taken", ""));
        }
        self.folder.tidy(&self.written, &self.needed)?;
        if self.fates.is_empty() {
            bail!("the build left no C file");
        }
        Ok(())
    }
}

/// Whether `unit` still has its `main` when the preprocessor has decided what is compiled.
fn is_main(unit: &Unit) -> Result<bool> {
    let mut args = unit.flags.clone();
    args.extend(["-w".into(), "-E".into(), unit.source.to_string()]);
    let exit = run_here("cc", args, &unit.cwd, Vec::new())?;
    // What cannot be preprocessed here is tried as it is.
    Ok(exit.termination != Termination::Exited(0) || has_main(&String::from_utf8_lossy(&exit.stdout)))
}
