//! Calls that span several lines.

use super::nodes::NodeExt;
use super::program::Program;
use crate::model::Line;

impl Program {
    /// The first and the last line of each call that spans several.
    pub fn long_calls(&self) -> impl Iterator<Item = (Line, Line)> {
        let calls =
            self.tree.root_node().subtree().into_iter().filter(|node| node.kind() == "call_expression");
        let lines = calls.map(|call| (self.line_of(call.start_byte()), self.line_of(call.end_byte() - 1)));
        lines.filter(|(first, last)| first < last)
    }
}
