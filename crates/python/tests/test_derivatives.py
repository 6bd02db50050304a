"""Derivatives as values."""

import numpy
import pytest

import weft

LOSS = """
input w: [f64; n];
input x: [f64; m, n];
input t: [f64; m];
let y[i] = sum[j](x[i, j] * w[j]) ** 2;
let loss = sum[i]((y[i] - t[i]) ** 2);
"""


@pytest.fixture
def given():
    rng = numpy.random.default_rng(0)
    return dict(w=rng.standard_normal(3), x=rng.standard_normal((5, 3)), t=rng.standard_normal(5))


def jacobian(w, x, t):
    return 2 * (x @ w)[:, None] * x


def test_the_gradient_of_a_number(given):
    out = weft.compile(LOSS)(**given)
    y = (given["x"] @ given["w"]) ** 2
    expected = 2 * (y - given["t"]) @ jacobian(**given)
    d = out.d("loss", "w")
    assert d.ndim == 1 and numpy.allclose(d.value, expected)
    assert numpy.allclose(d[1], expected[1])
    assert numpy.allclose(numpy.asarray(d), expected)


def test_rows_columns_and_entries_of_a_jacobian(given):
    d = weft.compile(LOSS)(**given).d("y", "w")
    expected = jacobian(**given)
    assert numpy.allclose(d.value, expected)
    assert numpy.allclose(d[2], expected[2]) and numpy.allclose(d[2, :], expected[2])
    assert numpy.allclose(d[:, 1], expected[:, 1])
    assert numpy.allclose(d[4, 0], expected[4, 0])
    assert d.shape == (5, 3) and d.ndim == 2
    assert numpy.allclose(d[-1, -3], expected[-1, -3]) and numpy.allclose(d[:, -1], expected[:, -1])
    for outside in ((5,), (0, 3), (-6,), (0, -4)):
        with pytest.raises(IndexError, match="outside of the extent"):
            d[outside]
    with pytest.raises(IndexError):
        d[0, 0, 0]
    with pytest.raises(IndexError):
        d[0:2]


def test_a_row_of_a_large_jacobian_is_one_sweep():
    n = 100_000
    program = weft.compile("input x: [f64; n]; let y[i] = x[i] * sum(x);", memory_limit=64 << 20)
    d = program(x=numpy.ones(n)).d("y", "x")
    row = d[7]
    assert row.shape == (n,) and row[7] == n + 1 and row[8] == 1


def test_a_program_with_its_gradients(given):
    program = weft.compile(LOSS).grad("loss", ["w", "x"])
    out = program(**given)
    y = (given["x"] @ given["w"]) ** 2
    assert numpy.allclose(out.d_loss_d_w, 2 * (y - given["t"]) @ jacobian(**given))
    assert out.d_loss_d_x.shape == (5, 3) and out.loss == pytest.approx(((y - given["t"]) ** 2).sum())
    assert weft.compile(LOSS).grad("loss", "t")(**given).d_loss_d_t.shape == (5,)


def test_wrong_names_are_told(given):
    out = weft.compile(LOSS)(**given)
    with pytest.raises(KeyError, match="no tensor `v`"):
        out.d("loss", "v")
