//! Indices into the lists of an instrumented program.

/// Index of a counter in the instrumented program.
pub type Counter = u32;

/// Index of a point in [`super::Instrumented::points`].
pub type PointId = usize;
