//! Types as declared: what a written type says, and the structs and enums of a program.
//!
//! Known from the tree alone, before any value is checked.

use crate::prove::exhaustive;
use crate::prove::pattern::Constructor;
use crate::thir::{Elem, Nominal, Ty, TypeDef, TypeId, VariantDef};
use rustc_hash::FxHashMap;
use weft_base::entity::PrimaryMap;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_hir::{self as hir, VarId};
use weft_resolve::suggest::suggest;
use weft_scalar::ScalarType;
use weft_shape::Size;

/// A type as declared: of inputs, parameters and results.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Declared {
    Scalar(ScalarType),
    /// `[T; dims]`; `None` in `[T]`, which is rank 1.
    Array(ScalarType, Option<Vec<hir::Dim>>),
    Str,
    Tuple(Vec<Declared>),
    /// A struct or an enum with its type arguments.
    Named(TypeId, Vec<Declared>),
    /// A type parameter of the struct or enum around.
    Generic(usize),
    /// A tensor of such elements.
    GenericArray(usize, Option<Vec<hir::Dim>>),
    /// A tensor whose cells are tuples.
    Cells(Box<Declared>, Option<Vec<hir::Dim>>),
    /// A host list.
    List(Box<Declared>),
    /// A function of so many parameters.
    Fn(usize),
    /// What could not be understood; reported.
    Error,
}

impl Declared {
    /// With type arguments in the place of parameters.
    pub fn with_args(&self, args: &[Declared]) -> Declared {
        match self {
            Declared::Generic(n) => args.get(*n).cloned().unwrap_or(Declared::Generic(*n)),
            Declared::GenericArray(n, dims) => match args.get(*n) {
                Some(Declared::Scalar(t)) => Declared::Array(*t, dims.clone()),
                _ => self.clone(),
            },
            Declared::Tuple(ms) => Declared::Tuple(ms.iter().map(|m| m.with_args(args)).collect()),
            Declared::Named(id, given) => {
                Declared::Named(*id, given.iter().map(|g| g.with_args(args)).collect())
            }
            Declared::List(of) => Declared::List(Box::new(of.with_args(args))),
            other => other.clone(),
        }
    }
}

/// What the fields of a type are declared to be.
#[derive(Clone, Debug, Default)]
pub(crate) struct TypeInfo {
    pub generics: Vec<Name>,
    /// By variant and field.
    pub fields: Vec<Vec<Declared>>,
    /// Whether values contain values of the same type.
    pub recursive: bool,
}

/// The structs and enums of a program.
#[derive(Debug, Default)]
pub(crate) struct TypeTable {
    defs: PrimaryMap<TypeId, TypeDef>,
    infos: PrimaryMap<TypeId, TypeInfo>,
    of_vars: FxHashMap<VarId, TypeId>,
}

impl TypeTable {
    /// The types of a program, and what is wrong with them.
    pub fn of(program: &hir::Program) -> (TypeTable, Vec<Diagnostic>) {
        let mut table = TypeTable::default();
        let mut found = Vec::new();
        // Types may be used before they are defined, and name each other.
        for def in &program.types {
            let id = table.defs.push(type_def(def));
            table.infos.push(TypeInfo::default());
            table.of_vars.insert(def.name.var, id);
        }
        let described: Vec<TypeInfo> =
            program.types.iter().map(|def| table.described(def, &mut found)).collect();
        table.infos = described.into_iter().collect();
        let ids: Vec<TypeId> = table.defs.keys().collect();
        for id in &ids {
            table.infos[*id].recursive = table.mentions(*id, *id, &mut Vec::new());
        }
        for id in &ids {
            found.extend(table.refuse_endless(*id));
        }
        for id in ids {
            table.describe_fields(id);
        }
        (table, found)
    }

    /// A type's definition.
    pub fn def(&self, id: TypeId) -> &TypeDef {
        &self.defs[id]
    }

    /// What a type's fields are.
    pub fn info(&self, id: TypeId) -> &TypeInfo {
        &self.infos[id]
    }

    /// All definitions, for the checked program.
    pub fn defs(&self) -> PrimaryMap<TypeId, TypeDef> {
        self.defs.clone()
    }

    /// The type that a variable names.
    pub fn of_var(&self, var: VarId) -> Option<TypeId> {
        self.of_vars.get(&var).copied()
    }

    fn described(&self, def: &hir::TypeDef, found: &mut Vec<Diagnostic>) -> TypeInfo {
        let generics = def.generics.iter().map(|g| g.name.clone()).collect();
        let mut field = |ty| self.declared(ty, found).unwrap_or(Declared::Error);
        let mut fields = Vec::new();
        for variant in &def.variants {
            fields.push(variant.fields.iter().map(|(_, ty)| field(ty)).collect());
        }
        TypeInfo { generics, fields, recursive: false }
    }

    fn describe_fields(&mut self, id: TypeId) {
        if !self.infos[id].recursive {
            return;
        }
        for n in 0..self.infos[id].fields.len() {
            let types = self.infos[id].fields[n].iter().map(|d| self.type_of(d, &[])).collect();
            self.defs[id].variants[n].types = types;
        }
    }

    /// E0308 for a struct that contains itself, whose values would have no end.
    fn refuse_endless(&mut self, id: TypeId) -> Option<Diagnostic> {
        if !self.infos[id].recursive || self.defs[id].is_enum {
            return None;
        }
        let mut fields = self.infos[id].fields.iter().flatten();
        if fields.all(|f| self.enum_between(f, id, &mut Vec::new())) {
            return None;
        }
        self.infos[id].recursive = false;
        self.infos[id].fields.iter_mut().flatten().for_each(|f| *f = Declared::Error);
        let def = &self.defs[id];
        let headline = format!("the struct `{}` contains itself", def.name);
        let d = Diagnostic::error(Code::E0308, headline)
            .primary(def.span, "a value of it would have no end")
            .help("make the field an enum that may also be empty");
        Some(d)
    }

    /// Whether every way from a field back to the type goes through an enum.
    fn enum_between(&self, field: &Declared, id: TypeId, seen: &mut Vec<TypeId>) -> bool {
        match field {
            Declared::Named(t, _) if *t == id => false,
            Declared::Named(t, _) if self.defs[*t].is_enum && self.infos[*t].recursive => true,
            Declared::Named(t, _) if seen.contains(t) => true,
            Declared::Named(t, args) => {
                if args.iter().any(|a| !self.enum_between(a, id, seen)) {
                    return false;
                }
                seen.push(*t);
                self.infos[*t].fields.iter().flatten().all(|f| self.enum_between(f, id, seen))
            }
            Declared::Tuple(members) => members.iter().all(|m| self.enum_between(m, id, seen)),
            Declared::List(of) => self.enum_between(of, id, seen),
            _ => true,
        }
    }

    fn mentions(&self, of: TypeId, wanted: TypeId, seen: &mut Vec<TypeId>) -> bool {
        if seen.contains(&of) {
            return false;
        }
        seen.push(of);
        self.infos[of].fields.iter().flatten().any(|f| self.declares(f, wanted, seen))
    }

    fn declares(&self, field: &Declared, wanted: TypeId, seen: &mut Vec<TypeId>) -> bool {
        match field {
            Declared::Named(id, args) => {
                *id == wanted
                    || args.iter().any(|a| self.declares(a, wanted, seen))
                    || self.mentions(*id, wanted, seen)
            }
            Declared::Tuple(members) => members.iter().any(|m| self.declares(m, wanted, seen)),
            Declared::List(of) => self.declares(of, wanted, seen),
            _ => false,
        }
    }

    /// The struct or variant that a path names, if it names one; E0425 for a variant that is not
    /// there.
    pub fn constructor(
        &self,
        path: &hir::Constructor,
    ) -> Result<Option<Constructor>, Box<Diagnostic>> {
        let Some(ty) = path.ty.and_then(|var| self.of_var(var)) else { return Ok(None) };
        match self.defs[ty].is_enum {
            true => self.variant_named(ty, &path.name).map(Some),
            false => Ok(Some(Constructor { ty, variant: 0 })),
        }
    }

    /// The variant of an enum that a path names, as [`TypeTable::constructor`].
    pub fn variant_of(
        &self,
        of: VarId,
        name: &hir::Label,
    ) -> Result<Option<Constructor>, Box<Diagnostic>> {
        self.of_var(of).map(|ty| self.variant_named(ty, name)).transpose()
    }

    fn variant_named(&self, ty: TypeId, name: &hir::Label) -> Result<Constructor, Box<Diagnostic>> {
        let def = &self.defs[ty];
        if let Some(variant) = def.variants.iter().position(|v| v.name == name.name) {
            return Ok(Constructor { ty, variant });
        }
        let known: Vec<String> = def.variants.iter().map(|v| v.name.to_string()).collect();
        let headline = format!("the enum `{}` has no variant `{}`", def.name, name.name);
        let d = Diagnostic::error(Code::E0425, headline)
            .primary(name.span, "unknown variant")
            .secondary(def.span, "defined here");
        Err(Box::new(suggest(d, name, known)))
    }

    /// The name of a struct or variant for messages.
    pub fn constructor_name(&self, c: Constructor) -> String {
        self.defs[c.ty].path_of(c.variant)
    }

    /// Where the fields of a variant lie among the members.
    pub fn field_places(&self, c: Constructor) -> (usize, usize) {
        let fields = &self.infos[c.ty].fields;
        let before: usize = fields[..c.variant].iter().map(Vec::len).sum();
        let tag = usize::from(self.defs[c.ty].is_enum);
        (tag + before, fields[c.variant].len())
    }

    /// The types of the fields of a variant in values of a type.
    pub fn fields_of(&self, c: Constructor, ty: &Ty) -> Vec<Ty> {
        match ty {
            Ty::Named(_, members) => {
                let (first, count) = self.field_places(c);
                members[first..first + count].to_vec()
            }
            Ty::Boxed(_, args) => {
                let declared = self.infos[c.ty].fields[c.variant].iter();
                declared.map(|d| self.type_of(d, args)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// An element type; others are refused by name.
    pub fn scalar(&self, ty: &hir::Type, found: &mut Vec<Diagnostic>) -> Option<ScalarType> {
        match &ty.kind {
            hir::TypeKind::Prim(p) => {
                let scalar = ScalarType::from_name(p.as_str());
                if scalar.is_none() {
                    found.push(no_numbers(*p, ty.span));
                }
                scalar
            }
            hir::TypeKind::Error => None,
            _ => {
                let d = Diagnostic::error(Code::E0308, "an element type is a scalar type")
                    .primary(ty.span, "expected a type such as `bool`, `i32` or `f32`");
                found.push(match ty.kind {
                    hir::TypeKind::Array { .. } => d.help(
                        "the extents of all axes stand in one list, the first axis first: `[f64; 2, 3]`",
                    ),
                    _ => d,
                });
                None
            }
        }
    }

    /// A declared type.
    pub fn declared(&self, ty: &hir::Type, found: &mut Vec<Diagnostic>) -> Option<Declared> {
        match &ty.kind {
            hir::TypeKind::Prim(hir::Prim::Str) => Some(Declared::Str),
            hir::TypeKind::Array { elem, dims } => self.declared_array(elem, dims, found),
            hir::TypeKind::Tuple(members) => {
                let all: Option<Vec<Declared>> =
                    members.iter().map(|m| self.declared(m, found)).collect();
                Some(Declared::Tuple(all?))
            }
            hir::TypeKind::Named { ty: var, args } => {
                let all: Option<Vec<Declared>> =
                    args.iter().map(|a| self.declared(a, found)).collect();
                match self.of_var(*var) {
                    Some(id) => Some(Declared::Named(id, all?)),
                    None => Some(Declared::Scalar(self.scalar(ty, found)?)),
                }
            }
            hir::TypeKind::Generic(n) => Some(Declared::Generic(*n)),
            hir::TypeKind::Prim(_) | hir::TypeKind::Error => {
                Some(Declared::Scalar(self.scalar(ty, found)?))
            }
            hir::TypeKind::Jagged { elem, rank } => {
                let ty = hir::Type { span: ty.span, kind: hir::TypeKind::Prim(*elem) };
                let mut of = Declared::Array(self.scalar(&ty, found)?, None);
                let deeper = match rank {
                    Some(hir::JaggedRank::Known(rank)) => rank.saturating_sub(2),
                    _ => 0,
                };
                for _ in 0..deeper {
                    of = Declared::List(Box::new(of));
                }
                Some(Declared::List(Box::new(of)))
            }
            hir::TypeKind::Fn { params } => Some(Declared::Fn(*params)),
        }
    }

    fn declared_array(
        &self,
        elem: &hir::Type,
        dims: &Option<Vec<hir::Dim>>,
        found: &mut Vec<Diagnostic>,
    ) -> Option<Declared> {
        let compound = match &elem.kind {
            hir::TypeKind::Named { .. } | hir::TypeKind::Generic(_) | hir::TypeKind::Tuple(_) => {
                true
            }
            hir::TypeKind::Prim(p) => *p == hir::Prim::Str,
            _ => false,
        };
        if !compound {
            return Some(Declared::Array(self.scalar(elem, found)?, dims.clone()));
        }
        Some(match self.declared(elem, found)? {
            Declared::Scalar(t) => Declared::Array(t, dims.clone()),
            Declared::Generic(n) => Declared::GenericArray(n, dims.clone()),
            Declared::Str => Declared::List(Box::new(Declared::Str)),
            Declared::Named(id, args) if self.infos[id].recursive => {
                Declared::List(Box::new(Declared::Named(id, args)))
            }
            other => Declared::Cells(Box::new(other), dims.clone()),
        })
    }

    /// The type of what a field of host data is declared to be.
    pub fn type_of(&self, d: &Declared, args: &[Ty]) -> Ty {
        match d {
            Declared::Scalar(t) => Ty::scalar(Elem::Fixed(*t)),
            Declared::Str => Ty::Str,
            Declared::Tuple(ds) => Ty::Tuple(ds.iter().map(|d| self.type_of(d, args)).collect()),
            Declared::List(of) => Ty::List(Box::new(self.type_of(of, args))),
            Declared::Generic(n) => args.get(*n).cloned().unwrap_or(Ty::Absent),
            Declared::Named(id, given) => self.type_of_named(*id, given, args),
            Declared::Array(t, dims) => measured_array(Elem::Fixed(*t), dims.as_deref()),
            Declared::GenericArray(n, dims) => {
                let elem = args.get(*n).and_then(Ty::elem).unwrap_or_default();
                measured_array(elem, dims.as_deref())
            }
            Declared::Cells(..) | Declared::Fn(..) | Declared::Error => Ty::Error,
        }
    }

    fn type_of_named(&self, id: TypeId, given: &[Declared], args: &[Ty]) -> Ty {
        let given: Vec<Ty> = given.iter().map(|d| self.type_of(d, args)).collect();
        let info = &self.infos[id];
        let is_enum = self.defs[id].is_enum;
        if info.recursive && is_enum {
            return Ty::Boxed(id, given.into());
        }
        let fields = info.fields.iter().flatten().map(|d| self.type_of(d, &given));
        let mut members: Vec<Ty> = fields.collect();
        if !is_enum {
            return Ty::Named(Nominal::Struct(id), members.into());
        }
        members.insert(0, Ty::scalar(Elem::Fixed(ScalarType::I32)));
        Ty::Named(Nominal::Enum(id), members.into())
    }
}

impl exhaustive::Types for TypeTable {
    fn definition(&self, id: TypeId) -> &TypeDef {
        self.def(id)
    }

    fn fields_of(&self, c: Constructor, ty: &Ty) -> Vec<Ty> {
        TypeTable::fields_of(self, c, ty)
    }
}

/// A type that no number has.
fn no_numbers(found: hir::Prim, span: Span) -> Diagnostic {
    let headline = format!("a type of numbers is expected, found `{}`", found.as_str());
    Diagnostic::error(Code::E0308, headline)
        .primary(span, "no tensor has such elements, and nothing is converted to it")
        .help("a string holds a value where it is written so: `\"{x}\"`")
}

/// A tensor whose extents are measured when it is there: here they are 0.
fn measured_array(elem: Elem, dims: Option<&[hir::Dim]>) -> Ty {
    Ty::Array(elem, vec![Size::from(0); dims.map_or(1, <[hir::Dim]>::len)])
}

/// A type as its definition writes it.
fn type_def(def: &hir::TypeDef) -> TypeDef {
    let variant = |v: &hir::Variant| VariantDef {
        name: v.name.name.clone(),
        fields: v.fields.iter().map(|(name, _)| name.as_ref().map(|n| n.name.clone())).collect(),
        types: Vec::new(),
    };
    TypeDef {
        name: def.name.name.clone(),
        span: def.name.span,
        is_enum: def.is_enum,
        variants: def.variants.iter().map(variant).collect(),
    }
}
