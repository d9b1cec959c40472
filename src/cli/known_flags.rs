//! The flags about known clusters.

use camino::Utf8PathBuf;
use clap::Args;

#[derive(Clone, Debug, Args)]
pub struct KnownFlags {
    /// File of known clusters, which are not reported as new [default: the built-in list].
    #[arg(long, value_name = "FILE")]
    pub known: Option<Utf8PathBuf>,
    /// Include known clusters.
    #[arg(long)]
    pub show_known: bool,
}
