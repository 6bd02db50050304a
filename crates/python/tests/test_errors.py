"""Errors as values, and that nothing is left half-done behind them."""

import gc

import numpy
import pytest

import weft


def test_a_refused_text():
    text = "let A = [[1.0, 2.0, 3.0]]; let B = [[1.0], [2.0]];\nlet C[i, j] = sum[k](A[i, k] * B[k, j]);"
    with pytest.raises(weft.Error) as e:
        weft.compile(text, name="shapes.ein")
    error = e.value
    assert error.code == "E0501"
    assert error.text.startswith("error[E0501]: index `k` has two extents")
    place = error.spans[0]
    assert (place.file, place.line) == ("shapes.ein", 2) and place.primary
    assert "\x1b[" in "".join(error._render_traceback_())
    assert [d.severity for d in error.diagnostics] == ["error"]


def test_all_that_is_wrong_is_told():
    with pytest.raises(weft.Error) as e:
        weft.compile("let a = b; let c = d;")
    assert [d.code for d in e.value.diagnostics] == [e.value.code] * 2


def test_help_is_a_field():
    with pytest.raises(weft.Error) as e:
        weft.compile("input size: f64; let y = sise + 1.0;")
    assert any("size" in help for help in e.value.help)


def test_a_failing_run_leaves_the_program_as_it_was():
    program = weft.compile("input n: i32; let third = 12 / n;")
    for _ in range(1000):
        with pytest.raises(weft.Error):
            program(n=0).third
    assert program(n=4).third == 3


def test_failing_calls_hold_no_arrays():
    import sys

    program = weft.compile("input x: [i32; n]; let y[i] = 12 / x[i];")
    x = numpy.zeros(1000, "i4")
    before = sys.getrefcount(x)
    for _ in range(100):
        with pytest.raises(weft.Error, match="division by zero|divi"):
            program(x=x).y
    gc.collect()
    assert sys.getrefcount(x) == before


def test_warnings_do_not_refuse():
    assert weft.compile("let a = 1; fn f(x) { let unused = 1; x }")().a == 1
