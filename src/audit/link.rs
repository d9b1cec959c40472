//! A program or shared library that the build of the package links.

use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use super::call::Call;
use super::session::Session;
use super::unit::absolute;

/// The file of a link in its folder.
const FILE: &str = "link.json";

/// The program with its data at other addresses, in the folder of its link.
pub const SHIFTED: &str = "shifted";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    pub output: Utf8PathBuf,
    /// When it was made, in nanoseconds since 1970.
    pub made: u128,
    pub is_shared: bool,
    /// What is linked besides the objects of the call's own sources: objects, archives and shared libraries of the package.
    pub inputs: Vec<Utf8PathBuf>,
    /// Libraries of the system, as flags.
    pub libraries: Vec<String>,
}

/// When the file was changed; 0 if there is none.
fn modified(file: &Utf8Path) -> u128 {
    let changed = std::fs::metadata(file).and_then(|found| found.modified()).ok();
    let since = changed.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_nanos())
}

impl Link {
    /// The link of `call` in the folder `cwd`. A library in a folder of the package is an input.
    pub fn new(session: &Session, cwd: &Utf8Path, call: &Call) -> Link {
        let output = absolute(cwd, call.output.as_deref().unwrap_or("a.out"));
        let mut inputs: Vec<Utf8PathBuf> =
            call.inputs().into_iter().map(|word| absolute(cwd, word)).collect();
        let (folders, names) = call.libraries();
        let folders: Vec<Utf8PathBuf> = folders.iter().map(|folder| absolute(cwd, folder)).collect();
        let mut libraries = Vec::new();
        for name in names {
            let files = [format!("lib{name}.so"), format!("lib{name}.a")];
            let mut own = folders.iter().filter(|folder| folder.starts_with(&session.tree));
            match own.find_map(|folder| files.iter().map(|file| folder.join(file)).find(|path| path.exists()))
            {
                Some(path) => inputs.push(path),
                None => libraries.push(format!("-l{name}")),
            }
        }
        Link { made: modified(&output), output, is_shared: call.is_shared(), inputs, libraries }
    }

    /// Put the program of the link in `folder` that has its data at other addresses in the place of the program, unless that was
    /// changed since.
    pub fn shift(&self, folder: &Utf8Path) -> Result<()> {
        let shifted = folder.join(SHIFTED);
        if shifted.is_file() && self.output.is_file() && modified(&self.output) == self.made {
            let time = fs_err::metadata(&self.output)?.modified()?;
            fs_err::remove_file(&self.output)?;
            fs_err::copy(shifted, &self.output)?;
            // What is made from it must not be made again.
            fs_err::OpenOptions::new().write(true).open(&self.output)?.file().set_modified(time)?;
        }
        Ok(())
    }

    pub fn read(folder: &Utf8Path) -> Result<Link> {
        let file = folder.join(FILE);
        serde_json::from_str(&fs_err::read_to_string(&file)?).with_context(|| format!("{file}: not a link"))
    }

    pub fn write(&self, folder: &Utf8Path) -> Result<()> {
        Ok(fs_err::write(folder.join(FILE), serde_json::to_string_pretty(self)?)?)
    }
}
