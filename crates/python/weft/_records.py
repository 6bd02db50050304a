"""Structs and variants of Einlang, as tuples with names."""

from __future__ import annotations

from collections import namedtuple
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=None)
def _class(of: str, names: tuple[str, ...]) -> Any:
    return namedtuple(of, names)


def record(of: str, names: list[str], values: list[Any]) -> Any:
    """A value of the struct or variant ``of``."""
    return _class(of, tuple(names))(*values)
