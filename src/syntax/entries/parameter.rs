//! A parameter of a function, the memory that it points to, and the numbers in both.

use serde::{Deserialize, Serialize};

use super::node::At;
use super::types::{Known, Type, Typed};
use super::uses::{Uses, uses};
use crate::model::Number;

/// Elements of an array if neither its type nor its uses say how many it has.
const ELEMENTS: usize = 8;
/// The same for `char`; the last one is 0.
const CHARACTERS: usize = 16;

/// One number of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    pub number: Number,
    /// Its place in the input: `x`, `a[3]`, `p->x`, `p is null`, `argv[1]`.
    pub label: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// `parameter 1` if it has no name.
    name: String,
    /// The type of the value, or of the elements that it points to.
    pub(super) kind: Type,
    pub(super) area: Option<Area>,
}

/// The memory that a pointer points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub length: usize,
    pub shape: Shape,
    /// Whether the function may not write to it.
    pub is_constant: bool,
    pub is_nullable: bool,
}

/// How memory is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// As one element.
    One,
    /// By index.
    Many,
    /// By index; the last element is always 0.
    Text,
}

/// A number inside a parameter.
pub(super) struct Leaf {
    pub label: String,
    /// The C expression that denotes it.
    pub place: String,
    pub number: Number,
    /// Its type as C spells it.
    pub spelling: String,
    /// Whether it is `const`, so that it has to be written through a pointer.
    pub is_constant: bool,
    pub is_bit_field: bool,
}

impl Parameter {
    /// The parameter `name`; the body of `function` says how it uses the memory.
    pub(super) fn new(function: At<'_>, index: usize, name: &str, typed: Typed) -> Known<Parameter> {
        let named = if name.is_empty() { format!("parameter {}", index + 1) } else { name.to_string() };
        let (element, length) = match typed.kind {
            Type::Pointer(to) => (*to, None),
            Type::Array(of, length) => (*of, length),
            kind => return Ok(Parameter { name: named, kind: numbers(kind, false)?, area: None }),
        };
        let found = function.field("body").map(|body| uses(body, name));
        let found = found.unwrap_or(Uses { is_single: false, is_tested: false });
        let kind = numbers(element.kind, true)?;
        let is_text = matches!(kind, Type::Number(Number::Integer { bits: 8, .. }, _));
        let (length, shape) = match (length, found.is_single, is_text) {
            (Some(length), ..) => (length, Shape::Many),
            (None, true, _) => (1, Shape::One),
            (None, false, true) => (CHARACTERS, Shape::Text),
            (None, false, false) => (ELEMENTS, Shape::Many),
        };
        let area = Area { length, shape, is_constant: element.constant, is_nullable: found.is_tested };
        Ok(Parameter { name: named, kind, area: Some(area) })
    }

    /// How many cells it has.
    pub(super) fn count(&self) -> usize {
        let elements = self.area.as_ref().map_or(1, Area::elements);
        self.kind.count().saturating_mul(elements).saturating_add(usize::from(self.is_nullable()))
    }

    pub(super) fn is_nullable(&self) -> bool {
        self.area.as_ref().is_some_and(|area| area.is_nullable)
    }

    pub(super) fn cells(&self) -> Vec<Cell> {
        let leaves = self.leaves("").into_iter();
        let mut cells: Vec<Cell> =
            leaves.map(|leaf| Cell { number: leaf.number, label: leaf.label }).collect();
        if self.is_nullable() {
            let label = format!("{} is null", self.name);
            cells.push(Cell { number: Number::Integer { bits: 1, signed: false }, label });
        }
        cells
    }

    /// The numbers that cells set; `variable` is the parameter's name in C.
    pub(super) fn leaves(&self, variable: &str) -> Vec<Leaf> {
        let mut found = Vec::new();
        let Some(area) = &self.area else {
            collect(&self.kind, &self.name, variable, &mut found);
            return found;
        };
        for element in 0..area.elements() {
            let place = format!("{variable}[{element}]");
            let label = match &self.kind {
                _ if area.shape != Shape::One => format!("{}[{element}]", self.name),
                Type::Struct(..) => self.name.clone(),
                Type::Array(..) => format!("(*{})", self.name),
                _ => format!("*{}", self.name),
            };
            collect(&self.kind, &label, &place, &mut found);
        }
        if area.shape == Shape::One && matches!(self.kind, Type::Struct(..)) {
            for leaf in &mut found {
                leaf.label = leaf.label.replacen('.', "->", 1);
            }
        }
        found
    }
}

impl Area {
    /// How many elements have cells.
    fn elements(&self) -> usize {
        self.length - usize::from(self.shape == Shape::Text)
    }
}

/// `kind` if it consists of numbers, else why not.
fn numbers(kind: Type, is_pointed_to: bool) -> Known<Type> {
    let complaint = match &kind {
        Type::Pointer(_) if is_pointed_to => "a pointer to pointers",
        Type::Void if is_pointed_to => "a pointer to memory of no type",
        Type::Void | Type::Pointer(_) => "of a type that holds no number",
        Type::Array(_, None) => "an array with a length that is not constant",
        Type::Array(of, _) => {
            numbers(of.kind.clone(), true)?;
            return Ok(kind);
        }
        Type::Struct(spelling, _) if spelling.is_empty() => "a struct without a name",
        Type::Number(..) | Type::Struct(..) => return Ok(kind),
    };
    Err(complaint.into())
}

/// The numbers in a value of type `kind`.
fn collect(kind: &Type, label: &str, place: &str, found: &mut Vec<Leaf>) {
    match kind {
        Type::Number(number, spelling) => found.push(Leaf {
            label: label.to_string(),
            place: place.to_string(),
            number: *number,
            spelling: spelling.clone(),
            is_constant: false,
            is_bit_field: false,
        }),
        Type::Struct(_, members) => {
            for member in members {
                let start = found.len();
                let name = if member.name.is_empty() { String::new() } else { format!(".{}", member.name) };
                collect(&member.typed.kind, &format!("{label}{name}"), &format!("{place}{name}"), found);
                for leaf in &mut found[start..] {
                    leaf.is_constant |= member.typed.constant;
                    leaf.is_bit_field |= member.bit_field;
                }
            }
        }
        Type::Array(of, length) => {
            for element in 0..length.unwrap_or(0) {
                let (label, place) = (format!("{label}[{element}]"), format!("{place}[{element}]"));
                collect(&of.kind, &label, &place, found);
            }
        }
        Type::Void | Type::Pointer(_) => {}
    }
}
