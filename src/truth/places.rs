//! Ground truth of functions: how often each was entered.

use super::{CountedPoint, Truth};
use crate::coverage::without_file;
use crate::model::Line;
use crate::syntax::PointKind;

impl Truth {
    /// The entries of the one function that `line` belongs to, with the index of the function. None
    /// where it is not instrumented.
    pub fn entries(&self, line: Line) -> Option<(usize, u64)> {
        let holds = |lines: (Line, Line)| (lines.0..=lines.1).contains(&line);
        let around = self.functions.iter().enumerate().filter(|(_, function)| holds(function.lines));
        // A nested function follows the one that contains it, and begins later.
        let (index, found) = around.max_by_key(|(index, function)| (function.lines.0, *index))?;
        let twins = self.functions.iter().filter(|other| {
            holds(other.lines) && (other.lines.0 == found.lines.0 || other.lines.1 <= found.lines.0)
        });
        if !found.is_counted() || twins.count() > 1 {
            return None;
        }
        Some((index, self.entries_of(index)?))
    }

    /// The entries of the function that a report lists as `name` on `line`, with the index of the function. Several functions
    /// may be on one line, where a macro makes them; llvm-cov lists them on the line of the macro's definition, and private
    /// ones as `file:name`, and gcov nested ones as `name.0`. None where the function is not instrumented.
    pub fn entries_as(&self, name: &str, line: Line) -> Option<(usize, u64)> {
        let same = self.functions_as(name);
        let is_here = |index: &usize| {
            let function = &self.functions[*index];
            function.lines.0 == line || function.name_line == Some(line)
        };
        let here: Vec<usize> = same.iter().copied().filter(is_here).collect();
        let counted = |index: usize| Some((index, self.entries_of(index)?));
        match only(&here) {
            Some(index) => counted(index),
            None => self.entries(line).or_else(|| counted(only(&same)?)),
        }
    }

    /// The function that a report lists as `name`. None if there is none or several.
    pub fn function_as(&self, name: &str) -> Option<usize> {
        only(&self.functions_as(name))
    }

    fn functions_as(&self, name: &str) -> Vec<usize> {
        let name = without_file(name);
        let number = |(_, number): &(&str, &str)| number.bytes().all(|byte| byte.is_ascii_digit());
        let name = name.rsplit_once('.').filter(number).map_or(name, |(name, _)| name);
        (0..self.functions.len()).filter(|index| self.functions[*index].name == name).collect()
    }

    /// The entries of a function; none if it is not instrumented.
    pub fn entries_of(&self, index: usize) -> Option<u64> {
        let is_entry = |point: &&CountedPoint| point.function == index && point.kind == PointKind::Entry;
        self.points.iter().find(is_entry).filter(|_| self.functions[index].is_counted())?.count
    }
}

fn only(indices: &[usize]) -> Option<usize> {
    <[usize; 1]>::try_from(indices).ok().map(|[index]| index)
}
