"""The snippets of the page about Python and of the README run, and print what stands below them."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

SNIPPET = re.compile(r"```python\n(.*?)```\n(?:```text\n(.*?)```\n)?", re.S)


@pytest.mark.parametrize("page", ["docs/python.md", "README.md"])
def test_snippets_print_what_stands_below_them(page, capsys):
    found = SNIPPET.findall((ROOT / page).read_text())
    assert found
    names = {}
    for program, printed in found:
        exec(compile(program, page, "exec"), names)
        assert capsys.readouterr().out == printed


@pytest.mark.parametrize("example", sorted((ROOT / "examples/python").glob("*.py")), ids=lambda p: p.stem)
def test_examples_run(example, capsys):
    source = example.read_text()
    for package in re.findall(r"^import (\w+)", source, re.M):
        if package in ("jax", "torch"):
            pytest.importorskip(package)
    exec(compile(source, str(example), "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out
