//! C source: parsing, statements and whether they can be removed, edits. The only user of tree-sitter. It does not
//! depend on profilers and counts.
//!
//! One read-only [`Program`] is parsed once. Variants are sets of edits of it, rendered on demand, and never move a
//! line.

mod boolean;
mod chain;
mod calls;
mod cases;
mod comments;
mod depth;
mod digraphs;
mod edits;
mod entries;
mod gnu;
mod heads;
mod idle;
mod ids;
mod input;
mod instrument;
mod linkage;
mod lines;
mod macros;
mod markers;
mod memory;
mod nodes;
mod origin;
mod parse;
mod place;
mod plain;
mod points;
mod prefixes;
mod preprocessed;
mod probes;
mod program;
mod reflow;
mod removable;
mod scope;
mod shrink;
mod statements;
mod tokens;
mod type_words;
mod unevaluated;
mod values;
mod walk;
mod words;

pub use boolean::BooleanExpr;
pub use chain::{Chain, SystemChain};
pub use comments::{is_asm_goto, without_comments};
pub use depth::DEEPEST;
pub use edits::{render, replaced};
pub use input::reads_input;
pub use instrument::{COUNTERS, FOOTER, Uncounted, block_words, instrument, joined};
pub use linkage::FileScope;
pub use markers::{Marker, renumbers, with_lines_of_file, without_places};
pub use memory::share_allocator;
pub use origin::{DefinedIn, Level, LevelId, LevelKind, Origin, Origins, Position};
pub use place::{Site, SiteKind};
pub use points::{
    Counter, ExpansionText, Instrumented, InstrumentedFunction, Leaving, Point, PointId, PointKind,
    PointToken, StatementPlace, TokenKind, TokenOrigin, ValueStart, Way, Ways,
};
pub use preprocessed::Preprocessed;
pub use program::Program;
pub use reflow::Break;
pub use scope::{Integer, Scopes};
pub use shrink::{EditSet, Pass, candidate_edits, inactive_branches, with_branch_marks};
pub use statements::{Function, Group, Slot, Statement, StatementId, StatementKind};
pub use unevaluated::has_unevaluated;
pub use values::{local_lists, values};
pub use words::{one_line, starts_with_word};

/// Items that only the input search uses: the functions and programs that can be run with numbers, and probes that
/// report the operands of conditions.
pub mod search {
    pub use super::entries::{Cell, Entry, MainProgram, Unsupported, entries, main_program};
    pub use super::probes::{
        Case, Comparison, Condition, Decision, PRELUDE, ProbeOptions, Probes, Switch, probe,
    };
}
