"""What type checkers see."""

import subprocess
import sys
import textwrap


def checked(*args):
    told = subprocess.run([sys.executable, "-m", *args], capture_output=True, text=True)
    return told.returncode, told.stdout + told.stderr


def test_stubs_are_what_the_extension_has(tmp_path):
    # Python shows it as another method.
    (tmp_path / "allowed").write_text("weft._weft.Outputs.__getattr__\n")
    allowed = str(tmp_path / "allowed")
    code, told = checked("mypy.stubtest", "weft._weft", "--allowlist", allowed)
    assert code == 0, told


def test_the_package_is_typed():
    code, told = checked("mypy", "--strict", "-p", "weft")
    assert code == 0, told


def test_a_typed_program(tmp_path):
    program = tmp_path / "typed.py"
    program.write_text(
        textwrap.dedent(
            """
            import weft

            def main(path: str) -> float:
                program: weft.Program = weft.load(path, threads=2)
                out = program(x=[1.0])
                try:
                    return float(out.y) + float(out.d("y", "x")[0])
                except weft.ShapeError as e:
                    print(e.code, [p.line for p in e.spans])
                    return 0.0
            """
        )
    )
    code, told = checked("mypy", "--strict", str(program))
    assert code == 0, told
    program.write_text("import weft\nweft.compile(1)\n")
    code, told = checked("mypy", "--strict", str(program))
    assert code == 1 and "incompatible type" in told, told
