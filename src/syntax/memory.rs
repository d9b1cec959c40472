//! The parser uses the allocator of the binary instead of C's.
//!
//! Trees are most of what a campaign allocates. glibc does not return their memory, so the driver grew with every
//! thousand jobs (`reports/soak.md`). C's allocator is not replaced for everything, since functions that `recount inputs`
//! evaluates use it too, and a heap that one of them corrupts would go unnoticed.

#![allow(unsafe_code, reason = "the parser's library asks for it; see `share_allocator`")]

use libmimalloc_sys::{mi_calloc, mi_free, mi_malloc, mi_realloc};
use tree_sitter::{Allocator, set_allocator};

/// Let the parser allocate with mimalloc. A binary must call this once, before anything is parsed: earlier trees would be
/// freed by the wrong allocator.
pub fn share_allocator() {
    let allocator = Allocator { malloc: mi_malloc, calloc: mi_calloc, realloc: mi_realloc, free: mi_free };
    // SAFETY: the four are one allocator, which aligns as malloc does, and there is no thread and no tree yet.
    unsafe { set_allocator(Some(allocator)) };
}
