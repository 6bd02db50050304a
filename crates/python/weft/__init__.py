"""Einlang from Python: equations with named indices, checked, planned and run as native code.

    >>> import weft
    >>> program = weft.compile("input x: [f64; n]; let y = sum[i](x[i] ** 2);")
    >>> program(x=[3.0, 4.0]).y
    25.0
"""

from __future__ import annotations

import os as _os
from collections.abc import Callable as _Callable
from typing import TYPE_CHECKING
from typing import Any as _Any
from typing import overload as _overload

from ._errors import Diagnostic, Error, Place, ShapeError, TypeError
from ._weft import Array, Declared, Outputs, Program, __version__, compile
from ._weft import page as _page

if TYPE_CHECKING:
    from ._functions import Function as _Function
    from ._functions import Module as _Module

__all__ = [
    "Array",
    "Declared",
    "Diagnostic",
    "Error",
    "Outputs",
    "Place",
    "Program",
    "ShapeError",
    "TypeError",
    "compile",
    "explain",
    "function",
    "load",
    "module",
]


def load(path: str | _os.PathLike[str], **options: _Any) -> Program:
    """The program in a file; modules are in its folder unless ``root`` says otherwise."""
    path = _os.fspath(path)
    with open(path, encoding="utf-8") as file:
        source = file.read()
    options.setdefault("root", _os.path.dirname(path) or ".")
    return compile(source, name=path, **options)


def module(path: str | _os.PathLike[str], **options: _Any) -> _Module:
    """The functions of a file, as callables: ``weft.module("model.ein").loss(w, x)``."""
    from ._functions import Module

    return Module.of_file(_os.fspath(path), options)


def explain(what: Program | str, name: str | None = None) -> str:
    """What a program's definitions are, or what an error code means.

    Of a program: index spaces, equations, where sizes come from, what is stored and why; only of
    the definition ``name`` if that is given. Of a code (``"E0501"``, ``"uncovered-cells"``): its
    page, with an example and its cure.

    >>> print(weft.explain("E0501"))
    >>> print(weft.explain(program, "loss"))
    """
    if isinstance(what, Program):
        return what.explain(name)
    found = _page(what)
    if found is None:
        raise KeyError(f"there is no code `{what}`; a program is explained once it is compiled")
    return found


def load_ipython_extension(shell: _Any) -> None:
    """Adds the cell magic ``%%weft`` to a notebook: ``%load_ext weft``."""
    from ._notebook import register

    register(shell)


@_overload
def function(python: _Callable[..., _Any], **options: _Any) -> _Function: ...
@_overload
def function(
    python: None = None, **options: _Any
) -> _Callable[[_Callable[..., _Any]], _Function]: ...
def function(python: _Callable[..., _Any] | None = None, **options: _Any) -> _Any:
    """Makes a function of Einlang of one whose docstring is its body.

    >>> @weft.function
    ... def norm(x):
    ...     '''sum[i](x[i] ** 2) ** 0.5'''
    >>> norm([3.0, 4.0])
    5.0
    """
    from ._functions import of_docstring

    if python is None:
        return lambda python: of_docstring(python, options)
    return of_docstring(python, options)
