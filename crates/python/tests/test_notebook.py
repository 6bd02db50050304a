"""Notebooks: the cell magic, errors in colour, and a notebook that is executed without a screen."""

import numpy
import pytest

import weft
from weft import _notebook


def test_a_cell_takes_inputs_from_names_and_gives_outputs_to_them(capsys):
    names = {"x": numpy.arange(4.0), "scale": 3.0, "other": object()}
    text = 'input x: [f64; n]; input scale: f64 = 1.0; input shift: f64 = 0.5;\n'
    text += 'let y[i] = scale * x[i] + shift; let total = sum(y); print("{total}");'
    out = _notebook.cell("y total --program p", text, names)
    assert names["y"].tolist() == [0.5, 3.5, 6.5, 9.5] and names["total"] == 20.0
    assert capsys.readouterr().out == "20.0\n"
    assert out.total == 20.0 and names["p"](x=[1.0]).y.tolist() == [1.5]
    assert capsys.readouterr().out == "1.5\n"
    # Without names the cell does what it does by itself.
    _notebook.cell("", text, names)
    assert capsys.readouterr().out == "20.0\n"


def test_what_is_wrong_with_a_cell():
    with pytest.raises(KeyError, match="no output `z`; it has y"):
        _notebook.cell("z", "let y = 1;", {})
    with pytest.raises(ValueError, match="usage: %%weft"):
        _notebook.cell("y --colour red", "let y = 1;", {})
    with pytest.raises(weft.TypeError, match="no value for the input `x`"):
        _notebook.cell("y", "input x: f64; let y = x;", {})
    with pytest.raises(weft.Error, match="E0425"):
        _notebook.cell("y", "let y = x;", {"x": 1.0})
    names = {}
    _notebook.cell("--strict --threads 1", "let y = 1;", names)
    assert not names


CELLS = [
    "%load_ext weft",
    "import numpy\nx = numpy.linspace(0.0, 1.0, 5)",
    "%%weft y total\ninput x: [f64; n];\nlet y[i] = 2.0 * x[i];\nlet total = sum(y);\nprint(\"in the cell\");",
    "print(total, y.tolist())",
    "import weft\nweft.explain('E0501').splitlines()[0]",
    "%%weft --program model\ninput w: [f64; n];\nlet loss = sum[i](w[i] ** 2);",
    "w = numpy.ones(3)",
    "%%weft --program model\ninput w: [f64; n];\nlet loss = sum[i](w[i] ** 2);",
    "model.grad('loss', 'w')(w=w).d_loss_d_w",
    "%%weft\nlet A = [[1.0, 2.0]];\nlet C[i] = sum[k](A[k, i] * A[i, k]);",
    "def half(a):\n    return 0.5 * a",
    "%%weft z\ninput x: [f64; n];\nlet z: [f64; n] = python::__main__::half(x);",
    "z.sum()",
]


def outputs_of(cells):
    nbformat = pytest.importorskip("nbformat", reason="notebooks need nbclient and ipykernel")
    nbclient = pytest.importorskip("nbclient", reason="notebooks need nbclient and ipykernel")
    pytest.importorskip("ipykernel", reason="notebooks need nbclient and ipykernel")
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    nbclient.NotebookClient(book, timeout=60, allow_errors=True).execute()
    return [cell.outputs for cell in book.cells]


def test_a_notebook():
    outputs = outputs_of(CELLS)

    def text(n):
        return "".join(o.get("text", "") + o.get("data", {}).get("text/plain", "") for o in outputs[n])

    assert text(2).startswith("in the cell\n<weft.Outputs: y (computed), total (computed)>")
    assert text(3) == "5.0 [0.0, 0.5, 1.0, 1.5, 2.0]\n"
    assert "E0501" in text(4)
    # An input that the notebook does not have yet.
    [missing] = [o for o in outputs[5] if o.output_type == "error"]
    assert "no value for the input `w`" in "".join(missing.traceback)
    assert text(8) == "array([2., 2., 2.])"
    # Errors are those of the command, in colour, without a traceback through the package.
    [wrong] = [o for o in outputs[9] if o.output_type == "error"]
    shown = "".join(wrong.traceback)
    assert "\x1b[" in shown and "E0501" in shown and "two extents" in shown and "_notebook.py" not in shown
    assert text(12) in ("1.25", "np.float64(1.25)")


FITTED = [
    "%load_ext weft",
    "import numpy\nrng = numpy.random.default_rng(0)\nt = numpy.linspace(0.0, 4.0, 100)\n"
    "y = 2.5 * numpy.exp(-1.3 * t) + 0.5 + 0.01 * rng.standard_normal(100)\np = numpy.array([1.0, 1.0, 0.0])",
    "%%weft loss --program fit\nuse std::math::exp;\ninput p: [f64; 3];\ninput t: [f64; n];\ninput y: [f64; n];\n"
    "let r[i] = p[0] * exp(-p[1] * t[i]) + p[2] - y[i];\nlet loss = mean[i](r[i] ** 2);",
    "step = fit.grad('loss', 'p')\nfor _ in range(3000):\n    p = p - 0.5 * step(p, t, y).d_loss_d_p",
    "print(p.round(1))",
]


def test_a_model_is_fitted_in_a_notebook():
    outputs = outputs_of(FITTED)
    assert all(o.output_type != "error" for cell in outputs for o in cell)
    assert outputs[-1][0].text == "[2.5 1.3 0.5]\n"
