//! Decides whether a program still compiles without one of its statements.

use super::{Program, Slot, StatementId, StatementKind};

impl Program {
    /// Whether the program still compiles if `id` is removed: no other code uses its labels, `case`s or names, it
    /// contains no directive and no nested function, and its place is not fixed.
    pub fn is_removable(&self, id: StatementId) -> bool {
        let statement = self.statement(id);
        let is_fixed = statement.slot == Slot::Fixed
            || matches!(statement.kind, StatementKind::Case | StatementKind::Empty)
            || statement.broken
            || statement.directive
            || statement.foreign_case;
        if is_fixed {
            return false;
        }
        let range = &statement.range;
        let whole = 0..self.source.len();
        // A macro may jump to a label that it names, and with token pasting to a label that it does not name.
        let is_target =
            |label: &String| self.words.elsewhere(label, &whole, range) || self.source.contains("##");
        if statement.labels.iter().any(is_target) {
            return false;
        }
        let function = self.function_at(range.start).map_or(whole.clone(), |function| function.range.clone());
        let is_used =
            |name: &String| self.words.elsewhere(name, &function, range) || self.macros.inside.contains(name);
        statement.kind != StatementKind::Declaration
            || statement.declares.as_ref().is_some_and(|names| !names.iter().any(is_used))
    }

    /// Whether `name` is anywhere in the source outside of `id`.
    pub fn is_named_outside(&self, id: StatementId, name: &str) -> bool {
        self.words.elsewhere(name, &(0..self.source.len()), &self.statement(id).range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each statement of a function with this `body`, and whether it is removable.
    fn removable(body: &str) -> Vec<(StatementKind, bool)> {
        let program = Program::parse(format!("int f(int x) {{ {body} }}"));
        program.ids().map(|id| (program.statement(id).kind, program.is_removable(id))).skip(1).collect()
    }

    #[test]
    fn a_statement_that_another_needs_is_kept() {
        use StatementKind::{Call, Case, Declaration, Goto, Labeled, Switch};
        let found = removable("int used = 1; int unused = a(); g(used); l: h(); goto l;");
        let expected = [
            (Declaration, false),
            (Declaration, true),
            (Call, true),
            (Labeled, false),
            (Call, true),
            (Goto, true),
        ];
        assert_eq!(found, expected);
        let found = removable("switch (x) { case 1: a(); }");
        assert_eq!(found[0], (Switch, true));
        assert!(found.contains(&(Case, false)));
    }

    #[test]
    fn a_declaration_that_a_macro_names_is_kept() {
        let program = Program::parse(
            "#define PUSH(a) stack[0] = a\nvoid f(void) { int stack[1], a; PUSH(1); int b; }\n".into(),
        );
        let found: Vec<bool> = program.ids().map(|id| program.is_removable(id)).skip(1).collect();
        assert_eq!(found, [false, true, true]);
    }

    #[test]
    fn an_unused_label_and_a_whole_switch_are_removable() {
        let found = removable("l: a(); switch (x) { case 1: b(); }");
        assert_eq!(found[0], (StatementKind::Labeled, true));
        assert!(found.contains(&(StatementKind::Switch, true)));
    }

    #[test]
    fn the_value_of_a_statement_expression_is_kept() {
        let found = removable("x = ({ a(); x; });");
        assert_eq!(found.last(), Some(&(StatementKind::Expression, false)));
    }
}
