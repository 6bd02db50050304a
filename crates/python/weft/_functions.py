"""Functions of Einlang as Python callables: one program for each element types and ranks."""

from __future__ import annotations

import inspect
import os
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._weft import compile, kind, signatures

if TYPE_CHECKING:
    from ._weft import Program

# A parameter: its name, its type as written, whether it has a default.
Parameter = tuple[str, str | None, bool]

# An element type, None of a plain number, and a rank.
Kind = tuple[str | None, int]

# Programs that a function keeps: integers that are no inputs make one each.
_MOST_PROGRAMS = 256

# What a call's value is called in the program made for it: no parameter can have this name twice.
_RESULT = "result_of_the_call"


class Function:
    """A function of a module. It is checked for the types and ranks of its arguments, once each."""

    def __init__(
        self,
        name: str,
        parameters: list[Parameter],
        module: str,
        source: str,
        root: str | None,
        options: dict[str, Any],
        doc: str | None = None,
    ) -> None:
        self.__name__ = name
        # A file whose name is none of a module goes by another one.
        self._module = module if module.isidentifier() and module.isascii() else "module"
        self.__doc__ = doc
        self._parameters = parameters
        self._source = source
        self._root = root
        self._options = options
        self._programs: dict[Any, Program] = {}
        wanted = inspect.Parameter
        place = wanted.POSITIONAL_OR_KEYWORD
        self.__signature__ = inspect.Signature(
            [wanted(p, place, default=... if d else wanted.empty) for p, _, d in parameters]
        )

    def __call__(self, *args: Any, **named: Any) -> Any:
        arguments = self.__signature__.bind(*args, **named).arguments
        program, inputs = self._program(arguments)
        return program(**{name: arguments[name] for name in inputs})[_RESULT]

    def program(self, *args: Any, **named: Any) -> Program:
        """The program that a call with such arguments runs."""
        return self._program(self.__signature__.bind(*args, **named).arguments)[0]

    def _program(self, arguments: dict[str, Any]) -> tuple[Program, list[str]]:
        """The program for such arguments, and which of them are its inputs."""
        types = {name: _type(text) for name, text, _ in self._parameters if text}
        inputs: dict[str, Kind] = {}
        literals: dict[str, str] = {}
        for name, value in arguments.items():
            if name not in types and (text := _integers(value)):
                # They take the type of what they meet, which no input does.
                literals[name] = text
            else:
                inputs[name] = types.get(name) or kind(value)
        beside = [elem for elem in _FLOATS if any(of == elem for of, _ in inputs.values())]
        for name, (elem, rank) in inputs.items():
            if elem is None:
                # Plain floats take the type of the arrays beside them.
                inputs[name] = (beside[0] if beside else "f64", rank)
        key = (*inputs.items(), *literals.items())
        if key not in self._programs:
            if len(self._programs) >= _MOST_PROGRAMS:
                self._programs.clear()
            self._programs[key] = self._compiled(inputs, literals)
        return self._programs[key], list(inputs)

    def _compiled(self, inputs: dict[str, Kind], literals: dict[str, str]) -> Program:
        lines = [
            f"input {name}: {elem if rank == 0 else f'[{elem}; ' + ', '.join('?' * rank) + ']'};"
            for name, (elem, rank) in inputs.items()
        ]
        given = [f"{name} = {name}" for name in inputs]
        given += [f"{name} = {value}" for name, value in literals.items()]
        call = f"let {_RESULT} = {self._module}::{self.__name__}({', '.join(given)});"
        overlays = {f"{self._module}.ein": self._source, **self._options.get("overlays", {})}
        options = {**self._options, "overlays": overlays, "root": self._root}
        name = f"<call of {self.__name__}>"
        return compile("\n".join([*lines, call]), name=name, **options)

    def __repr__(self) -> str:
        return f"<weft function {self.__name__}{self.__signature__}>"


_FLOATS = ["f64", "f32", "f16", "bf16", "f8e4m3"]


def _type(text: str) -> Kind | None:
    """The element type and rank that a parameter's type states; None where it leaves one open."""
    inner = text.strip()
    rank = 0
    if inner.startswith("[") and inner.endswith("]") and ";" in inner:
        inner, extents = inner[1:-1].split(";", 1)
        if ".." in extents:
            return None
        rank = extents.count(",") + 1
    elem = {"int": "i32", "float": "f32"}.get(inner.strip(), inner.strip())
    known = {"bool", *_FLOATS, *(f"{sign}{bits}" for sign in "iu" for bits in (8, 16, 32, 64))}
    return (elem, rank) if elem in known else None


def _integers(value: Any) -> str:
    """Plain integers, also in lists, as a literal; nothing of what is something else."""
    if isinstance(value, (list, tuple)):
        members = [_integers(member) for member in value]
        return f"[{', '.join(members)}]" if members and all(members) else ""
    return str(value) if type(value) is int else ""


class Module:
    """The functions of a text, as attributes."""

    def __init__(
        self, module: str, source: str, root: str | None, options: dict[str, Any]
    ) -> None:
        self._functions = {
            name: Function(name, parameters, module, source, root, options)
            for name, public, parameters in signatures(source)
            if public
        }

    @classmethod
    def of_file(cls, path: str, options: dict[str, Any]) -> Module:
        with open(path, encoding="utf-8") as file:
            source = file.read()
        options = dict(options)
        root = options.pop("root", None) or os.path.dirname(path) or "."
        module = os.path.splitext(os.path.basename(path))[0]
        return cls(module, source, root, options)

    def __getattr__(self, name: str) -> Function:
        try:
            found: Function = self.__dict__["_functions"][name]
            return found
        except KeyError:
            known = ", ".join(self.__dict__.get("_functions", {}))
            raise AttributeError(f"the module has no `pub fn {name}`; it has {known}") from None

    def __dir__(self) -> list[str]:
        return list(self._functions)

    def __repr__(self) -> str:
        return f"<weft module: {', '.join(self._functions)}>"


def of_docstring(python: Callable[..., Any], options: dict[str, Any]) -> Function:
    """The function whose body is the docstring of a Python function."""
    signature = inspect.signature(python)
    body = textwrap.dedent(python.__doc__ or "").strip()
    written = []
    for name, parameter in signature.parameters.items():
        typed = isinstance(parameter.annotation, str)
        default = parameter.default is not parameter.empty
        text = f"{name}: {parameter.annotation}" if typed else name
        written.append(f"{text} = {parameter.default!r}" if default else text)
    uses = [line for line in body.splitlines() if line.lstrip().startswith("use ")]
    rest = "\n".join(line for line in body.splitlines() if line not in uses)
    head = f"pub fn {python.__name__}({', '.join(written)})"
    source = "\n".join([*uses, f"{head} {{", rest, "}"])
    options = dict(options)
    root = options.pop("root", None)
    [(name, _, parameters)] = signatures(source)
    return Function(name, parameters, name, source, root, options, python.__doc__)
