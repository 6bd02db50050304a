"""Functions of Einlang as Python callables."""

import inspect

import numpy
import pytest

import weft

MODEL = """
use std::math::exp;
pub fn loss(w, x, scale = 1.0) { scale * sum[i](w[i] * x[i]) }
pub fn both(x) { (sum(x), max(x)) }
pub fn first(x: [f64; n], k: i64 = 0) { x[k] }
pub fn softmax(x) {
    let top = max(x);
    let e[i] = exp(x[i] - top);
    let total = sum(e);
    let p[i] = e[i] / total;
    p
}
fn hidden(x) { x }
"""


@pytest.fixture
def model(tmp_path):
    (tmp_path / "model.ein").write_text(MODEL)
    return weft.module(tmp_path / "model.ein")


def test_functions_are_attributes(model):
    assert model.loss([1.0, 2.0], [3.0, 4.0]) == 11.0
    assert model.loss(x=[3.0, 4.0], w=[1.0, 2.0], scale=2.0) == 22.0
    assert model.both([1.0, 5.0, 2.0]) == (8.0, 5.0)
    assert model.first([7.0, 8.0]) == 7.0 and model.first([7.0, 8.0], 1) == 8.0
    assert "hidden" not in dir(model)
    with pytest.raises(AttributeError, match="pub fn hidden"):
        model.hidden


def test_one_program_for_each_types_and_ranks(model):
    one = model.loss.program(numpy.zeros(3), numpy.zeros(3))
    assert model.loss.program(numpy.zeros(9), numpy.zeros(9)) is one
    other = model.loss.program(numpy.zeros(3, "f4"), numpy.zeros(3, "f4"))
    assert other is not one
    y = model.softmax(numpy.float32([1.0, 2.0, 3.0]))
    assert y.dtype == numpy.float32
    e = numpy.exp(numpy.float32([1.0, 2.0, 3.0]))
    assert numpy.allclose(y, e / e.sum())


def test_a_plain_number_takes_the_type_of_the_arrays_beside_it(model):
    x = numpy.ones(3, "f4")
    program = model.loss.program(x, x, 0.5)
    assert [d.dtype for d in program.inputs] == ["f32", "f32", "f32"]
    assert model.loss(x, x, 0.5) == 1.5
    # An integer takes the type of what it meets, as in the language.
    assert model.loss(x, x, 2) == 6.0
    assert model.loss([1, 2.5], (2, 2)) == 7.0


def test_signatures_are_pythons(model):
    assert list(inspect.signature(model.loss).parameters) == ["w", "x", "scale"]
    with pytest.raises(TypeError, match="missing a required argument: 'x'"):
        model.loss([1.0])
    with pytest.raises(TypeError, match="unexpected keyword argument 'y'"):
        model.loss([1.0], [1.0], y=2)


def test_errors_are_those_of_the_language(model):
    with pytest.raises(weft.Error) as e:
        model.first(numpy.zeros(3), 5)
    assert e.value.code == "E0503" and any("model" in p.file for p in e.value.spans)


def test_a_docstring_is_a_function():
    @weft.function
    def scaled(x, factor=2.0):
        """
        use std::math::sqrt;
        let y[i] = factor * sqrt(x[i]);
        y
        """

    assert scaled([1.0, 4.0]).tolist() == [2.0, 4.0]
    assert scaled([1.0, 4.0], factor=0.5).tolist() == [0.5, 1.0]

    @weft.function(float_mode="strict")
    def norm(x: "[f64; n]"):
        """sum[i](x[i] ** 2) ** 0.5"""

    assert norm([3, 4]) == 5.0
