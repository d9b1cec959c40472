//! The parser's memory: from the allocator of the binary, not from C's.
//!
//! Trees are most of what a campaign allocates. glibc keeps what they took, so that the memory of the driver grew
//! with every thousand jobs (`reports/soak.md`). To replace C's allocator for everything is no way: functions
//! that `recount inputs` evaluates use it too, and a heap that one of them breaks would go unnoticed.

#![allow(unsafe_code, reason = "the parser's library asks for it; see `share_allocator`")]

use libmimalloc_sys::{mi_calloc, mi_free, mi_malloc, mi_realloc};
use tree_sitter::{Allocator, set_allocator};

/// From here on the parser allocates with mimalloc. To be called once, first of all, by a binary: what was
/// parsed before would be freed by the wrong allocator.
pub fn share_allocator() {
    let allocator = Allocator { malloc: mi_malloc, calloc: mi_calloc, realloc: mi_realloc, free: mi_free };
    // SAFETY: the four are one allocator, which aligns as malloc does, and there is no thread and no tree yet.
    unsafe { set_allocator(Some(allocator)) };
}
