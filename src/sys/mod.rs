//! The operating system: commands with limits, scratch folders, interrupts, CPU time. The only module that starts
//! processes.
//!
//! Compilers and coverage tools are trusted and started directly by [`run`]. Programs under test are foreign: they are
//! started by a [`Supervisor`], a mode of our own binary that runs in its own session, ends with its worker, and kills
//! the descendants of its programs.

mod command;
mod confine;
mod cpu;
mod disk_space;
mod forkserver;
mod interrupt;
mod lock;
mod package_sandbox;
mod passthrough;
mod path;
mod scratch;
mod scratch_root;
mod supervise;
mod supervisor;
mod ticks;

pub use command::{Command, CommandOutput, Limits, run, run_in_scratch};
pub use confine::{Confinement, LayerName, restrict_tool_writes};
pub use cpu::{CpuTime, own_and_children};
pub use disk_space::{MIN_FREE_BYTES, check_free_space, disk_full_error, is_disk_full};
pub use forkserver::{FORK_SERVER, ForkServers};
pub use interrupt::{install as install_interrupt, request as request_interrupt, requested};
pub use lock::lock;
pub use package_sandbox::{PackageSandbox, confined_words, give_to_package_user, run_confined};
pub use passthrough::{become_program, output_of, run_in_place, run_quietly};
pub use path::{find_on_path, find_program, path_folders, shell_word};

pub use scratch::{SHARED_FOLDER, Scratch};
pub use scratch_root::ScratchRoot;
pub use supervise::supervise;
pub use supervisor::Supervisor;
pub use ticks::run_with_ticks;
