"""C by hand: compiled with `gcc -O3 -march=native -ffast-math`, called through ctypes."""

import ctypes
import subprocess

import numpy as np

from workload import HERE, ROOT

FLAGS = ["-O3", "-march=native", "-ffast-math", "-fPIC", "-shared"]


def compiled(file, defines=None):
    """The library of one source, made where it is missing or older."""
    defines = defines or {}
    tag = "".join(f"-{k}={v}" for k, v in sorted(defines.items()))
    source = HERE / "c" / file
    library = ROOT / "target" / "bench" / f"{source.stem}{tag}.so"
    if not library.exists() or library.stat().st_mtime < source.stat().st_mtime:
        library.parent.mkdir(parents=True, exist_ok=True)
        options = [f"-D{k}={v}" for k, v in defines.items()]
        subprocess.run(["gcc", *FLAGS, *options, source, "-o", library, "-lm"], check=True)
    return ctypes.CDLL(str(library))


def prepare(workload, inputs):
    """What is timed: the function on the inputs, into a result that stays."""
    spec = workload.c
    function = getattr(compiled(spec.file, spec.defines), spec.symbol)
    dtype = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64}[workload.dtype]
    out = np.zeros(spec.shape(inputs), dtype)
    arrays = [np.ascontiguousarray(v) for v in inputs.values() if hasattr(v, "ctypes")]
    pointers = (ctypes.c_void_p * len(arrays))(*[a.ctypes.data for a in arrays])
    target = ctypes.c_void_p(out.ctypes.data)

    def run():
        function(pointers, target)
        return out

    run.keep = arrays
    return run
