"""What calls hold: nothing twice, and nothing when they are over."""

import resource
import subprocess
import sys

import numpy
import pytest

import weft

MEGABYTE = 1 << 20


def peak():
    """The most memory that this process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def test_a_result_is_there_once():
    # In a process of its own, whose peak is its own.
    code = """
import numpy, resource, weft
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
size = 256 << 20
program = weft.compile("input x: [f64; n]; let y[i] = 2.0 * x[i];", memory_limit=size + (1 << 20))
x = numpy.ones(size // 8)
program(x=x[:1000]).y
before = peak()
y = program(x=x).y
assert y.flags.c_contiguous and y[-1] == 2.0
# The array given and the one that comes out, and no third.
assert peak() < before + size + size // 4, (before, peak())
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_calls_leave_nothing_behind():
    program = weft.compile("input x: [f64; n]; let y[i] = 2.0 * x[i]; let z = 12 / (x[0] as i64);")
    row = numpy.ones(MEGABYTE // 8)

    def call(first):
        x = row.copy()
        x[0] = first
        out = program(x=x)
        out.d("y", "x")[3]
        return out.y, numpy.from_dlpack(out.array("y")), out.array("y").__dlpack__(), out.z

    def rounds(count):
        for _ in range(count):
            call(2.0)
            with pytest.raises(weft.Error):
                call(0.0)

    rounds(10)
    before = peak()
    rounds(100)
    assert peak() < before + 32 * MEGABYTE


def test_a_forked_process_computes():
    program = weft.compile("input x: [f64; n]; let s[i] = sum[j in 0..n](x[i] * x[j]);")
    x = numpy.ones(3000)
    assert program(x=x).s[7] == 3000
    import multiprocessing

    with multiprocessing.get_context("fork").Pool(1) as pool:
        told = pool.apply_async(_sum_of, (program, x)).get(timeout=60)
    assert told == 3000


def _sum_of(program, x):
    return float(program(x=x).s[7])
