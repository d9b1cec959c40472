//! The C text that calls a function with the numbers of an input, and the labels of those numbers.
//!
//! Every name in it begins with `recount_`, and it is plain enough for C89.

use std::fmt::Write as _;

use super::types::{Member, Type};
use super::{Area, Entry, Parameter, Shape};
use crate::model::Number;

/// A number inside of a parameter.
struct Leaf {
    /// What people call it.
    label: String,
    /// The expression in the text of the call.
    place: String,
    number: Number,
    spelt: String,
    /// Whether it can only be written to by another way than its name.
    constant: bool,
    bit_field: bool,
}

impl Entry {
    /// The numbers of one input, in order, with their labels: `x`, `a[3]`, `p->x`, `p is null`.
    pub fn cells(&self) -> Vec<(Number, String)> {
        self.parameters.iter().enumerate().flat_map(|(index, parameter)| parameter.cells(index)).collect()
    }

    /// The text of `static void recount_enter(const unsigned long long *recount_cell)`, which calls
    /// the function with the values in the cells and reports what comes of it.
    pub fn call(&self) -> String {
        let mut text = "static void recount_enter(const unsigned long long *recount_cell)\n{\n".to_string();
        for (index, parameter) in self.parameters.iter().enumerate() {
            let name = variable(index);
            let declared = if parameter.area.is_some() {
                pointer(&parameter.kind, &name)
            } else {
                parameter.kind.spelling(&name)
            };
            let _ = writeln!(text, "    {declared};");
        }
        if self.returns.is_some() {
            let _ = writeln!(text, "    {} recount_return;", self.spelt);
        }
        text.push_str("    (void)recount_cell;\n");
        let (mut cell, mut area) = (0, 0);
        let (mut arguments, mut results) = (Vec::new(), String::new());
        for (index, parameter) in self.parameters.iter().enumerate() {
            text.push_str(&parameter.setup(index, &mut cell, &mut area));
            let null = parameter.is_nullable().then(|| {
                cell += 1;
                cell - 1
            });
            arguments.push(parameter.argument(index, null));
            results.push_str(&parameter.results(index, null));
        }
        let assigned = if self.returns.is_some() { "recount_return = " } else { "" };
        let _ = writeln!(text, "    {assigned}{}({});", self.name, arguments.join(", "));
        if self.returns.is_some() {
            text.push_str("    recount_result(\"return\", RECOUNT_BITS(recount_return));\n");
        }
        text + &results + "}\n"
    }
}

impl Area {
    /// How many of its elements have cells.
    fn cells(&self) -> usize {
        self.length - usize::from(self.shape == Shape::Text)
    }
}

impl Parameter {
    /// How many numbers it holds.
    pub(super) fn count(&self) -> usize {
        let elements = self.area.as_ref().map_or(1, Area::cells);
        self.kind.count().saturating_mul(elements).saturating_add(usize::from(self.is_nullable()))
    }

    fn is_nullable(&self) -> bool {
        self.area.as_ref().is_some_and(|area| area.nullable)
    }

    fn cells(&self, index: usize) -> Vec<(Number, String)> {
        let mut cells: Vec<(Number, String)> =
            self.leaves(index).into_iter().map(|leaf| (leaf.number, leaf.label)).collect();
        if self.is_nullable() {
            cells.push((Number::Integer { bits: 1, signed: false }, format!("{} is null", self.name)));
        }
        cells
    }

    /// The numbers in it that a cell sets.
    fn leaves(&self, index: usize) -> Vec<Leaf> {
        let (mut found, variable) = (Vec::new(), variable(index));
        let Some(area) = &self.area else {
            walk(&self.kind, &self.name, &variable, &mut found);
            return found;
        };
        for element in 0..area.cells() {
            let place = format!("{variable}[{element}]");
            let label = match &self.kind {
                _ if area.shape != Shape::One => format!("{}[{element}]", self.name),
                Type::Struct(..) => self.name.clone(),
                Type::Array(..) => format!("(*{})", self.name),
                _ => format!("*{}", self.name),
            };
            walk(&self.kind, &label, &place, &mut found);
        }
        if area.shape == Shape::One && matches!(self.kind, Type::Struct(..)) {
            // `p.x` of the walk is `p->x` of the pointer.
            for leaf in &mut found {
                leaf.label = leaf.label.replacen('.', "->", 1);
            }
        }
        found
    }

    /// The statements that fill it from the cells.
    fn setup(&self, index: usize, cell: &mut usize, area: &mut usize) -> String {
        let mut text = String::new();
        if let Some(found) = &self.area {
            let size = self.kind.spelling(&format!("[{}]", found.length));
            let _ = writeln!(text, "    {} = recount_array({area}, sizeof ({size}));", variable(index));
            *area += 1;
        }
        for leaf in self.leaves(index) {
            let value = match leaf.number {
                Number::Integer { .. } => format!("({})recount_cell[{cell}]", leaf.spelt),
                Number::Float => format!("recount_float(recount_cell[{cell}])"),
                Number::Double | Number::LongDouble => format!("recount_double(recount_cell[{cell}])"),
            };
            *cell += 1;
            let place =
                if leaf.constant { format!("*({} *)&{}", leaf.spelt, leaf.place) } else { leaf.place };
            let _ = writeln!(text, "    {place} = {value};");
        }
        if let Some(Area { length, shape: Shape::Text, .. }) = &self.area {
            let _ = writeln!(text, "    {}[{}] = 0;", variable(index), length - 1);
        }
        text
    }

    fn argument(&self, index: usize, null: Option<usize>) -> String {
        let variable = variable(index);
        match (&self.area, null) {
            (None, _) => variable,
            // Qualifiers of what is pointed to are none of ours.
            (Some(_), None) => format!("(void *){variable}"),
            (Some(_), Some(cell)) => format!("recount_cell[{cell}] ? (void *)0 : (void *){variable}"),
        }
    }

    /// The statements that report what the function left behind the pointer.
    fn results(&self, index: usize, null: Option<usize>) -> String {
        if self.area.as_ref().is_none_or(|area| area.constant) {
            return String::new();
        }
        let mut text = String::new();
        for leaf in self.leaves(index) {
            // Of a field of bits there is neither a size nor a type.
            let value = if leaf.bit_field { format!("({}){}", leaf.spelt, leaf.place) } else { leaf.place };
            let _ = writeln!(text, "    recount_result(\"{}\", RECOUNT_BITS({value}));", leaf.label);
        }
        match null {
            Some(cell) => format!("    if (!recount_cell[{cell}]) {{\n{text}    }}\n"),
            None => text,
        }
    }
}

fn variable(index: usize) -> String {
    format!("recount_p{index}")
}

/// The declaration of a pointer to `element`.
fn pointer(element: &Type, name: &str) -> String {
    let is_array = matches!(element, Type::Array(..));
    element.spelling(&if is_array { format!("(*{name})") } else { format!("*{name}") })
}

/// The numbers in a value of type `kind`.
fn walk(kind: &Type, label: &str, place: &str, found: &mut Vec<Leaf>) {
    match kind {
        Type::Number(number, spelt) => found.push(Leaf {
            label: label.to_string(),
            place: place.to_string(),
            number: *number,
            spelt: spelt.clone(),
            constant: false,
            bit_field: false,
        }),
        Type::Struct(_, members) => members.iter().for_each(|member| inside(member, label, place, found)),
        Type::Array(of, length) => {
            for element in 0..length.unwrap_or(0) {
                let (label, place) = (format!("{label}[{element}]"), format!("{place}[{element}]"));
                walk(&of.kind, &label, &place, found);
            }
        }
        Type::Void | Type::Pointer(_) => {}
    }
}

/// The numbers in a member of a struct.
fn inside(member: &Member, label: &str, place: &str, found: &mut Vec<Leaf>) {
    let start = found.len();
    if member.name.is_empty() {
        walk(&member.typed.kind, label, place, found);
    } else {
        let (label, place) = (format!("{label}.{}", member.name), format!("{place}.{}", member.name));
        walk(&member.typed.kind, &label, &place, found);
    }
    for leaf in &mut found[start..] {
        leaf.constant |= member.typed.constant;
        leaf.bit_field |= member.bit_field;
    }
}
