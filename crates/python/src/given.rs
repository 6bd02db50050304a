//! Arrays in: whatever Python has for numbers, as an input is declared, without a copy where its
//! type and layout allow that.

use crate::array::Array;
use crate::buffer::{self, Offered};
use crate::declared::shown;
use crate::dlpack;
use crate::errors::{Kind, told};
use crate::numbers::{is_plain, scalar};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::sync::Arc;
use weft::{Data, Declared, Scalar, ScalarType, TensorType};

/// A value for an input.
pub(crate) fn array(input: &Declared, obj: &Bound<'_, PyAny>) -> PyResult<Arc<weft::Array>> {
    let Some(tensor) = &input.tensor else { return Err(no_tensor(input, obj)) };
    let wanted = Wanted { place: Place::Input(&input.name), tensor };
    wanted.array(obj, &|foreign| foreign.array().map(|(array, _)| array))
}

/// What a function gave, as the program states it; a copy, since the function may keep its own.
pub(crate) fn given_back(
    function: &str,
    tensor: &TensorType,
    obj: &Bound<'_, PyAny>,
) -> PyResult<Arc<weft::Array>> {
    let wanted = Wanted { place: Place::Function(function), tensor };
    wanted.array(obj, &weft::Foreign::copy)
}

/// The element type and the rank of a value, by which a function is made for it: None for the type
/// of what takes one as it meets others, a plain number.
#[pyfunction]
pub(crate) fn kind(obj: &Bound<'_, PyAny>) -> PyResult<(Option<&'static str>, usize)> {
    if let Ok(array) = obj.cast::<Array>() {
        let array = &array.get().array;
        return Ok((Some(array.elem().name()), array.shape().len()));
    }
    if obj.is_instance_of::<pyo3::types::PyBool>() {
        return Ok((Some("bool"), 0));
    }
    if is_plain(obj) {
        return Ok((None, 0));
    }
    if is_sequence(obj) {
        let Some(first) = obj.try_iter()?.next() else { return Ok((None, 1)) };
        let (elem, rank) = kind(&first?)?;
        return Ok((elem, rank + 1));
    }
    let found = match offered(obj)? {
        Some(Offered { elem: Some(elem), shape, .. }) => Some((elem, shape.len())),
        Some(_) => None,
        None => numpy_scalar(obj).map(|elem| (elem, 0)),
    };
    let (elem, rank) = found.ok_or_else(|| {
        let text = format!("no tensor can be made of {}", what(obj));
        told(obj.py(), Kind::Type, text)
    })?;
    Ok((Some(elem.name()), rank))
}

/// The type of a scalar of NumPy, or of an array without axes.
fn numpy_scalar(obj: &Bound<'_, PyAny>) -> Option<ScalarType> {
    let name = obj.getattr("dtype").ok()?.getattr("name").ok()?.extract::<String>().ok()?;
    ScalarType::ALL.into_iter().find(|t| numpy_name(*t) == name)
}

/// Numbers that an object offers in one of the ways that there are.
fn offered(obj: &Bound<'_, PyAny>) -> PyResult<Option<Offered>> {
    if let Some(offered) = buffer::offered(obj, None) {
        return Ok(Some(called_as_by(obj, offered)));
    }
    if let Some(elem @ (ScalarType::Bf16 | ScalarType::F8e4m3)) = numpy_scalar(obj) {
        // NumPy shows others the bits of types that are not its own.
        let bits = if elem.bytes() == 2 { "uint16" } else { "uint8" };
        if let Ok(bits) = obj.call_method1("view", (bits,)) {
            return Ok(buffer::offered(&bits, Some(elem)));
        }
    }
    if let Some(offered) = dlpack::offered(obj)? {
        return Ok(Some(called_as_by(obj, offered)));
    }
    match obj.hasattr("__array__")? {
        true => Ok(buffer::offered(&obj.call_method0("__array__")?, None)),
        false => Ok(None),
    }
}

/// A type that the language does not have is called what its owner calls it.
fn called_as_by(obj: &Bound<'_, PyAny>, offered: Offered) -> Offered {
    let named = || obj.getattr("dtype").and_then(|d| d.str()).map(|s| s.to_string());
    let called = match offered.elem {
        Some(elem) => elem.name().to_string(),
        None => named().unwrap_or_else(|_| offered.called.clone()),
    };
    Offered { called, ..offered }
}

fn is_sequence(obj: &Bound<'_, PyAny>) -> bool {
    obj.is_instance_of::<PyList>() || obj.is_instance_of::<PyTuple>()
}

fn what(obj: &Bound<'_, PyAny>) -> String {
    let name = obj.get_type().fully_qualified_name().map(|n| n.to_string());
    format!("a value of {}", name.unwrap_or_else(|_| "some type".to_string()))
}

fn no_tensor(input: &Declared, obj: &Bound<'_, PyAny>) -> PyErr {
    told(obj.py(), Kind::Type, format!("input `{}` takes no value from Python", input.name))
}

/// Who wants a value.
#[derive(Clone, Copy)]
enum Place<'d> {
    /// An input of this name.
    Input(&'d str),
    /// The result of this function.
    Function(&'d str),
}

/// What is wanted, and where.
struct Wanted<'d> {
    place: Place<'d>,
    tensor: &'d TensorType,
}

impl Wanted<'_> {
    /// A value; `read` makes an array of one that lies in memory.
    fn array(
        &self,
        obj: &Bound<'_, PyAny>,
        read: &dyn Fn(weft::Foreign) -> Option<weft::Array>,
    ) -> PyResult<Arc<weft::Array>> {
        if let Ok(array) = obj.cast::<Array>() {
            let array = &array.get().array;
            self.require(obj, Some(array.elem()), array.elem().name(), array.shape())?;
            return Ok(array.clone());
        }
        if self.tensor.shape.is_empty() {
            return self.number(obj);
        }
        if is_sequence(obj) {
            return self.nested(obj);
        }
        let offered = offered(obj)?.ok_or_else(|| self.wrong(obj, &what(obj)))?;
        self.require(obj, offered.elem, &offered.called, &offered.shape)?;
        let made = offered.foreign.and_then(read);
        made.map(Arc::new).ok_or_else(|| self.wrong(obj, "more than memory holds"))
    }

    fn found(&self, found: &str) -> String {
        let wanted = shown(self.tensor);
        match self.place {
            Place::Input(name) => format!("input `{name}` takes {wanted}, found {found}"),
            Place::Function(path) => format!("`{path}` is to give {wanted}, found {found}"),
        }
    }

    fn wrong(&self, obj: &Bound<'_, PyAny>, found: &str) -> PyErr {
        told(obj.py(), Kind::Type, self.found(found))
    }

    fn misshapen(&self, obj: &Bound<'_, PyAny>, found: &str) -> PyErr {
        told(obj.py(), Kind::Shape, self.found(found))
    }

    /// How a value would be given as what is wanted.
    fn conversion(&self) -> String {
        let name = numpy_name(self.tensor.elem);
        match self.place {
            Place::Input(input) => format!("`{input}.astype(\"{name}\")` converts it"),
            Place::Function(_) => format!("`.astype(\"{name}\")` converts it"),
        }
    }

    /// Holds a type and a rank against what is declared; extents by name are the facade's.
    fn require(
        &self,
        obj: &Bound<'_, PyAny>,
        elem: Option<ScalarType>,
        called: &str,
        shape: &[usize],
    ) -> PyResult<()> {
        let found = || format!("{} {shape:?}", elem.map_or(called, |e| e.name()));
        let stated = self.tensor.shape.iter().map(|e| e.parse::<usize>().ok());
        let fits = shape.len() == self.tensor.shape.len()
            && stated.zip(shape).all(|(stated, found)| stated.is_none_or(|n| n == *found));
        if elem != Some(self.tensor.elem) {
            let help = elem.map_or(String::new(), |_| format!("; {}", self.conversion()));
            return Err(self.wrong(obj, &format!("{}{help}", found())));
        }
        match fits {
            true => Ok(()),
            false => Err(self.misshapen(obj, &found())),
        }
    }

    fn number(&self, obj: &Bound<'_, PyAny>) -> PyResult<Arc<weft::Array>> {
        if !is_plain(obj)
            && let Ok(shape) = obj.getattr("shape").and_then(|s| s.extract::<Vec<usize>>())
            && !shape.is_empty()
        {
            return Err(self.misshapen(obj, &format!("an array of shape {shape:?}")));
        }
        match scalar(self.tensor.elem, obj) {
            Some(v) => Ok(Arc::new(weft::Array::scalar(v))),
            None => {
                let shown = obj.repr().map(|r| r.to_string()).unwrap_or_default();
                Err(self.wrong(obj, &format!("`{shown}`")))
            }
        }
    }

    /// Numbers in lists within each other.
    fn nested(&self, obj: &Bound<'_, PyAny>) -> PyResult<Arc<weft::Array>> {
        let rank = self.tensor.shape.len();
        let mut shape: Vec<Option<usize>> = vec![None; rank];
        let mut numbers = Vec::new();
        self.add(obj, 0, &mut shape, &mut numbers)?;
        // Axes inside an empty one have the extents that are declared, where those are numbers.
        let declared = self.tensor.shape.iter().map(|e| e.parse::<usize>().unwrap_or(0));
        let shape: Vec<usize> =
            shape.into_iter().zip(declared).map(|(n, known)| n.unwrap_or(known)).collect();
        self.require(obj, Some(self.tensor.elem), "", &shape)?;
        let data = Data::from_scalars(self.tensor.elem, &numbers);
        let array = weft::Array::new(shape, data);
        array.map(Arc::new).ok_or_else(|| self.wrong(obj, "lists of different lengths"))
    }

    fn add(
        &self,
        obj: &Bound<'_, PyAny>,
        axis: usize,
        shape: &mut [Option<usize>],
        numbers: &mut Vec<Scalar>,
    ) -> PyResult<()> {
        let shape_error = |text: &str| self.misshapen(obj, text);
        match (is_sequence(obj), axis < shape.len()) {
            (true, true) => {
                let count = obj.len()?;
                if *shape[axis].get_or_insert(count) != count {
                    return Err(shape_error("lists of different lengths"));
                }
                obj.try_iter()?.try_for_each(|m| self.add(&m?, axis + 1, shape, numbers))
            }
            (true, false) => Err(shape_error("lists nested deeper")),
            (false, true) => Err(shape_error(&format!("lists of {axis} levels"))),
            (false, false) => {
                let found = scalar(self.tensor.elem, obj);
                let shown = || obj.repr().map(|r| r.to_string()).unwrap_or_default();
                numbers.push(found.ok_or_else(|| self.wrong(obj, &format!("`{}`", shown())))?);
                Ok(())
            }
        }
    }
}

/// A type as NumPy calls it, or what it calls those of `ml_dtypes`.
pub(crate) fn numpy_name(elem: ScalarType) -> &'static str {
    match elem {
        ScalarType::Bool => "bool",
        ScalarType::I8 => "int8",
        ScalarType::I16 => "int16",
        ScalarType::I32 => "int32",
        ScalarType::I64 => "int64",
        ScalarType::U8 => "uint8",
        ScalarType::U16 => "uint16",
        ScalarType::U32 => "uint32",
        ScalarType::U64 => "uint64",
        ScalarType::F8e4m3 => "float8_e4m3fn",
        ScalarType::F16 => "float16",
        ScalarType::Bf16 => "bfloat16",
        ScalarType::F32 => "float32",
        ScalarType::F64 => "float64",
    }
}
