"""The snippets of the page about Python and of the README run, and print what stands below them."""

import re
import sys
import types
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

SNIPPET = re.compile(r"```python\n(.*?)```\n(?:```text\n(.*?)```\n)?", re.S)


NAMES = ("python", "python-first-hour", "from-numpy", "from-jax", "from-pytorch")
PAGES = [*(f"docs/{name}.md" for name in NAMES), "README.md"]


@pytest.mark.parametrize("page", PAGES)
def test_snippets_print_what_stands_below_them(page, capsys, monkeypatch):
    found = SNIPPET.findall((ROOT / page).read_text())
    assert found
    # The page is the program that runs: what it calls is `python::__main__::f`.
    main = types.ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", main)
    for program, printed in found:
        exec(compile(program, page, "exec"), main.__dict__)
        assert capsys.readouterr().out == printed


@pytest.mark.parametrize("example", sorted((ROOT / "examples/python").glob("*.py")), ids=lambda p: p.stem)
def test_examples_run(example, capsys):
    source = example.read_text()
    for package in re.findall(r"^import (\w+)", source, re.M):
        if package in ("jax", "torch"):
            pytest.importorskip(package)
    exec(compile(source, str(example), "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out
