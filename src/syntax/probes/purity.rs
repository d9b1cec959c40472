//! What may be evaluated twice.
