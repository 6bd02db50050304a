"""Files that programs read and write: `std::io`, beside the program's own file."""

import numpy
import pytest

import weft


def written(folder, text):
    path = folder / "program.ein"
    path.write_text(text)
    return weft.load(str(path))


def test_what_numpy_writes_is_read_and_the_other_way_round(tmp_path):
    x = numpy.arange(6, dtype=numpy.float32).reshape(2, 3)
    numpy.savez(tmp_path / "x.npz", x=x)
    program = written(
        tmp_path,
        """
        use std::io::{load_npz, save_npy, save_npz};
        let x: [f32; n, m] = load_npz("x.npz", "x");
        let y[i, j] = 2.0 * x[i, j];
        let s: [f16; 2] = [0.5, 1.0];
        save_npy("y.npy", y);
        save_npz("out.npz", ["y", "s"], (y, s));
        """,
    )
    program.run()
    assert numpy.array_equal(numpy.load(tmp_path / "y.npy"), 2 * x)
    with numpy.load(tmp_path / "out.npz") as out:
        assert sorted(out.files) == ["s", "y"]
        assert numpy.array_equal(out["y"], 2 * x) and out["s"].dtype == numpy.float16


def test_each_call_changes_files_once(tmp_path):
    program = written(
        tmp_path,
        """
        use std::io::{append_file, read_file, resolve_relative_to_script};
        let log = resolve_relative_to_script("log.txt");
        append_file(log, "x");
        let a = 1.0;
        let b = len(read_file(log));
        """,
    )
    out = program()
    assert not (tmp_path / "log.txt").exists()
    assert (out.a, out.b) == (1.0, 1)
    assert (tmp_path / "log.txt").read_text() == "x"
    program.run()
    assert (tmp_path / "log.txt").read_text() == "xx"


def test_what_cannot_be_read_is_told(tmp_path):
    program = written(tmp_path, 'let x: [f64; n] = std::io::load_npy("no.npy");')
    with pytest.raises(weft.Error) as told:
        program.run()
    assert "E1105" in str(told.value) and "no.npy" in str(told.value)
