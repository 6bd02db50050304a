"""Matrix products of every kind, and convolutions."""

import numpy as np

from peers import jitted, numpy_result, torch_compiled, torch_eager
from workload import C, Workload


def normal(**shapes):
    def make():
        rng = np.random.default_rng(7)
        return {k: rng.standard_normal(s, dtype=np.float32) for k, s in shapes.items()}

    return make


def wide(arrays):
    return {k: v.astype(np.float64) if hasattr(v, "astype") else v for k, v in arrays.items()}


def einsum(spec, *names):
    return lambda a: np.einsum(spec, *[wide(a)[n] for n in names], optimize=True)


def matmul(n, name="matmul", **more):
    return Workload(
        name=f"{name} {n}",
        program="matmul.ein",
        output="C",
        dtype="f32",
        inputs=normal(A=(n, n), B=(n, n)),
        reference=einsum("ik,kj->ij", "A", "B"),
        peers={
            "numpy": numpy_result(lambda a: a["A"] @ a["B"]),
            "jax": jitted(lambda a: a["A"] @ a["B"]),
            "torch": torch_eager(lambda a: a["A"] @ a["B"]),
        },
        **more,
    )


def contraction(name, program, shapes, spec, names, goals, numpy=None, **more):
    """As a matrix product, with NumPy's `einsum` unless there is something better."""
    numpy = numpy or (lambda a: np.einsum(spec, *[a[n] for n in names], optimize=True))
    return Workload(
        name=name,
        program=program,
        output="C",
        dtype="f32",
        inputs=normal(**shapes),
        reference=einsum(spec, *names),
        peers={"numpy": numpy_result(numpy), **more.pop("peers", {})},
        goals=goals,
        **more,
    )


def relu_bias(np_like, a):
    return np_like.maximum(a["A"] @ a["B"] + a["v"], 0)


def torch_conv(groups):
    def run(a):
        from torch.nn.functional import conv2d

        w = a["W"] if groups == 1 else a["W"][:, None]
        return conv2d(a["X"], w, groups=groups)

    return run


def reference_conv(a):
    windows = np.lib.stride_tricks.sliding_window_view(wide(a)["X"], (3, 3), axis=(2, 3))
    return np.einsum("bcyxij,ocij->boyx", windows, wide(a)["W"], optimize=True)


def reference_depthwise(a):
    windows = np.lib.stride_tricks.sliding_window_view(wide(a)["X"], (3, 3), axis=(2, 3))
    return np.einsum("bcyxij,cij->bcyx", windows, wide(a)["W"])


RATE = {"rate of matmul 512": 0.7}

WORKLOADS = [
    matmul(128, goals={"numpy": 0.6}),
    matmul(512, goals={"numpy": 0.8}),
    matmul(1024, goals={"numpy": 0.8, "scaling": 1.8}, threads=(1, 2)),
    matmul(1024, name="matmul on AVX2", goals={"numpy": 0.8}, flags=("--cpu", "avx2"),
           environment={"OPENBLAS_CORETYPE": "Haswell", "ONEDNN_MAX_CPU_ISA": "AVX2",
                        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
                        "XLA_FLAGS": "--xla_cpu_max_isa=AVX2"}),
    contraction("matmul transposed 512", "matmul_transposed.ein", {"A": (512, 512), "B": (512, 512)},
                "ki,kj->ij", ["A", "B"], RATE, numpy=lambda a: a["A"].T @ a["B"]),
    contraction("matmul batched 64x128", "matmul_batched.ein", {"A": (64, 128, 128), "B": (64, 128, 128)},
                "bij,bjk->bik", ["A", "B"], RATE, numpy=lambda a: a["A"] @ a["B"]),
    contraction("four-index contraction", "contraction4.ein",
                {"A": (24, 24, 24, 24), "B": (24, 24, 24, 24)},
                "abef,efcd->abcd", ["A", "B"], RATE,
                numpy=lambda a: np.tensordot(a["A"], a["B"], 2)),
    Workload(
        name="matmul bias relu 512",
        program="matmul_bias_relu.ein",
        output="C",
        dtype="f32",
        inputs=normal(A=(512, 512), B=(512, 512), v=(512,)),
        reference=lambda a: relu_bias(np, wide(a)),
        peers={
            "numpy": numpy_result(lambda a: relu_bias(np, a)),
            "jax": jitted(lambda a: relu_bias(__import__("jax").numpy, a)),
        },
        goals=RATE,
    ),
    contraction("matvec 4096", "matvec.ein", {"A": (4096, 4096), "x": (4096,)},
                "ij,j->i", ["A", "x"], {"numpy": 0.95}, numpy=lambda a: a["A"] @ a["x"]),
    contraction("chain bij,bjk,kl->bil", "matmul_chain.ein",
                {"A": (32, 64, 256), "B": (32, 256, 128), "D": (128, 32)},
                "bij,bjk,kl->bil", ["A", "B", "D"], {"torch": 1.0},
                numpy=lambda a: a["A"] @ (a["B"] @ a["D"]),
                peers={"torch": torch_compiled(
                    lambda a: __import__("torch").einsum("bij,bjk,kl->bil", a["A"], a["B"], a["D"]))}),
    Workload(
        name="conv2d 8x64x56x56",
        program="conv2d.ein",
        output="Y",
        dtype="f32",
        inputs=normal(X=(8, 64, 56, 56), W=(64, 64, 3, 3)),
        reference=reference_conv,
        peers={"torch": torch_eager(torch_conv(1))},
        goals={"torch": 0.6},
    ),
    Workload(
        name="depthwise 8x64x56x56",
        program="depthwise.ein",
        output="Y",
        dtype="f32",
        inputs=normal(X=(8, 64, 56, 56), W=(64, 3, 3)),
        reference=reference_depthwise,
        peers={"torch": torch_eager(torch_conv(64))},
        c=C("depthwise.c", "depthwise", lambda a: (8, 64, 54, 54)),
        goals={"torch": 1.0},
    ),
]
