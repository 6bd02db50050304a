"""Programs: compiled, looked at, called."""

import pickle
import subprocess
import sys

import numpy
import pytest

import weft

HEAT = """
input start: [f64; n];
input steps: i32 = 3;
let u[0, i in 0..n] = start[i];
let u[t in 1..steps, i in 1..n - 1] =
    u[t - 1, i] + 0.25 * (u[t - 1, i - 1] - 2 * u[t - 1, i] + u[t - 1, i + 1]);
let last[i] = u[steps - 1, i];
let heat = sum[i](last[i]);
"""


def heat(start, steps=3):
    u = numpy.array(start, dtype="float64")
    for _ in range(steps - 1):
        v = numpy.zeros_like(u)
        v[1:-1] = u[1:-1] + 0.25 * (u[:-2] - 2 * u[1:-1] + u[2:])
        u = v
    return u


def test_outputs_are_there_by_name_by_attribute_and_by_index():
    program = weft.compile("input x: [f64; n]; let y[i] = 2.0 * x[i]; let z = sum(y);")
    out = program(x=[1.0, 2.0, 3.0])
    assert out.z == 12.0 and type(out.z) is float
    assert out["y"] is out.y and out[0] is out.y and out[-1] == out["z"]
    assert out.y.tolist() == [2.0, 4.0, 6.0]
    assert list(out.keys()) == ["y", "z"] and "y" in out and len(out) == 2
    y, z = out
    assert y is out.y and z == 12.0
    both = out["z", "y"]
    assert both[0] == 12.0 and both[1] is out.y
    assert dict(out)["z"] == 12.0


def test_what_is_not_there_is_told():
    out = weft.compile("let y = 1.5;")()
    with pytest.raises(KeyError, match="no output `w`"):
        out["w"]
    with pytest.raises(AttributeError, match="it has y"):
        out.w
    with pytest.raises(IndexError):
        out[1]


def test_inputs_and_outputs_are_described():
    program = weft.compile(HEAT, name="heat.ein")
    assert [(d.name, d.dtype, d.shape, d.optional) for d in program.inputs] == [
        ("start", "f64", ("n",), False),
        ("steps", "i32", (), True),
    ]
    assert [d.name for d in program.outputs] == ["u", "last", "heat"]
    assert program.outputs[2].shape == () and program.outputs[1].dtype == "f64"
    assert repr(program).startswith("<weft.Program heat.ein (start: [f64; n], steps: i32) -> (")
    square = weft.compile("input a: [f32; n, 3]; let b[i, j] = a[i, j] * 0.5;")
    assert square.inputs[0].shape == ("n", 3)


def test_a_recurrence_takes_its_length_as_an_input():
    program = weft.compile(HEAT)
    start = numpy.arange(12.0) % 5
    assert numpy.allclose(program(start=start).last[1:-1], heat(start)[1:-1])
    assert numpy.allclose(program(start, 40).last[1:-1], heat(start, 40)[1:-1])
    assert numpy.allclose(program(start, steps=numpy.int64(7)).last[1:-1], heat(start, 7)[1:-1])


def test_results_of_all_kinds():
    program = weft.compile(
        """
        struct Point { x: f64, y: f64 }
        let flag = 1 < 2;
        let count = 3;
        let text = "a{count}";
        let both = (1.5, [1, 2]);
        let p = Point { x: 1.0, y: 2.0 };
        let r = 2..5;
        let rows = [[1, 2], [3]];
        """
    )
    out = program()
    assert out.flag is True and out.count == 3 and out.text == "a3"
    assert out.both[0] == 1.5 and out.both[1].tolist() == [1, 2]
    assert out.both[1].dtype == numpy.int32
    assert out.p == (1.0, 2.0) and out.p.y == 2.0 and type(out.p).__name__ == "Point"
    assert out.r == range(2, 5)
    assert [list(row) for row in out.rows] == [[1, 2], [3]]


def test_what_is_printed_goes_to_standard_output_once(capsys):
    program = weft.compile('input n: i64; print("n is {n}"); let a = n + 1; let b = n + 2;')
    out = program(n=4)
    assert capsys.readouterr().out == ""
    assert (out.a, out.b) == (5, 6)
    assert capsys.readouterr().out == "n is 4\n"
    program.run(n=5)
    assert capsys.readouterr().out == "n is 5\n"


def test_modules_come_from_a_folder_or_from_texts(tmp_path):
    (tmp_path / "shapes.ein").write_text("pub fn area(r: f64) { 3.0 * r * r }")
    text = "let a = shapes::area(2.0);"
    assert weft.compile(text, root=str(tmp_path))().a == 12.0
    assert weft.compile(text, overlays={"shapes.ein": "pub fn area(r: f64) { r }"})().a == 2.0
    (tmp_path / "main.ein").write_text(text)
    program = weft.load(tmp_path / "main.ein")
    assert program().a == 12.0


def test_options():
    with pytest.raises(ValueError, match="float_mode"):
        weft.compile("let a = 1;", float_mode="exact")
    source = "input x: [f64; n]; let s = sum[i](x[i]);"
    x = numpy.random.default_rng(1).standard_normal(1000)
    strict = weft.compile(source, float_mode="strict", threads=1)
    total = 0.0
    for v in x.tolist():
        total += v
    assert strict(x=x).s == total
    small = weft.compile("input x: [f64; n]; let y[i] = x[i] + 1.0;", memory_limit=1000)
    with pytest.raises(weft.Error) as e:
        small(x=x).y
    assert e.value.code == "E1106"


def test_a_program_can_be_pickled():
    program = weft.compile(HEAT, float_mode="strict", threads=1, name="heat.ein")
    again = pickle.loads(pickle.dumps(program))
    start = numpy.linspace(0, 1, 9)
    assert (again(start=start).last == program(start=start).last).all()
    assert repr(again) == repr(program)


def test_importing_is_quick_and_brings_no_numpy():
    code = "import sys, weft; print('numpy' in sys.modules, weft.__version__)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split()[0] == "False"
    code = (
        "import sys; sys.modules['numpy'] = None; import weft;"
        "y = weft.compile('input x: [f32; n]; let y[i] = x[i] * 2.0;')(x=[1, 2]).y;"
        "print(y.dtype, y.tolist(), memoryview(y).format)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "f32 [2.0, 4.0] f\n"


def test_a_plan_can_be_read():
    program = weft.compile(HEAT)
    assert "last" in program.plan(start=[0.0, 1.0, 0.0])
