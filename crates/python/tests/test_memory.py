"""What calls hold: nothing twice, and nothing when they are over."""

import gc
import os
import resource
import subprocess
import sys
import threading

import numpy
import pytest

import weft
from test_threads import interrupted

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


CALLS = int(os.environ.get("PYTHON_CALLS", "500"))
INTERRUPTS = int(os.environ.get("PYTHON_INTERRUPTS", "10"))

# Arrays of 64 KB: of a few hundred calls that left theirs behind, this would be too little.
ALLOWED = 16 * MEGABYTE


def resident():
    """The memory that this process has."""
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def grown(act, rounds):
    """What is left of the last of two rounds."""
    act(rounds)
    before = resident()
    act(rounds)
    return resident() - before


def test_eight_threads_leave_nothing_behind():
    program = weft.compile("input x: [f64; n]; let y[i] = 2.0 * x[i] + 1.0; let s = sum(y);")

    def call(count):
        x = numpy.ones(8192)
        for _ in range(count):
            out = program(x=x)
            assert out.s == 3 * 8192 and out.y[0] == 3.0

    def all_threads(count):
        threads = [threading.Thread(target=call, args=(count,)) for _ in range(8)]
        [t.start() for t in threads]
        [t.join() for t in threads]

    assert grown(all_threads, CALLS) < ALLOWED


def test_failing_calls_leave_nothing_behind():
    program = weft.compile("input x: [i64; n]; let y[i] = 12 / x[i];")
    x = numpy.zeros(8192, "i8")

    def fail(count):
        for _ in range(count):
            with pytest.raises(weft.Error):
                program(x=x).y

    assert grown(fail, 1000) < ALLOWED


def fails(x):
    raise ValueError(len(x))


def test_failing_calls_of_python_leave_nothing_behind():
    text = f"input x: [f64; n]; let y: [f64; n] = python::{__name__}::fails(x);"
    program = weft.compile(text)
    x = numpy.ones(8192)

    def fail(count):
        for _ in range(count):
            with pytest.raises(ValueError, match="8192"):
                program(x=x.copy()).y

    assert grown(fail, 1000) < ALLOWED


def test_interrupted_calls_leave_nothing_behind():
    program = weft.compile("input x: [f64; n]; input n2: i64; let s = sum[i in 0..n2, j](x[j] * (i as f64));")
    x = numpy.ones(8192)

    def interrupt(count):
        for _ in range(count):
            with pytest.raises(KeyboardInterrupt):
                killer = interrupted(0.02)
                program(x=x.copy(), n2=1_000_000_000).s
            killer.wait()

    assert grown(interrupt, INTERRUPTS) < ALLOWED
