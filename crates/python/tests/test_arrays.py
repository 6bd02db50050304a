"""Arrays in and out: what is read where it is, what is copied, and that numbers are the same."""

import gc
import sys
import weakref

import numpy
import pytest

import weft

# Element types of the language that NumPy has, with its names.
TYPES = {
    "bool": "bool",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
}


def same(elem):
    return weft.compile(f"input x: [{elem}; n, m]; let y[i, j] = x[i, j]; let z = x;")


@pytest.mark.parametrize("elem", TYPES)
def test_no_copy_in_either_direction(elem):
    x = (numpy.arange(12) % 2).astype(TYPES[elem]).reshape(3, 4)
    out = same(elem)(x=x)
    given = out.inputs_given["x"]
    assert given.address == x.ctypes.data
    y = out.y
    assert y.dtype == x.dtype and (y == x).all() and not y.flags.writeable
    assert out.array("y").address == y.ctypes.data
    again = same(elem)(x=y).inputs_given["x"]
    assert again.address == y.ctypes.data


@pytest.mark.parametrize("elem", TYPES)
def test_dlpack_in_both_directions(elem):
    x = (numpy.arange(6) % 2).astype(TYPES[elem]).reshape(2, 3)

    class Lent:
        """What speaks DLPack only."""

        def __dlpack__(self, **named):
            return x.__dlpack__(**named)

        def __dlpack_device__(self):
            return x.__dlpack_device__()

    out = same(elem)(x=Lent())
    assert out.inputs_given["x"].address == x.ctypes.data
    result = out.array("y")
    taken = numpy.from_dlpack(result)
    assert taken.ctypes.data == result.address and (taken == x).all() and taken.dtype == x.dtype
    assert not taken.flags.writeable
    del result, out
    gc.collect()
    assert (taken == x).all()


def test_dlpack_of_old_consumers_is_a_copy_and_unused_capsules_are_freed():
    result = same("f64")(x=[[1.0, 2.0]]).array("y")
    assert result.__dlpack_device__() == (1, 0)
    old = result.__dlpack__()
    assert '"dltensor"' in repr(old)
    new = result.__dlpack__(max_version=(1, 0))
    assert "dltensor_versioned" in repr(new)
    del old, new
    with pytest.raises(BufferError):
        result.__dlpack__(copy=False)


def test_what_does_not_lie_in_rows_is_copied_and_right():
    x = numpy.arange(24.0).reshape(4, 6)
    for given in [x.T, x[::2, ::-1], x[1:, 2:5], numpy.asfortranarray(x), x.astype(">f8")]:
        out = same("f64")(x=given)
        assert (out.y == given).all()
    one = numpy.frombuffer(b"\0" + x.tobytes(), dtype="f8", offset=1).reshape(4, 6)
    assert (same("f64")(x=one).y == x).all()


def test_empty_arrays():
    for shape in [(0, 3), (3, 0), (0, 0)]:
        y = same("f32")(x=numpy.zeros(shape, "f4")).y
        assert y.shape == shape and y.dtype == numpy.float32


def test_lists_and_numbers_take_the_declared_type():
    program = weft.compile("input x: [f32; n, 2]; input k: i64; let y[i, j] = x[i, j]; let l = k;")
    out = program(x=[(1, 2.5), [3, 0.1]], k=7)
    assert out.y.dtype == numpy.float32 and (out.y == numpy.float32([[1, 2.5], [3, 0.1]])).all()
    assert out.l == 7
    assert program(x=[], k=1).y.shape == (0, 2)
    ints = weft.compile("input n: [u64; n]; let y = n;")
    assert ints(n=[2**64 - 1, 0]).y.tolist() == [2**64 - 1, 0]
    truths = weft.compile("input t: [bool; n]; input u: bool; let y = t; let v = u;")
    assert truths(t=[True, False], u=numpy.bool_(True)).y.tolist() == [True, False]


@pytest.mark.parametrize(
    "declared, given, text",
    [
        ("f64", "a", "takes f64, found `'a'`"),
        ("f64", True, "takes f64, found `True`"),
        ("i32", 1.5, "takes i32, found `1.5`"),
        ("i8", 300, "takes i8, found `300`"),
        ("f32", 1e300, r"takes f32, found `1e\+300`"),
        ("bool", 1, "takes bool, found `1`"),
        ("i32", None, "takes i32, found `None`"),
        ("[f64; n]", numpy.zeros(3, "f4"), r"takes \[f64; n\], found f32 \[3\]; `x.astype\(\"float64\"\)`"),
        ("[f64; n]", numpy.zeros(3, "c16"), r"takes \[f64; n\], found complex128 \[3\]"),
        ("[i32; n]", numpy.zeros(3, "i8"), r"found i64 \[3\]"),
        ("[f64; n]", ["a"], "found `'a'`"),
        ("[f64; n]", numpy.array([1, None]), r"found object \[2\]"),
        ("[f64; n]", numpy.array(["a"]), r"found <U1 \[1\]"),
        ("[f64; n]", 3.0, "found a value of float"),
        ("[f64; n]", {}, "found a value of dict"),
        ("[f64; n]", object(), "found a value of object"),
    ],
)
def test_wrong_types_are_told(declared, given, text):
    program = weft.compile(f"input x: {declared}; let y = x;")
    with pytest.raises(weft.TypeError, match=text) as e:
        program(x=given)
    assert isinstance(e.value, TypeError) and isinstance(e.value, weft.Error)


@pytest.mark.parametrize(
    "given, text",
    [
        (numpy.zeros(3), r"takes \[f64; n, 3\], found f64 \[3\]"),
        (numpy.zeros((2, 4)), r"takes \[f64; n, 3\], found f64 \[2, 4\]"),
        ([[1, 2, 3], [1, 2]], "lists of different lengths"),
        ([1, 2, 3], "lists of 1 levels"),
        ([[[1]]], "nested deeper"),
        ([[1, 2]], r"found f64 \[1, 2\]"),
    ],
)
def test_wrong_shapes_are_told(given, text):
    program = weft.compile("input x: [f64; n, 3]; let y = x;")
    with pytest.raises(weft.ShapeError, match=text) as e:
        program(x=given)
    assert isinstance(e.value, ValueError)


def test_extents_of_one_name_must_agree():
    program = weft.compile("input a: [f64; n]; input b: [f64; n]; let c[i] = a[i] + b[i];")
    with pytest.raises(weft.ShapeError, match="extent is 3 in `a` but 2 in `b`") as e:
        program(a=numpy.zeros(3), b=numpy.zeros(2))
    assert e.value.code == "E1104" and len(e.value.spans) == 2
    with pytest.raises(weft.ShapeError, match="found an array of shape"):
        weft.compile("input k: f64; let y = k;")(k=numpy.zeros(1))


def test_missing_and_unknown_inputs_are_told():
    program = weft.compile("input size: f64; let y = size;")
    with pytest.raises(weft.TypeError, match="no value for the input `size`"):
        program()
    with pytest.raises(weft.TypeError, match="did you mean `size`"):
        program(size=1.0, sise=1.0)
    with pytest.raises(TypeError, match="given twice"):
        program(1.0, size=2.0)
    with pytest.raises(TypeError, match="2 inputs were given"):
        program(1.0, 2.0)


def test_memory_is_let_go_of():
    class Owned(numpy.ndarray):
        pass

    x = numpy.ones((100, 100)).view(Owned)
    program = same("f64")
    gone = weakref.ref(x)
    before = sys.getrefcount(x)
    out = program(x=x)
    assert out.y.sum() == 10000
    del out
    assert sys.getrefcount(x) == before
    del x
    gc.collect()
    assert gone() is None


def test_a_result_outlives_all_else():
    y = same("f64")(x=numpy.ones((50, 50))).y
    gc.collect()
    assert (y == 1).all()


def test_types_that_numpy_lacks():
    program = weft.compile("input x: [f32; n]; let y[i] = x[i] as bf16; let z[i] = x[i] as f8e4m3;")
    out = program(x=numpy.float32([1.0, -2.5]))
    for name, bits in [("y", "H"), ("z", "B")]:
        array = out.array(name)
        assert array.tolist() == [1.0, -2.5] and memoryview(array).format == bits
        # Where it was computed, and read there.
        assert numpy.frombuffer(array, bits).ctypes.data == array.address
        takes = weft.compile(f"input x: [{array.dtype}; n]; let z[i] = x[i] as f32;")
        again = takes(x=array)
        assert again.inputs_given["x"].address == array.address and again.z.tolist() == [1.0, -2.5]
    back = weft.compile("input x: [bf16; n]; let y[i] = x[i] as f32;")
    assert back(x=out.array("y")).y.tolist() == [1.0, -2.5]


def test_arrays_show_themselves():
    array = same("f64")(x=[[1.0, 2.0]]).array("y")
    assert repr(array) == "weft.Array [f64; 1, 2] [[1. 2.]]"
    assert repr(weft.compile("let s = 1.5;")().array("s")) == "weft.Array f32 1.5"
    assert len(array) == 1 and array.shape == (1, 2) and array.dtype == "f64"
    assert numpy.asarray(array, dtype="f4").dtype == numpy.float32


def test_lenders_of_dlpack_without_versions():
    x = numpy.arange(6.0).reshape(2, 3)

    class Old:
        def __dlpack__(self):
            return x.__dlpack__()

        def __dlpack_device__(self):
            return (1, 0)

    class Elsewhere(Old):
        def __dlpack_device__(self):
            return (2, 0)

    out = same("f64")(x=Old())
    assert out.inputs_given["x"].address == x.ctypes.data and (out.y == x).all()
    with pytest.raises(BufferError, match="another device"):
        same("f64")(x=Elsewhere())


def test_buffers_of_pythons_own():
    import array
    import ctypes

    doubles = weft.compile("input x: [f64; n]; let s = sum(x); let y = x;")
    given = array.array("d", [1.0, 2.0])
    out = doubles(x=given)
    assert out.s == 3.0 and out.inputs_given["x"].address == given.buffer_info()[0]
    del out
    given.append(3.0)
    assert doubles(x=(ctypes.c_double * 2)(1.0, 4.0)).s == 5.0
    octets = weft.compile("input x: [u8; n]; let y = x;")
    assert octets(x=b"\x01\xff").y.tolist() == [1, 255]
    assert octets(x=memoryview(bytearray(b"abcd"))[::2]).y.tolist() == [97, 99]


def test_truth_values_that_are_none_are_made_some():
    odd = numpy.array([0, 1, 2, 255], "u1").view("bool")
    y = weft.compile("input x: [bool; n]; let y = x;")(x=odd).y
    assert y.view("u1").tolist() == [0, 1, 1, 1]
