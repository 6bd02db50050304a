"""Programs of `tests/run` print through Python what they are to print."""

import re
from pathlib import Path

import pytest

import weft

ROOT = Path(__file__).resolve().parents[3]

# Directives that a call from Python has a like for; of the others the command alone knows.
PLAIN = {"expect", "kernels", "allocates"}


def plain_cases():
    for path in sorted((ROOT / "tests/run").rglob("*.ein")):
        text = path.read_text()
        directives = set(re.findall(r"^\s*//@ ([\w-]+)", text, re.M))
        code = [line for line in text.splitlines() if line.strip() and not line.startswith("//")]
        # A value behind the last statement, or of `main`, is shown by the command, and not part
        # of a call.
        plain = code and code[-1].rstrip().endswith((";", "}")) and "fn main(" not in text
        prints = plain and "print(" in text
        if prints and directives <= PLAIN and "expect" in directives:
            yield path


CASES = list(plain_cases())


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_a_program_prints_what_it_is_to_print(path, capsys):
    text = path.read_text()
    expected = re.findall(r"^\s*//@ expect: ?(.*)$", text, re.M)
    weft.compile(text, name=str(path), root=path.parent).run()
    assert capsys.readouterr().out.splitlines() == expected


def test_there_are_programs():
    assert len(CASES) >= 30
