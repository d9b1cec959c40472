//! Where in a profiler a wrong number comes from.

use super::named::named_enum;

named_enum! {
    /// The part of a profiler that a fault is in. Each part is right about its input: the line rule about the mapping and
    /// the counters, the report generator about the rule.
    pub enum Layer {
        /// A counter has a wrong value, or none was inserted.
        Counter = "counter",
        /// A block has the wrong lines; a region the wrong extent, kind or expression.
        Mapping = "mapping",
        /// The rule that turns counts of blocks or regions into counts of lines.
        LineRule = "line-rule",
        /// The report differs from the rules of the profiler.
        Report = "report",
        /// An element that must be there is not.
        Missing = "missing",
    }
}
