"""The pages for who comes from elsewhere: each row of their tables gives the same on both sides."""

import re
from pathlib import Path

import numpy
import pytest

import weft

ROOT = Path(__file__).resolve().parents[3]

ROW = re.compile(r"^\| `(.+?)` \| `(.+?)` \|$", re.M)
ARRAYS = re.compile(r"```python\n(.*?)```", re.S)

# A page, and what its left side imports.
PAGES = {"from-numpy": "numpy", "from-jax": "jax", "from-pytorch": "torch"}


def page(name):
    text = (ROOT / f"docs/{name}.md").read_text()
    arrays = {}
    exec(ARRAYS.search(text).group(1), arrays)
    return arrays, ROW.findall(text)


ROWS = [(name, left, right) for name in PAGES for left, right in page(name)[1]]


def by_weft(text, arrays):
    names = {n: a for n, a in arrays.items() if isinstance(a, numpy.ndarray)}
    used = {n: a for n, a in names.items() if re.search(rf"(?<![\w.]){n}(?=\W)", text)}
    bound = set(re.findall(r"let (\w+)", text))
    # A local definition of the same name is no input.
    used = {n: a for n, a in used.items() if n not in bound}
    elems = {"float64": "f64", "float32": "f32", "int64": "i64"}
    lines = [
        f"input {n}: [{elems[a.dtype.name]}; {', '.join('?' * a.ndim)}];" for n, a in used.items()
    ]
    return weft.compile("\n".join([*lines, text]))(**used).y


def by_the_other(name, left, arrays):
    names = dict(arrays)
    if PAGES[name] == "jax":
        import jax
        import jax.numpy as jnp

        names.update(jax=jax, jnp=jnp)
        names.update({n: jnp.asarray(a) for n, a in arrays.items() if isinstance(a, numpy.ndarray)})
    if PAGES[name] == "torch":
        import torch
        import torch.nn.functional as F

        names.update(torch=torch, F=F)
        tensors = {n: torch.from_numpy(a) for n, a in arrays.items() if isinstance(a, numpy.ndarray)}
        names.update(tensors)
    return numpy.asarray(eval(left, names))


@pytest.mark.parametrize(("name", "left", "right"), ROWS)
def test_a_row(name, left, right):
    arrays, _ = page(name)
    found = numpy.asarray(by_weft(right, arrays))
    if PAGES[name] != "numpy":
        pytest.importorskip(PAGES[name], reason=f"the left side needs {PAGES[name]}")
    expected = by_the_other(name, left, arrays)
    assert found.shape == expected.shape
    assert numpy.allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_there_are_rows():
    for name in PAGES:
        assert sum(row[0] == name for row in ROWS) >= 15
