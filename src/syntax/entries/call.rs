//! The C text that calls a function with the numbers of an input.
//!
//! Every name in it begins with `recount_`, and it is valid C89.

use std::fmt::Write as _;

use super::Entry;
use super::parameter::{Cell, Parameter, Shape};
use super::types::Type;
use crate::model::Number;

impl Entry {
    /// The numbers of one input, in order.
    pub fn cells(&self) -> Vec<Cell> {
        self.parameters.iter().flat_map(Parameter::cells).collect()
    }

    /// The text of `static void recount_enter(const unsigned long long *recount_cell)`, which calls the function with
    /// the values in the cells, and reports the value that it returns and the values that it leaves in memory.
    pub fn call(&self) -> String {
        let (mut declarations, mut setup, mut results) = (String::new(), String::new(), String::new());
        let (mut cell, mut area) = (0, 0);
        let mut arguments = Vec::new();
        for (index, parameter) in self.parameters.iter().enumerate() {
            let variable = format!("recount_p{index}");
            let _ = writeln!(declarations, "    {};", parameter.declaration(&variable));
            setup.push_str(&parameter.setup(&variable, &mut cell, &mut area));
            let null = parameter.is_nullable().then(|| {
                cell += 1;
                cell - 1
            });
            arguments.push(match (&parameter.area, null) {
                (None, _) => variable.clone(),
                // The cast drops qualifiers.
                (Some(_), None) => format!("(void *){variable}"),
                (Some(_), Some(cell)) => format!("recount_cell[{cell}] ? (void *)0 : (void *){variable}"),
            });
            results.push_str(&parameter.results(&variable, null));
        }
        let (mut assigned, mut returned) = ("", "");
        if self.returns.is_some() {
            let _ = writeln!(declarations, "    {} recount_return;", self.return_type);
            assigned = "recount_return = ";
            returned = "    recount_result(\"return\", RECOUNT_BITS(recount_return));\n";
        }
        format!(
            "static void recount_enter(const unsigned long long *recount_cell)\n{{\n{declarations}    \
             (void)recount_cell;\n{setup}    {assigned}{}({});\n{returned}{results}}}\n",
            self.name,
            arguments.join(", ")
        )
    }
}

impl Parameter {
    /// The declaration of `variable`, which holds the argument or points to its memory.
    fn declaration(&self, variable: &str) -> String {
        match (&self.area, &self.kind) {
            (None, kind) => kind.spelling(variable),
            (Some(_), kind @ Type::Array(..)) => kind.spelling(&format!("(*{variable})")),
            (Some(_), kind) => kind.spelling(&format!("*{variable}")),
        }
    }

    /// The statements that fill it from the cells.
    fn setup(&self, variable: &str, cell: &mut usize, area: &mut usize) -> String {
        let mut text = String::new();
        if let Some(found) = &self.area {
            let size = self.kind.spelling(&format!("[{}]", found.length));
            let _ = writeln!(text, "    {variable} = recount_array({area}, sizeof ({size}));");
            *area += 1;
        }
        for leaf in self.leaves(variable) {
            let value = match leaf.number {
                Number::Integer { .. } => format!("({})recount_cell[{cell}]", leaf.spelling),
                Number::Float => format!("recount_float(recount_cell[{cell}])"),
                Number::Double | Number::LongDouble => format!("recount_double(recount_cell[{cell}])"),
            };
            *cell += 1;
            let place =
                if leaf.is_constant { format!("*({} *)&{}", leaf.spelling, leaf.place) } else { leaf.place };
            let _ = writeln!(text, "    {place} = {value};");
        }
        if let Some(area) = self.area.as_ref().filter(|area| area.shape == Shape::Text) {
            let _ = writeln!(text, "    {variable}[{}] = 0;", area.length - 1);
        }
        text
    }

    /// The statements that report the values which the function leaves in memory.
    fn results(&self, variable: &str, null: Option<usize>) -> String {
        if self.area.as_ref().is_none_or(|area| area.is_constant) {
            return String::new();
        }
        let mut text = String::new();
        for leaf in self.leaves(variable) {
            // `_Generic` and `sizeof` reject bit-fields.
            let value =
                if leaf.is_bit_field { format!("({}){}", leaf.spelling, leaf.place) } else { leaf.place };
            let _ = writeln!(text, "    recount_result(\"{}\", RECOUNT_BITS({value}));", leaf.label);
        }
        match null {
            Some(cell) => format!("    if (!recount_cell[{cell}]) {{\n{text}    }}\n"),
            None => text,
        }
    }
}
