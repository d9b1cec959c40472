//! What may be removed from a program, as far as syntax goes.

use super::{Program, Slot, StatementId, StatementKind};

/// Why a statement has to stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Keep {
    /// It is a function's body, a `case`, or the value of a statement expression.
    Structure,
    /// There is nothing to remove.
    Empty,
    /// The parser stumbled in it.
    Broken,
    /// A preprocessor directive or a nested function stands in it.
    Directive,
    /// A label in it is used from outside.
    Label,
    /// A `case` in it belongs to a `switch` outside.
    Case,
    /// A name that it declares is used elsewhere.
    Declaration,
}

impl Program {
    /// Whether `id` may be removed without the rest ceasing to compile.
    pub fn removable(&self, id: StatementId) -> Result<(), Keep> {
        let statement = self.statement(id);
        if statement.slot == Slot::Fixed || statement.kind == StatementKind::Case {
            return Err(Keep::Structure);
        }
        if statement.kind == StatementKind::Empty {
            return Err(Keep::Empty);
        }
        if statement.broken {
            return Err(Keep::Broken);
        }
        if statement.directive {
            return Err(Keep::Directive);
        }
        if statement.foreign_case {
            return Err(Keep::Case);
        }
        let range = &statement.range;
        let whole = 0..self.source.len();
        // A macro may jump to a label that it names, and token pasting to one that it does not.
        let jumped_to =
            |label: &String| self.words.elsewhere(label, &whole, range) || self.source.contains("##");
        if statement.labels.iter().any(jumped_to) {
            return Err(Keep::Label);
        }
        let function = self.function_at(range.start).map_or(whole.clone(), |function| function.range.clone());
        let used =
            |name: &String| self.words.elsewhere(name, &function, range) || self.macros.inside.contains(name);
        if statement.kind == StatementKind::Declaration
            && statement.declares.as_ref().is_none_or(|names| names.iter().any(used))
        {
            return Err(Keep::Declaration);
        }
        Ok(())
    }

    /// Whether `name` stands anywhere in the source but in `id`.
    pub fn is_named_outside(&self, id: StatementId, name: &str) -> bool {
        self.words.elsewhere(name, &(0..self.source.len()), &self.statement(id).range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(body: &str) -> Vec<(StatementKind, Result<(), Keep>)> {
        let program = Program::parse(format!("int f(int x) {{ {body} }}"));
        program.ids().map(|id| (program.statement(id).kind, program.removable(id))).skip(1).collect()
    }

    #[test]
    fn what_others_need_stays() {
        use StatementKind::{Call, Case, Declaration, Labeled};
        let found = verdicts("int used = 1; int unused = a(); g(used); l: h(); goto l;");
        assert!(found.contains(&(Declaration, Err(Keep::Declaration))));
        assert!(found.contains(&(Declaration, Ok(()))));
        assert!(found.contains(&(Labeled, Err(Keep::Label))));
        assert!(found.contains(&(Call, Ok(()))));
        let found = verdicts("switch (x) { case 1: a(); }");
        assert!(found.contains(&(Case, Err(Keep::Structure))));
    }

    #[test]
    fn what_a_macro_names_stays() {
        let program = Program::parse(
            "#define PUSH(a) stack[0] = a\nvoid f(void) { int stack[1], a; PUSH(1); int b; }\n".into(),
        );
        let found: Vec<_> = program.ids().map(|id| program.removable(id)).skip(1).collect();
        assert_eq!(found, [Err(Keep::Declaration), Ok(()), Ok(())]);
    }

    #[test]
    fn an_unused_label_and_a_whole_switch_may_go() {
        let found = verdicts("l: a(); switch (x) { case 1: b(); }");
        assert_eq!(found[0], (StatementKind::Labeled, Ok(())));
        assert!(found.contains(&(StatementKind::Switch, Ok(()))));
    }

    #[test]
    fn the_value_of_a_statement_expression_stays() {
        let found = verdicts("x = ({ a(); x; });");
        assert_eq!(found.last(), Some(&(StatementKind::Expression, Err(Keep::Structure))));
    }
}
