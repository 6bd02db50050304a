"""Programs of `tests/run` and `examples` give through Python what the command gives."""

import re
import shlex
import shutil
from pathlib import Path

import numpy
import pytest

import weft

ROOT = Path(__file__).resolve().parents[3]

# Words of literals that Python writes otherwise.
WORDS = {"true": True, "false": False, "inf": float("inf"), "nan": float("nan"), "__builtins__": {}}

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|\binf\b|\bnan\b)")


class Case:
    """A program, its inputs, and what it is to print."""

    def __init__(self, path, arguments, folder):
        self.path = path
        self.text, *files = path.read_text().split("//@ file: ")
        parts = [part.partition("\n") for part in files]
        self.overlays = {name.strip(): text for name, _, text in parts}
        self.directives = dict(re.findall(r"^\s*//@ ([\w-]+): ?(.*)$", self.text, re.M))
        self.words = iter(shlex.split(arguments or self.directives.get("args", "")))
        self.folder = folder
        self.inputs, self.options, self.quiet = {}, {}, False
        self.apart = "executors" in self.directives
        for word in self.words:
            self.argument(word)

    def argument(self, word):
        """Takes a flag; those that have no like here set the case apart."""
        if word in ("--input", "-i"):
            name, _, value = next(self.words).partition("=")
            self.inputs[name] = self.value(value)
        elif word == "--memory-limit":
            self.options["memory_limit"] = int(next(self.words))
        elif word in ("-A", "-W", "-D"):
            # What is told beside a run is no part of what it gives.
            next(self.words)
        elif word == "-q":
            self.quiet = True
        else:
            self.apart = True

    def value(self, text):
        if text.endswith(".npy"):
            return numpy.load(self.folder / text)
        return eval(text, dict(WORDS))

    def expected(self):
        stated = re.findall(r"//@ expect: ?(.*)$", self.text, re.M)
        beside = self.path.with_suffix(".stdout")
        return beside.read_text().splitlines() if not stated and beside.exists() else stated

    def program(self, scratch):
        """The program; with `//@ folder:` it lies in `scratch`, with the files of that folder (`empty`: none)."""
        path = self.path
        if "folder" in self.directives:
            name = self.directives["folder"].strip()
            if name != "empty":
                shutil.copytree(path.parent / name, scratch, dirs_exist_ok=True)
            path = scratch / path.name
            path.write_text(self.text)
        options = {"name": str(path), "root": path.parent, **self.options}
        return weft.compile(self.text, overlays=self.overlays, **options)


def run_cases():
    for path in sorted((ROOT / "tests/run").rglob("*.ein")):
        case = Case(path, "", path.parent)
        if case.expected():
            yield case


def examples():
    table = (ROOT / "tests/examples.txt").read_text()
    for path in sorted((ROOT / "examples").glob("*.ein")):
        arguments = re.search(rf"^{path.name} (.*)$", table, re.M)
        yield Case(path, arguments.group(1) if arguments else "", ROOT)


ALL = [*run_cases(), *examples()]
CASES = [case for case in ALL if not case.apart]


def same(found, expected, tolerance):
    """Whether lines are equal, numbers in them up to a relative tolerance."""
    if tolerance is None or len(found) != len(expected):
        return found == expected
    pairs = list(zip(found, expected))
    numbers = [[list(map(float, NUMBER.findall(line))) for line in pair] for pair in pairs]
    texts = [NUMBER.sub("#", a).split() == NUMBER.sub("#", b).split() for a, b in pairs]
    close = [len(a) == len(b) and numpy.allclose(a, b, float(tolerance), 1e-12) for a, b in numbers]
    return all(texts) and all(close)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.path.stem)
def test_a_program_gives_what_the_command_gives(case, capsys, tmp_path):
    program = case.program(tmp_path)
    replaced = set(case.inputs) - {d.name for d in program.inputs}
    if replaced:
        pytest.skip(f"the command alone replaces a `let`: {replaced}")
    if case.quiet:
        program(**case.inputs).compute()
    else:
        program.run(**case.inputs)
    found, expected = capsys.readouterr().out.splitlines(), case.expected()
    assert same(found, expected, case.directives.get("tolerance")), (found, expected)


def test_there_are_programs():
    assert len(CASES) > 0.97 * len(ALL) > 700
