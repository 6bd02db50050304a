"""Random arrays of all shapes, strides, orders, byte orders and types against NumPy."""

import os

import numpy
from hypothesis import given, settings
from hypothesis import strategies as st

import weft
from test_arrays import TYPES

CASES = int(os.environ.get("PYTHON_CASES", "400"))

_programs = {}


def program(elem, rank):
    """Sums as floats, and each cell as it is."""
    if (elem, rank) not in _programs:
        axes = ", ".join("ijkl"[:rank])
        extents = ", ".join("nmpq"[:rank])
        _programs[elem, rank] = weft.compile(
            f"input x: [{elem}; {extents}]; let y[{axes}] = x[{axes}];"
            f"let s = sum[{axes}](x[{axes}] as f64);",
            float_mode="strict",
        )
    return _programs[elem, rank]


@st.composite
def arrays(draw):
    elem = draw(st.sampled_from([t for t in TYPES if t != "bool"]))
    rank = draw(st.integers(1, 4))
    stored = [draw(st.integers(0, 5)) for _ in range(rank)]
    dtype = numpy.dtype(TYPES[elem]).newbyteorder(draw(st.sampled_from("<>")))
    count = int(numpy.prod(stored))
    numbers = numpy.random.default_rng(draw(st.integers(0, 2**32))).integers(0, 100, count)
    x = numpy.array(numbers, dtype=dtype).reshape(stored, order=draw(st.sampled_from("CF")))
    x = x.transpose(draw(st.permutations(range(rank))))
    steps = [draw(st.sampled_from([1, 2, -1, -2])) for _ in range(rank)]
    x = x[tuple(slice(None, None, step) for step in steps)]
    if draw(st.booleans()):
        x.flags.writeable = False
    return elem, x


@settings(max_examples=CASES, deadline=None)
@given(arrays())
def test_any_array_is_read_as_numpy_reads_it(given):
    elem, x = given
    out = program(elem, x.ndim)(x=x)
    assert out.y.shape == x.shape and (out.y == x).all()
    assert out.s == float(x.astype("f8").sum())
    native = x.dtype.isnative or x.itemsize == 1
    if x.flags.c_contiguous and native and x.flags.aligned and x.size:
        assert out.inputs_given["x"].address == x.ctypes.data
