//! Programs and their inputs.
//!
//! A program is a `.c` file with `main`. An optional TOML file with the same stem next to it, the sidecar, has its flags
//! and inputs. `make:N` denotes programs of our own generator, and `csmith:N`
//! programs that Csmith generates. Without sources, the corpus is the one that is
//! compiled into the binary.

mod csmith;
pub mod import;
mod included;
mod load;
mod sidecar;
mod source;

pub use included::{FOLDER_FLAGS, HeaderFolders};
pub(crate) use load::{c_files, load_programs};
pub use load::{load, load_with};
pub use sidecar::{Input, Sidecar};
pub use source::Source;
