//! A unit: one compilation of one C file in a build of the package.

use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use super::session::Session;
use crate::model::{Family, normal};
use crate::syntax::{Instrumented, Marker, Preprocessed, instrument, with_lines_of_file};

/// The file of a unit in its folder.
const FILE: &str = "unit.json";
/// The preprocessed text, with the definitions of macros.
pub const TEXT: &str = "unit.i";
/// The same with counters.
pub const COUNTING: &str = "counting.i";
/// The object.
pub const OBJECT: &str = "unit.o";
/// gcc's notes and counters.
pub const NOTES: &str = "unit.gcno";
pub const DATA: &str = "unit.gcda";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// The folder in which the compiler was called.
    pub cwd: Utf8PathBuf,
    /// The C file as the call named it.
    pub source: String,
    /// The object that the call made.
    pub object: Utf8PathBuf,
    /// The options of the compilation.
    pub flags: Vec<String>,
    /// The options of a compilation of the preprocessed text.
    pub text_flags: Vec<String>,
    /// The name in the preprocessed text by which the C file is known; another one if the file had to be copied.
    pub name: String,
    /// The files with counters, each with the hash of its text, in the build with counters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counted: Vec<(Utf8PathBuf, String)>,
    /// Why the unit has no counters, in the build with counters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncounted: Option<String>,
}

/// A file of the package with code in a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitFile {
    /// Its name in the preprocessed text.
    pub name: String,
    /// Where it is.
    pub path: Utf8PathBuf,
    pub is_main: bool,
}

impl Unit {
    pub fn read(folder: &Utf8Path) -> Result<Unit> {
        let file = folder.join(FILE);
        serde_json::from_str(&fs_err::read_to_string(&file)?).with_context(|| format!("{file}: not a unit"))
    }

    pub fn write(&self, folder: &Utf8Path) -> Result<()> {
        Ok(fs_err::write(folder.join(FILE), serde_json::to_string_pretty(self)?)?)
    }

    pub fn path(&self) -> Utf8PathBuf {
        absolute(&self.cwd, &self.source)
    }

    /// A file with counters whose text is no longer the one that was compiled: a build may remove or make again what it has
    /// generated.
    pub fn changed(&self) -> Option<&Utf8Path> {
        let is_changed = |(path, hash): &&(Utf8PathBuf, String)| text_hash(path).ok().as_ref() != Some(hash);
        self.counted.iter().find(is_changed).map(|(path, _)| path.as_path())
    }

    /// Each file of the unit below `tree`, instrumented, as far as it has functions, or macros that functions of the unit name;
    /// none if `text`, the preprocessed unit, is nested too deeply.
    pub fn instrumented(
        &self,
        family: Family,
        text: &str,
        tree: &Utf8Path,
    ) -> Result<Option<Vec<(UnitFile, Instrumented)>>> {
        let mut found = Vec::new();
        for file in self.files(family, text, tree) {
            let typed = typed_text(family, &file.path, &file.name)?.unwrap_or_default();
            let mut program = Preprocessed::new(text.to_string(), &file.name).of(&typed);
            // gcov counts what a macro does where the macro is named.
            if family == Family::LlvmCov {
                program = program.with_others(|name| typed_text(family, &self.path_of(name), name).ok()?);
            }
            let Some(made) = instrument(&program, false) else { return Ok(None) };
            if !made.functions.is_empty() {
                found.push((file, made));
            }
        }
        Ok(Some(found))
    }

    /// Where the file is that has this name in the preprocessed text.
    fn path_of(&self, name: &str) -> Utf8PathBuf {
        if name == self.name { self.path() } else { absolute(&self.cwd, name) }
    }

    /// The files of the package, below `tree`, of which `text` has rows with a body or inside one, and for llvm-cov those that define
    /// macros with parameters, the C file first. clang does not count a header with the pragma `system_header`.
    fn files(&self, family: Family, text: &str, tree: &Utf8Path) -> Vec<UnitFile> {
        let mut files: Vec<UnitFile> = Vec::new();
        let mut bodies: Vec<bool> = Vec::new();
        let mut at = None;
        // Braces in literals are counted too: at worst a file without functions is read.
        let mut depth = 0_usize;
        for row in text.lines() {
            // The folder of the compilation is a marker too: `# 1 "/p//"`.
            if let Some(marker) = Marker::of(row).filter(|marker| !marker.file.ends_with("//")) {
                let (name, is_system) = (marker.file_name(), marker.is_system);
                let is_hidden = is_system && family == Family::LlvmCov;
                let known = files.iter().position(|file| file.name == name);
                at = known.filter(|_| !is_hidden).or_else(|| {
                    let (path, is_main) = (self.path_of(&name), name == self.name);
                    let is_own =
                        !is_system && !name.starts_with('<') && path.starts_with(tree) && path.is_file();
                    is_own.then(|| {
                        files.push(UnitFile { name, path, is_main });
                        bodies.push(false);
                        files.len() - 1
                    })
                });
            } else if let Some(macro_text) = row.strip_prefix("#define ") {
                // llvm-cov counts the code of macros where they are defined.
                if let Some(at) = at.filter(|_| family == Family::LlvmCov && has_parameters(macro_text)) {
                    bodies[at] = true;
                }
            } else if !row.starts_with('#') {
                let (opened, closed) = (row.matches('{').count(), row.matches('}').count());
                if let Some(at) = at.filter(|_| opened > 0 || depth > 0 && row.contains([';', ':'])) {
                    bodies[at] = true;
                }
                depth = (depth + opened).saturating_sub(closed);
            }
        }
        let mut with_bodies = bodies.into_iter();
        files.retain(|_| with_bodies.next() == Some(true));
        files.sort_by_key(|file| !file.is_main);
        files
    }
}

/// A hash of the text of a file.
pub fn text_hash(path: &Utf8Path) -> Result<String> {
    Ok(blake3::hash(&fs_err::read(path)?).to_hex().to_string())
}

/// The text of a file as the profiler counts its lines: llvm-cov those of the file, which is called `name`, gcov those that `#line`
/// names. None as in [`with_lines_of_file`].
pub fn typed_text(family: Family, path: &Utf8Path, name: &str) -> Result<Option<String>> {
    let text = String::from_utf8_lossy(&fs_err::read(path)?).into_owned();
    Ok(if family == Family::LlvmCov { with_lines_of_file(&text, name) } else { Some(text) })
}

/// Whether a macro, defined by the text after `#define`, has parameters.
fn has_parameters(definition: &str) -> bool {
    definition
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .is_some_and(|end| definition[end..].starts_with('('))
}

/// `path` seen from `cwd`, without `.` and `..`.
pub fn absolute(cwd: &Utf8Path, path: &str) -> Utf8PathBuf {
    let joined = cwd.join(path);
    normal(&joined).unwrap_or(joined)
}

impl Session {
    /// The folders of the units that were compiled in a phase, by their names, which are the same in both builds.
    pub fn units_of(&self, phase: &str) -> Result<Vec<(String, Utf8PathBuf)>> {
        folders(&self.units(phase))
    }

    /// The same for what was linked.
    pub fn links_of(&self, phase: &str) -> Result<Vec<(String, Utf8PathBuf)>> {
        folders(&self.links(phase))
    }
}

fn folders(parent: &Utf8Path) -> Result<Vec<(String, Utf8PathBuf)>> {
    if !parent.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in parent.read_dir_utf8()? {
        let entry = entry?;
        found.push((entry.file_name().to_string(), entry.into_path()));
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_unit_are_those_of_the_package_with_bodies() {
        let temp = tempfile::tempdir().unwrap();
        let tree = Utf8PathBuf::try_from(temp.path().canonicalize().unwrap()).unwrap();
        for name in ["src/p.c", "inc/a.h", "inc/b.h"] {
            fs_err::create_dir_all(tree.join(name).parent().unwrap()).unwrap();
            fs_err::write(tree.join(name), "").unwrap();
        }
        let unit =
            Unit { cwd: tree.join("src"), source: "p.c".into(), name: "p.c".into(), ..Unit::default() };
        let text = format!(
            "# 1 \"p.c\"\n# 1 \"{tree}/src//\"\n# 1 \"<built-in>\"\n# 1 \"../inc/a.h\" 1\nint f(void) {{ return 1; }}\n\
             # 1 \"../inc/b.h\" 1\nint g;\n# 1 \"/usr/include/x.h\" 1 3\nint h(void) {{ }}\n# 2 \"p.c\" 2\nint main(void)\n{{\n}}\n"
        );
        let found: Vec<(String, bool)> = unit
            .files(Family::Gcov, &text, &tree)
            .into_iter()
            .map(|file| (file.name, file.is_main))
            .collect();
        assert_eq!(found, [("p.c".to_string(), true), ("../inc/a.h".to_string(), false)]);
    }
}
