"""Exceptions. What Weft says of a text or a run is there as text and as data."""

from __future__ import annotations

import builtins as _builtins
from collections.abc import Iterable
from typing import Any


class Place:
    """A stretch of a text: its file, line and column from 1, byte range, and what is said of it."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.file: str = data["file"]
        self.line: int = data["line"]
        self.column: int = data["column"]
        self.start: int = data["start"]
        self.end: int = data["end"]
        self.message: str = data["message"]
        self.primary: bool = data["primary"]

    def __repr__(self) -> str:
        said = f": {self.message}" if self.message else ""
        return f"<{self.file}:{self.line}:{self.column}{said}>"


class Diagnostic:
    """One complaint: code, severity, message, places, notes and ways out."""

    def __init__(self, text: str) -> None:
        import json

        data = json.loads(text)
        self.code: str = data["code"]
        self.severity: str = data["severity"]
        self.message: str = data["message"]
        self.spans = [Place(label) for label in data["labels"]]
        self.notes: list[str] = data["notes"]
        self.help: list[str] = [help["message"] for help in data["helps"]]
        self.rendered: str = data["rendered"]

    def __repr__(self) -> str:
        return f"<{self.severity}[{self.code}] {self.message}>"

    def __str__(self) -> str:
        return self.rendered


class Error(Exception):
    """Something is wrong with a program, an input or a run.

    ``str(e)`` is what the command shows; ``code``, ``spans``, ``notes`` and ``help`` are those of
    the first error among ``diagnostics``.
    """

    def __init__(
        self,
        text: str = "",
        diagnostics: Iterable[str | Diagnostic] = (),
        colored: str | None = None,
    ) -> None:
        super().__init__(text)
        self._diagnostics = list(diagnostics)
        self._colored = colored

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All complaints."""
        made = [Diagnostic(d) if isinstance(d, str) else d for d in self._diagnostics]
        self._diagnostics = list(made)
        return made

    @property
    def _first(self) -> Diagnostic | None:
        errors = [d for d in self.diagnostics if d.severity == "error"]
        return errors[0] if errors else None

    @property
    def text(self) -> str:
        """The whole message, as the command shows it."""
        return str(self)

    @property
    def code(self) -> str | None:
        """As ``weft explain`` takes it: ``"E0501"``; None of what only Python can get wrong."""
        return self._first.code if self._first else None

    @property
    def spans(self) -> list[Place]:
        """The places that the message marks."""
        return self._first.spans if self._first else []

    @property
    def notes(self) -> list[str]:
        """Facts that explain it."""
        return self._first.notes if self._first else []

    @property
    def help(self) -> list[str]:
        """Ways out."""
        return self._first.help if self._first else []

    def _render_traceback_(self) -> list[str]:
        # What IPython shows in place of a traceback.
        return (self._colored or str(self)).splitlines()


class ShapeError(Error, ValueError):
    """An extent is not the declared one, or not that of another input."""


class TypeError(Error, _builtins.TypeError):
    """An input is of another type than declared, missing, or not known."""
