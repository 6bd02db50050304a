"""Calls of Python by a program: `python::m::f(…)`."""

import gc
import subprocess
import sys
import threading
import weakref

import numpy
import pytest

import weft


# What programs call lies in this module.
HERE = f"python::{__name__}"
SEEN = []


def noted(x):
    SEEN.append(x)
    return x + 1


def raises(x):
    raise ZeroDivisionError("nothing to divide by")


def interrupts(x):
    raise KeyboardInterrupt


def keyed(x, *, by, label="none"):
    return numpy.asarray(x) * by + len(label)


def swapped(a, b):
    return b, a


MINE = numpy.arange(4.0)


def mine():
    return MINE


def changes():
    MINE[:] = -1.0
    return 0.0


def calls_again(x):
    return AGAIN[0](x=x).y


def calls_another(x):
    return weft.compile("input x: [f64; n]; let y[i] = 2.0 * x[i];")(x=x).y


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


def sigmoid_slope(x):
    return sigmoid(x) * (1 - sigmoid(x))


MIXED = numpy.random.default_rng(3).standard_normal((4, 3))


def energy(x):
    """A simulator that knows its own gradient."""
    return float(numpy.sum(numpy.sin(MIXED @ x) ** 2))


def energy_gradient(x):
    z = MIXED @ x
    return MIXED.T @ (2 * numpy.sin(z) * numpy.cos(z))


def waves(x):
    return numpy.sin(MIXED @ x)


def waves_jacobian(x):
    return numpy.cos(MIXED @ x)[:, None] * MIXED


def minus_sigmoid_slope_slope(x):
    return sigmoid_slope(x) * (1 - 2 * sigmoid(x))


AGAIN = []


def test_programs_that_name_numpy_run():
    program = weft.compile(
        """
        use python::numpy;
        use python::numpy::linalg::solve;
        input a: [f64; n, n];
        input b: [f64; n];
        let x: [f64; n] = solve(a, b);
        let r[i] = sum[j](a[i, j] * x[j]) - b[i];
        let sorted = numpy::sort(b) as [f64; n];
        let norm: f64 = python::numpy::linalg::norm(b);
        let least = sorted[0];
        """
    )
    rng = numpy.random.default_rng(0)
    a, b = rng.standard_normal((5, 5)), rng.standard_normal(5)
    out = program(a=a, b=b)
    assert abs(out.r).max() < 1e-12
    assert (out.sorted == numpy.sort(b)).all() and out.least == b.min()
    assert out.norm == numpy.linalg.norm(b)


@pytest.mark.parametrize("n", [4, 100_000])
def test_evaluator_and_machine_code_see_the_same(n):
    program = weft.compile(
        "input x: [f64; n]; let s: [f64; n] = python::numpy::sort(x);"
        "let d[i] = s[i + 1] - s[i]; let m = max(d);",
        threads=2,
    )
    x = numpy.random.default_rng(n).standard_normal(n)
    d = numpy.diff(numpy.sort(x))
    assert (program(x=x)["d"] == d).all() and program(x=x).m == d.max()


def test_extents_are_found_and_held_against_stated_ones():
    text = "input x: [i32; n]; let u = python::numpy::unique(x) as [i32; k]; let c = k; let s = sum(u);"
    out = weft.compile(text)(x=numpy.array([3, 1, 3, 2], "i4"))
    assert out.u.tolist() == [1, 2, 3] and out.c == 3 and out.s == 6
    stated = weft.compile("input x: [f64; n]; let y: [f64; n] = python::numpy::cumsum(python::numpy::unique(x) as [f64; k]);")
    assert stated(x=[3.0, 1.0]).y.tolist() == [1.0, 4.0]
    with pytest.raises(weft.ShapeError, match=r"is to give \[f64; 2\], found f64 \[1\]"):
        stated(x=[3.0, 3.0]).y
    named = weft.compile(
        "input x: [f64; n]; let y = python::numpy::outer(x, x) as [f64; k, k]; let z = k;"
    )
    assert named(x=[1.0, 2.0]).z == 2
    with pytest.raises(weft.ShapeError, match=r"is to give \[f64; 3\], found f64 \[4\]"):
        weft.compile(
            "let y = python::numpy::ones(2) as [f64; n];"
            "let z = python::numpy::ones(4) as [f64; n + 1];"
        )().z


def test_it_is_called_once_and_where_it_is_needed():
    SEEN.clear()
    program = weft.compile(
        f"input x: [f64; n]; let y: [f64; n] = {HERE}::noted(x);"
        "let a = sum(y); let b = max(y); let other = x[0];"
    )
    out = program(x=[1.0, 2.0])
    assert out.other == 1.0 and not SEEN
    assert out["a", "b"] == (5.0, 3.0)
    assert len(SEEN) == 1
    with pytest.raises(ValueError, match="read-only"):
        SEEN[0][0] = 7.0


def test_arguments_by_name_strings_and_numbers():
    program = weft.compile(
        f'input x: [f64; n]; let y: [f64; n] = {HERE}::keyed(x, by = 3, label = "abcd");'
    )
    assert program(x=[1.0, 2.0]).y.tolist() == [7.0, 10.0]


def test_tuples_are_taken_apart():
    program = weft.compile(
        f"""
        input a: [f64; n];
        let (p, q): (i32, [f64; k]) = {HERE}::swapped(a, 7);
        let (w, v): ([f64; m], [f64; m, m]) = python::numpy::linalg::eigh([[2.0, 1.0], [1.0, 2.0]] as [f64]);
        let s = sum(q) + (p as f64);
        """
    )
    out = program(a=[1.0, 2.0])
    assert out.s == 10.0
    assert numpy.allclose(out.w, [1.0, 3.0]) and out.v.shape == (2, 2)


def test_what_a_function_keeps_is_no_result():
    MINE[:] = numpy.arange(4.0)
    program = weft.compile(
        f"let a: [f64; n] = {HERE}::mine(); let z: f64 = {HERE}::changes(); let b[i] = a[i] + z;"
    )
    out = program()
    a, b = out["a", "b"]
    assert a.tolist() == [0.0, 1.0, 2.0, 3.0] or a.tolist() == [-1.0] * 4
    before = a.copy()
    MINE[:] = 9.0
    assert (a == before).all() and (b == before).all()


def test_exceptions_pass_through():
    program = weft.compile(f"input x: [f64; n]; let y: [f64; n] = {HERE}::raises(x); let z = x[0];", name="a.ein")
    out = program(x=[1.0])
    with pytest.raises(ZeroDivisionError, match="nothing to divide") as e:
        out.y
    assert "a.ein:1:" in "".join(e.value.__notes__)
    assert e.traceback[-1].name == "raises"
    # What does not need it is computed, and the program is as it was.
    assert out.z == 1.0
    with pytest.raises(ZeroDivisionError):
        program(x=[1.0]).y


def test_a_program_may_catch_them():
    program = weft.compile(
        f"input x: [f64; n]; let y = (try ({HERE}::raises(x) as f64)) else 7.0; let z = 12 / (x[0] as i64);"
    )
    assert program(x=[1.0]).y == 7.0
    # A later failure is its own.
    with pytest.raises(weft.Error, match="zero"):
        program(x=[0.0])["y", "z"]


def test_an_interrupt_inside_ends_the_run():
    program = weft.compile(f"input x: [f64; n]; let y = (try ({HERE}::interrupts(x) as f64)) else 7.0;")
    with pytest.raises(KeyboardInterrupt):
        program(x=[1.0]).y
    assert weft.compile("let a = 1;")().a == 1


@pytest.mark.parametrize(
    ("stated", "call", "wrong"),
    [
        ("[f32; n]", "numpy::sort(x)", r"is to give \[f32; 2\], found f64 \[2\]; `.astype\(\"float32\"\)`"),
        ("[f64; n, n]", "numpy::sort(x)", r"is to give \[f64; 2, 2\], found f64 \[2\]"),
        ("f64", "numpy::sort(x)", "found an array of shape"),
        ("i32", "numpy::linalg::norm(x)", "is to give i32"),
        ("(f64, f64, f64)", f"{__name__}::swapped(1.0, 2.0)", "3 values, found 2"),
    ],
)
def test_what_comes_back_is_held_against_what_is_stated(stated, call, wrong):
    program = weft.compile(f"input x: [f64; n]; let y: {stated} = python::{call};")
    with pytest.raises(weft.Error, match=wrong):
        program(x=[1.0, 2.0]).y


def test_what_is_not_there():
    for path in ("python::no_such_module::f", "python::numpy::no_such_function"):
        program = weft.compile(f"let y: f64 = {path}(1.0);")
        with pytest.raises((ModuleNotFoundError, AttributeError), match="no_such"):
            program().y


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("input x: [f64; n]; let y = python::numpy::sort(x);", "E0308", "is not known"),
        ("let f = python::numpy::sort;", "E0308", "only called"),
        ("use python::numpy::*;", "E0432", "not known here"),
        ("let y: (i32, String) = python::numpy::sort(1.0);", None, ""),
        ("input x: [f64; n]; let y[i]: f64 = python::math::sin(x[i]);", "E0308", "inside a clause"),
        ("input x: [f64; n]; let y[i] = python::math::sin(x[i]) as f64;", "E0308", "inside a clause"),
        ("let y: f64 = python::math::sin((1.0, 2.0));", "E0308", "cannot be given"),
        (
            "input x: [f64; n]; let y: [f64; n] = python::numpy::sort(x); let s = sum(y); let d = @s / @x;",
            "E0602",
            "no derivative through `python::numpy::sort`",
        ),
    ],
)
def test_what_is_refused(text, code, said):
    with pytest.raises(weft.Error) as e:
        weft.compile(text)
    assert code is None or (e.value.code == code and said in str(e.value))


def test_no_name_is_looked_for_in_python():
    with pytest.raises(weft.Error) as e:
        weft.compile("use python::numpy; let y: f64 = numpy::sum(1.0); let z = prodd(y);")
    assert e.value.code == "E0425" and e.value.help == []


def test_a_rule_may_call_python():
    text = f"""
        use std::math::exp;
        input x: [f64; n];
        fn act(x) {{ let y[i] = 1 / (1 + exp(-x[i])); y }}
        @fn act(x) {{
            let m = len(x);
            let slope = {HERE}::sigmoid_slope(x) as [f64; m];
            let d[i] = slope[i] * @x[i];
            d
        }}
        let y = act(x);
        let loss = sum[i](y[i] ** 2);
        """
    program = weft.compile(text)
    x = numpy.linspace(-2, 2, 7)
    out = program.grad("loss", "x")(x=x)
    assert numpy.allclose(out.loss, (sigmoid(x) ** 2).sum())
    assert numpy.allclose(out.d_loss_d_x, 2 * sigmoid(x) * sigmoid_slope(x))
    assert numpy.allclose(program(x=x).d("y", "x").value, numpy.diag(sigmoid_slope(x)))
    # The slope that Python gives has no derivative of its own.
    with pytest.raises(weft.Error) as e:
        weft.compile(text + "let g = @loss / @x; let t = sum(g); let h = @t / @x;")
    assert e.value.code == "E0602"


def differences(program, x, step=1e-5, **others):
    """Central differences of `loss`."""
    moved = numpy.eye(len(x)) * step
    return [(program(x=x + d, **others).loss - program(x=x - d, **others).loss) / (2 * step) for d in moved]


ENERGY = f"""
    fn energy(x) {{ {HERE}::energy(x) as f64 }}
    @fn energy(x) {{
        let n = len(x);
        let slope = {HERE}::energy_gradient(x) as [f64; n];
        sum[i](slope[i] * @x[i])
    }}
"""

WAVES = f"""
    fn waves(x) {{ {HERE}::waves(x) as [f64; 4] }}
    @fn waves(x) {{
        let n = len(x);
        let jacobian = {HERE}::waves_jacobian(x) as [f64; 4, n];
        let d[k in 0..4] = sum[i](jacobian[k, i] * @x[i]);
        d
    }}
"""

ACT = f"""
    fn slope(x) {{ let m = len(x); {HERE}::sigmoid_slope(x) as [f64; m] }}
    @fn slope(x) {{
        let m = len(x);
        let s = {HERE}::minus_sigmoid_slope_slope(x) as [f64; m];
        let d[i] = s[i] * @x[i];
        d
    }}
    fn act(x) {{ let m = len(x); {HERE}::sigmoid(x) as [f64; m] }}
    @fn act(x) {{
        let s = slope(x);
        let d[i] = s[i] * @x[i];
        d
    }}
"""


@pytest.mark.parametrize(
    "text",
    [
        ENERGY + "input x: [f64; n]; let loss = energy(x);",
        ENERGY + "input x: [f64; n]; let y[i] = x[i] ** 3; let loss = energy(y) ** 2 + sum(y);",
        ENERGY + "input x: [f64; n]; let y[i] = x[i] ** 2; let a = energy(x); let b = energy(y); let loss = a * b;",
        WAVES + "input x: [f64; n]; let y = waves(x); let loss = sum[k](y[k] ** 2 * (k as f64));",
        WAVES + "input x: [f64; n]; let y[i] = x[i] * x[0]; let z = waves(y); let loss = z[0] * z[1] * z[2] + z[3];",
        ACT + "input x: [f64; n]; let y = act(x); let z = act(y); let loss = sum[i](z[i] ** 2 * x[i]);",
    ],
)
def test_a_function_of_python_with_a_gradient_of_its_own(text):
    x = numpy.array([0.3, -0.7, 1.1])
    program = weft.compile(text)
    found = program.grad("loss", "x")(x=x).d_loss_d_x
    assert numpy.allclose(found, differences(program, x), rtol=1e-6, atol=1e-8)


def test_rows_and_columns_through_a_function_of_python():
    x = numpy.array([0.3, -0.7, 1.1])
    d = weft.compile(WAVES + "input x: [f64; n]; let y = waves(x);")(x=x).d("y", "x")
    jacobian = waves_jacobian(x)
    assert numpy.allclose(d.value, jacobian)
    assert numpy.allclose(d[2], jacobian[2]) and numpy.allclose(d[:, 1], jacobian[:, 1])


def test_a_gradient_that_has_a_rule_is_differentiated_again():
    x = numpy.array([0.3, -0.7, 1.1])
    text = ACT + "input x: [f64; n]; let y = act(x); let s = sum[i](y[i] ** 3); let g = @s / @x; let loss = sum[i](g[i] ** 2);"
    program = weft.compile(text)
    found = program.grad("loss", "x")(x=x).d_loss_d_x
    assert numpy.allclose(found, differences(program, x), rtol=1e-6, atol=1e-8)
    # What only a value is known of has none.
    with pytest.raises(weft.Error, match="no derivative through `python::") as e:
        weft.compile(ENERGY + "input x: [f64; n]; let s = energy(x); let g = @s / @x; let t = sum(g); let h = @t / @x;")
    assert e.value.code == "E0602" and "energy_gradient" in str(e.value)


def test_functions_of_a_program_call_python():
    program = weft.compile(
        "fn total(x) { python::numpy::sum(x) as f64 }"
        "input a: [f64; n]; input b: [f64; m]; let s = total(a) + total(b);"
    )
    assert program(a=[1.0, 2.0], b=[4.0]).s == 7.0


def test_programs_within_calls():
    text = "input x: [f64; n]; let y: [f64; n] = {}(x);"
    program = weft.compile(text.format(f"{HERE}::calls_another"))
    assert program(x=[1.0, 2.0]).y.tolist() == [2.0, 4.0]
    # One that would wait for itself says so.
    AGAIN[:] = [weft.compile(text.format(f"{HERE}::calls_again"))]
    with pytest.raises(weft.Error, match="calls itself"):
        AGAIN[0](x=[1.0]).y


def test_threads_call_python_through_one_program():
    program = weft.compile(f"input x: [f64; n]; let y: [f64; n] = {HERE}::sigmoid(x);")
    wrong = []

    def call(first):
        x = numpy.arange(10.0) + first
        for _ in range(50):
            if not (program(x=x).y == sigmoid(x)).all():
                wrong.append(first)

    threads = [threading.Thread(target=call, args=(n,)) for n in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not wrong


def test_calls_hold_nothing():
    program = weft.compile(f"input x: [f64; n]; let y: [f64; n] = {HERE}::noted(x); let z: f64 = {HERE}::raises(x);")
    x = numpy.ones(100)
    before = sys.getrefcount(x)
    for _ in range(100):
        program(x=x).y
        with pytest.raises(ZeroDivisionError):
            program(x=x).z
    SEEN.clear()
    gc.collect()
    assert sys.getrefcount(x) == before


def test_what_a_call_gave_goes_with_its_outputs():
    class Tracked(numpy.ndarray):
        pass

    made = []

    def tracked():
        array = numpy.ones(3).view(Tracked)
        made.append(weakref.ref(array))
        return array

    sys.modules[__name__].tracked = tracked
    out = weft.compile(f"let y: [f64; n] = {HERE}::tracked();")()
    assert out.y.tolist() == [1.0] * 3
    gc.collect()
    assert made[0]() is None


def test_strings_come_back():
    sys.modules[__name__].told = lambda n: ("a" * int(n), ["b", "c"])
    text = f"""
        let (one, all): (str, [str]) = {HERE}::told(3);
        let word: str = python::os::path::basename("a/b.txt");
    """
    out = weft.compile(text)()
    assert (out.one, list(out.all), out.word) == ("aaa", ["b", "c"], "b.txt")
    with pytest.raises(TypeError):
        weft.compile(f"let word: str = {HERE}::noted(1.0);")().word


def test_a_file_of_that_name_goes_first(tmp_path):
    (tmp_path / "python.ein").write_text("pub fn twice(x: f64) { 2.0 * x }")
    assert weft.compile("let y = python::twice(4.0);", root=str(tmp_path))().y == 8.0
    (tmp_path / "python.ein").unlink()
    (tmp_path / "python").mkdir()
    (tmp_path / "python" / "mine.ein").write_text("pub fn thrice(x: f64) { 3.0 * x }")
    text = "let y: f64 = python::math::sqrt(4.0);"
    assert weft.compile(text, root=str(tmp_path))().y == 2.0


def test_modules_that_nobody_imported_yet():
    code = (
        "import sys, weft; assert 'colorsys' not in sys.modules;"
        "print(weft.compile('let (r, g, b): (f64, f64, f64) = python::colorsys::hsv_to_rgb(0.0, 1.0, 1.0);')().r)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "1.0\n"


def test_a_program_with_calls_is_explained_and_planned():
    program = weft.compile("input x: [f64; n]; let s: [f64; n] = python::numpy::sort(x); let t[i] = 2.0 * s[i];")
    assert "t" in program.plan(x=[1.0])
    assert "from `s[i]`" in weft.explain(program, "t")
