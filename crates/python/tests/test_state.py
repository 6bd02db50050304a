"""What stays between calls."""

import numpy
import pytest

import weft

RNN = """
    use std::math::tanh;
    input w: [f64; n, n];
    input h: [f64; n];
    let next[i] = tanh(sum[j](w[i, j] * h[j]));
"""


def rnn(w, h, steps):
    for _ in range(steps):
        h = numpy.tanh(w @ h)
    return h


def test_what_is_kept_is_the_next_input():
    program = weft.compile(RNN)
    rng = numpy.random.default_rng(0)
    w, h = rng.standard_normal((8, 8)) / 4, rng.standard_normal(8)
    program.run(w=w, h=h, keep={"h": "next"})
    places = set()
    for _ in range(20):
        kept = program.kept["h"].address
        out = program.run(w=w, keep={"h": "next"})
        # Read where it is, and kept where it was computed.
        assert out.inputs_given["h"].address == kept
        assert program.kept["h"].address == out.array("next").address
        places.add(kept)
    assert numpy.allclose(program.kept["h"].numpy(), rnn(w, h, 21))
    assert out.next.ctypes.data == program.kept["h"].address


def test_an_output_that_is_called_as_its_input_is():
    program = weft.compile("input h: f64; let g = h * 2.0; let h = g;")
    program.run(h=1.0, keep=["h"])
    for _ in range(3):
        out = program.run(keep=["h"])
    assert out.h == 16.0
    # A value that is given goes first, and a call looks at no state.
    assert program.run(h=5.0).h == 10.0 and program.run().h == 32.0
    with pytest.raises(weft.TypeError, match="no value for the input `h`"):
        program()
    program.forget()
    assert program.kept == {}
    with pytest.raises(weft.TypeError):
        program.run()


def test_a_failing_run_keeps_what_was_kept():
    program = weft.compile("input n: i64; input d: i64; let next = n / d;")
    program.run(n=64, d=2, keep={"n": "next"})
    with pytest.raises(weft.Error):
        program.run(d=0, keep={"n": "next"})
    assert program.run(d=2, keep={"n": "next"}).next == 16


def test_what_cannot_be_kept():
    program = weft.compile(RNN)
    w, h = numpy.eye(2), numpy.ones(2)
    with pytest.raises(KeyError, match="no input `k`"):
        program.run(w=w, h=h, keep={"k": "next"})
    with pytest.raises(KeyError, match="no tensor `h`"):
        program.run(w=w, h=h, keep=["h"])
    with pytest.raises(TypeError):
        program.run(w=w, h=h, keep="h")
    # Of another type than the input: told at the run that would take it.
    other = weft.compile("input x: f32; let y = 1.0 * (x as f64);")
    other.run(x=1, keep={"x": "y"})
    with pytest.raises(weft.TypeError, match="`x`"):
        other.run()


def test_an_input_of_that_name():
    program = weft.compile("input keep: f64; let y = keep + 1.0;")
    assert program.run(keep=2.0).y == 3.0


def test_arrays_fed_back_stay_where_they_are():
    program = weft.compile(RNN)
    rng = numpy.random.default_rng(1)
    w, h = rng.standard_normal((4, 4)) / 3, rng.standard_normal(4)
    first, x = h, h
    for _ in range(10):
        out = program(w, x)
        x = out.next
        assert program(w, x).inputs_given["h"].address == x.ctypes.data == out.array("next").address
    assert numpy.allclose(x, rnn(w, first, 10))
