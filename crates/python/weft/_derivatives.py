"""Derivatives as values: programs that are the given one with quotients behind it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ._errors import Error

if TYPE_CHECKING:
    from ._weft import Outputs, Program

# The code of a read outside of what is there.
_OUTSIDE = "E0503"


def grad(program: Program, y: str, wrt: str | Iterable[str]) -> Program:
    """The program with a derivative of ``y`` by each of ``wrt``, called ``d_Y_d_X``."""
    names = [wrt] if isinstance(wrt, str) else list(wrt)
    _require(program, [y, *names])
    return program._extended("".join(f"let d_{y}_d_{x} = @{y} / @{x};\n" for x in names))


def _require(program: Program, names: list[str]) -> list[int]:
    """The ranks of tensors of the program."""
    declared = {d.name: d.shape for d in [*program.inputs, *program.outputs]}
    ranks = []
    for name in names:
        shape = declared.get(name)
        if shape is None:
            raise KeyError(f"the program has no tensor `{name}`")
        ranks.append(len(shape))
    return ranks


class Derivative:
    """``@y / @x`` of a call. Rows, columns and entries are computed as they are read.

    Its axes are those of ``y``, then those of ``x``: ``d[2]`` is a row, ``d[:, 3]`` a column of a
    Jacobian, each by one sweep; ``numpy.asarray(d)`` and ``d.value`` are the whole.
    """

    def __init__(self, outputs: Outputs, y: str, x: str) -> None:
        self.ndim = sum(_require(outputs.program, [y, x]))
        self._outputs = outputs
        self._names = (y, x)

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of ``y``, then those of ``x``; an output is computed for them."""
        given = self._outputs.inputs_given
        arrays = [given[n] if n in given else self._outputs.array(n) for n in self._names]
        return tuple(extent for array in arrays for extent in array.shape)

    @property
    def value(self) -> Any:
        """All of it."""
        y, x = self._names
        return self._part(f"let part_of_d = @{y} / @{x};", {})

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        import numpy

        return numpy.asarray(self.value, dtype=dtype)

    def __float__(self) -> float:
        return float(self.value)

    def __getitem__(self, key: Any) -> Any:
        key = key if isinstance(key, tuple) else (key,)
        if len(key) > self.ndim:
            raise IndexError(f"{len(key)} indices for {self.ndim} axes")
        key += (slice(None),) * (self.ndim - len(key))
        fixed: dict[str, int] = {}
        free: list[str] = []
        read: list[str] = []
        for axis, at in enumerate(key):
            if isinstance(at, slice):
                if at != slice(None):
                    raise IndexError("an axis is fixed by a number or read whole by `:`")
                free.append(f"a{axis}")
                read.append(f"a{axis}")
            else:
                fixed[f"fixed_index_{axis}"] = self._place(axis, at.__index__())
                read.append(f"fixed_index_{axis}")
        if not fixed:
            return self.value
        y, x = self._names
        inputs = "".join(f"input {name}: i64;\n" for name in fixed)
        cell = f"[{', '.join(free)}]" if free else ""
        text = f"let whole_of_d = @{y} / @{x};\nlet part_of_d{cell} = whole_of_d[{', '.join(read)}];"
        try:
            return self._part(inputs + text, fixed)
        except Error as e:
            if e.code != _OUTSIDE:
                raise
        places = ", ".join(map(str, fixed.values()))
        raise IndexError(f"{places} is outside of the extents {self.shape} of @{y} / @{x}")

    def _place(self, axis: int, at: int) -> int:
        """An index, counted from the end where it is negative."""
        if at >= 0:
            return at
        from_end = at + self.shape[axis]
        if from_end < 0:
            raise IndexError(f"{at} is outside of the extent {self.shape[axis]} of axis {axis}")
        return from_end

    def _part(self, text: str, fixed: dict[str, int]) -> Any:
        program = self._outputs.program._extended(text)
        return program(**self._outputs.inputs_given, **fixed)["part_of_d"]

    def __repr__(self) -> str:
        y, x = self._names
        return f"<weft derivative @{y} / @{x}>"
