//! The types of declarations: the numbers that they hold, and how C spells them.

pub mod constants;
mod table;

use std::cell::Cell;
use std::collections::HashMap;

use super::super::nodes::NodeExt;
use super::super::words::one_line;
use super::node::At;
use crate::model::Number;

/// Longer chains of typedefs and deeper nests of structs are not followed.
const DEEPEST: u32 = 24;
const MAX_MEMBERS: u32 = 4096;

#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    Void,
    /// A number, and the spelling of its type.
    Number(Number, String),
    /// A struct; one without a name has an empty spelling.
    Struct(String, Vec<Member>),
    /// An array, and its length if that is a constant.
    Array(Box<Typed>, Option<usize>),
    Pointer(Box<Typed>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Typed {
    pub kind: Type,
    pub constant: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Empty for a struct whose members count as members of the struct around it.
    pub name: String,
    pub typed: Typed,
    pub bit_field: bool,
}

/// Or why a type cannot be read, as the end of a sentence after "which is".
pub type Known<T> = std::result::Result<T, String>;

/// The types that a file defines.
#[derive(Default)]
pub struct Types<'a> {
    typedefs: HashMap<&'a str, (At<'a>, At<'a>)>,
    /// Structs, unions and enums by kind and tag.
    tags: HashMap<(&'a str, &'a str), At<'a>>,
    constants: HashMap<&'a str, i64>,
    members: Cell<u32>,
}

impl<'a> Types<'a> {
    /// The types that the file with this root defines outside functions.
    pub fn of(root: At<'a>) -> Types<'a> {
        let mut types = Types::default();
        let mut next = 0;
        let outside = root.node.subtree_without(|node| node.kind() == "compound_statement");
        for at in outside.into_iter().map(|node| root.with(node)) {
            match at.kind() {
                "type_definition" => {
                    for declarator in at.fields("declarator") {
                        if let Some(name) = name_of(declarator) {
                            types.typedefs.insert(name.text(), (at, declarator));
                        }
                    }
                }
                "struct_specifier" | "union_specifier" | "enum_specifier" if at.field("body").is_some() => {
                    next = 0;
                    if let Some(name) = at.field("name") {
                        types.tags.insert((at.kind(), name.text()), at);
                    }
                }
                "enumerator" => {
                    let value = at.field("value").map(|value| types.constant(value, 0));
                    let Some(value) = value.unwrap_or(Some(next)) else { continue };
                    next = value.saturating_add(1);
                    if let Some(name) = at.field("name") {
                        types.constants.insert(name.text(), value);
                    }
                }
                _ => {}
            }
        }
        types
    }

    /// The type before the declarators of a declaration.
    pub fn base(&self, declaration: At<'a>) -> Known<Typed> {
        self.members.set(0);
        self.base_at(declaration, 0)
    }

    fn base_at(&self, declaration: At<'a>, depth: u32) -> Known<Typed> {
        let specifier = declaration.field("type").ok_or("of a type that is not spelled plainly")?;
        let until =
            declaration.field("declarator").map_or(declaration.node.end_byte(), |at| at.node.start_byte());
        let head = declaration.source.written.get(declaration.node.start_byte()..until).unwrap_or("");
        if head.contains("omplex") {
            return Err("a complex number".into());
        }
        let is_attributed = |at: &At<'_>| at.kind() == "attribute_specifier";
        let special = |at: &At<'_>| at.text().contains("vector_size") || at.text().contains("mode");
        if declaration.children().iter().any(|at| is_attributed(at) && special(at)) {
            return Err("of a type with an attribute".into());
        }
        let qualifiers = declaration.children();
        let constant = qualifiers.iter().any(|at| at.kind() == "type_qualifier" && at.text() == "const");
        let mut typed = self.specified(specifier, depth)?;
        typed.constant |= constant;
        Ok(typed)
    }

    fn specified(&self, specifier: At<'a>, depth: u32) -> Known<Typed> {
        if depth > DEEPEST {
            return Err("of a type that is nested too deeply".into());
        }
        let plain = |kind| Ok(Typed { kind, constant: false });
        let spelling = one_line(specifier.text());
        match specifier.kind() {
            "union_specifier" => Err("a union".into()),
            "struct_specifier" => self.structure(specifier, depth).and_then(plain),
            "enum_specifier" => {
                let name = specifier.field("name").map(|name| format!("enum {}", name.text()));
                plain(Type::Number(Number::INT, name.unwrap_or("int".into())))
            }
            _ => match self.typedefs.get(specifier.text()) {
                Some(&(definition, declarator)) => self.alias(&spelling, definition, declarator, depth),
                None if spelling == "void" => plain(Type::Void),
                None => match table::number(&spelling) {
                    Some(number) => plain(Type::Number(number, spelling)),
                    None => Err(format!("of the type `{spelling}`, which the file does not define")),
                },
            },
        }
    }

    /// The type that the typedef `name` denotes, with that name as its spelling.
    fn alias(&self, name: &str, definition: At<'a>, declarator: At<'a>, depth: u32) -> Known<Typed> {
        let base = self.base_at(definition, depth + 1)?;
        let constant = base.constant;
        let (_, mut typed) = self.declared(base, declarator)?;
        match &mut typed.kind {
            // A value can be assigned only through a type that is not constant, so that one keeps its own spelling.
            Type::Number(_, spelling) | Type::Struct(spelling, _) if !constant => {
                *spelling = name.to_string();
            }
            kind => name_inside(kind, name),
        }
        Ok(typed)
    }

    fn structure(&self, specifier: At<'a>, depth: u32) -> Known<Type> {
        let tag = specifier.field("name").map(At::text);
        let spelling = tag.map_or(String::new(), |tag| format!("struct {tag}"));
        let defined = || self.tags.get(&("struct_specifier", tag?))?.field("body");
        let undefined = || format!("a `{spelling}`, which the file does not define");
        let body = specifier.field("body").or_else(defined).ok_or_else(undefined)?;
        let mut members = Vec::new();
        for field in body.named() {
            if field.kind() == "field_declaration" {
                self.member(field, depth, &mut members)?;
            } else if field.node.has_error() {
                return Err("a struct that cannot be read".into());
            }
        }
        if members.is_empty() {
            Err("a struct without members".into())
        } else {
            Ok(Type::Struct(spelling, members))
        }
    }

    /// The members that one declaration in a struct declares.
    fn member(&self, field: At<'a>, depth: u32, members: &mut Vec<Member>) -> Known<()> {
        let bit_field = field.named().iter().any(|at| at.kind() == "bitfield_clause");
        let declarators = field.fields("declarator");
        let named = |name: &str, why: &str| match name {
            "" => format!("a struct with a member that is {why}"),
            _ => format!("a struct with the member `{name}`, which is {why}"),
        };
        let first = declarators.first().and_then(|at| name_of(*at)).map_or("", At::text);
        if self.is_pointer(field, &declarators) {
            return Err(named(first, "a pointer"));
        }
        let base = self.base_at(field, depth + 1).map_err(|why| named(first, &why))?;
        if bit_field && base.constant {
            return Err(named(first, "a constant bit-field"));
        }
        // A number without a name, `int : 3;`, is padding.
        if declarators.is_empty() && matches!(base.kind, Type::Struct(..)) {
            members.push(Member { name: String::new(), typed: base.clone(), bit_field });
        }
        for declarator in declarators {
            self.members.set(self.members.get() + 1);
            if self.members.get() > MAX_MEMBERS {
                return Err("a struct with too many members".into());
            }
            let (name, typed) = self.declared(base.clone(), declarator).map_err(|why| named(first, &why))?;
            if matches!(typed.kind, Type::Array(_, None)) {
                return Err(named(&name, "an array without a constant length"));
            }
            if !name.is_empty() {
                members.push(Member { name, typed, bit_field });
            }
        }
        Ok(())
    }

    /// Whether a member is a pointer. This is checked first, because the pointer may point to the struct itself.
    fn is_pointer(&self, field: At<'a>, declarators: &[At<'a>]) -> bool {
        let points = |at: &At<'a>| at.all().iter().any(|at| at.kind() == "pointer_declarator");
        let mut specifier = field.field("type");
        let mut found = declarators.iter().any(points);
        for _ in 0..DEEPEST {
            let definition = specifier.and_then(|at| self.typedefs.get(at.text()));
            let Some((definition, declarator)) = definition else { break };
            found |= points(declarator);
            specifier = definition.field("type");
        }
        found
    }

    /// The name and the type that `declarator` declares, starting from `base`. A function is an error.
    pub fn declared(&self, base: Typed, declarator: At<'a>) -> Known<(String, Typed)> {
        let (mut typed, mut at) = (base, Some(declarator));
        let (mut name, mut depth) = (String::new(), 0);
        while let Some(found) = at {
            depth += 1;
            if depth > DEEPEST {
                return Err("of a type that is nested too deeply".into());
            }
            match found.kind() {
                "identifier" | "field_identifier" | "type_identifier" | "primitive_type" => {
                    name = found.text().to_string();
                    break;
                }
                "pointer_declarator" | "abstract_pointer_declarator" => {
                    typed = Typed { kind: Type::Pointer(Box::new(typed)), constant: false };
                }
                "array_declarator" | "abstract_array_declarator" => {
                    let length = found.field("size").and_then(|size| self.constant(size, 0));
                    let length =
                        length.and_then(|length| usize::try_from(length).ok()).filter(|length| *length > 0);
                    let constant = typed.constant;
                    typed = Typed { kind: Type::Array(Box::new(typed), length), constant };
                }
                "function_declarator" | "abstract_function_declarator" => return Err("a function".into()),
                _ => {}
            }
            at = inner(found);
        }
        Ok((name, typed))
    }
}

/// The declarator inside a declarator.
pub fn inner(declarator: At<'_>) -> Option<At<'_>> {
    declarator.field("declarator").or_else(|| {
        let is_inner = |at: &At<'_>| at.kind().ends_with("declarator") || at.kind().ends_with("identifier");
        declarator.named().into_iter().find(is_inner)
    })
}

/// The name that `declarator` declares.
pub fn name_of(declarator: At<'_>) -> Option<At<'_>> {
    let mut inwards = std::iter::successors(Some(declarator), |at| inner(*at)).take(DEEPEST as usize);
    let names = ["identifier", "field_identifier", "type_identifier", "primitive_type"];
    inwards.find(|at| names.contains(&at.kind()))
}

/// Give the struct without a name inside `kind`, a type called `name`, a spelling that refers to `name`.
fn name_inside(kind: &mut Type, name: &str) {
    match kind {
        Type::Struct(spelling, _) if spelling.is_empty() => *spelling = name.to_string(),
        Type::Pointer(to) => name_inside(&mut to.kind, &format!("__typeof__(*({name})0)")),
        Type::Array(of, _) => name_inside(&mut of.kind, &format!("__typeof__((*({name} *)0)[0])")),
        _ => {}
    }
}

impl Type {
    /// How many numbers it holds.
    pub fn count(&self) -> usize {
        match self {
            Type::Number(..) => 1,
            Type::Struct(_, members) => {
                let counts = members.iter().map(|member| member.typed.kind.count());
                counts.fold(0, usize::saturating_add)
            }
            Type::Array(of, length) => of.kind.count().saturating_mul(length.unwrap_or(0)),
            Type::Void | Type::Pointer(_) => 0,
        }
    }

    /// The declaration of `name` with this type.
    pub fn spelling(&self, name: &str) -> String {
        match self {
            Type::Void => format!("void {name}"),
            Type::Number(_, spelling) | Type::Struct(spelling, _) => format!("{spelling} {name}"),
            Type::Pointer(to) if matches!(to.kind, Type::Array(..)) => {
                to.kind.spelling(&format!("(*{name})"))
            }
            Type::Pointer(to) => to.kind.spelling(&format!("*{name}")),
            Type::Array(of, length) => of
                .kind
                .spelling(&format!("{name}[{}]", length.map_or(String::new(), |length| length.to_string()))),
        }
    }
}
