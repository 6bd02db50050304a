"""How each tool runs a function of the inputs: what is prepared, and what is timed."""


def numpy_result(function):
    """NumPy, as it stands."""
    return lambda inputs: lambda: function(inputs)


def numba_compiled(function, *names, parallel=False):
    """A loop that numba compiles; with `parallel`, what says `prange` runs on its threads."""

    def prepare(inputs):
        import numba

        compiled = numba.njit(fastmath=True, error_model="numpy", parallel=parallel)(function)
        arguments = [inputs[n] for n in names]
        return lambda: compiled(*arguments)

    return prepare


def jitted(function):
    """JAX, compiled, on arrays that it has already."""

    def prepare(inputs):
        import jax

        jax.config.update("jax_enable_x64", True)
        arrays = {k: jax.numpy.asarray(v) for k, v in inputs.items()}
        compiled = jax.jit(function)
        return lambda: compiled(arrays).block_until_ready()

    return prepare


def torch_eager(function):
    """PyTorch, without its compiler."""

    def prepare(inputs):
        import torch

        arrays = {k: torch.from_numpy(v) for k, v in inputs.items()}
        return lambda: function(arrays)

    return prepare


def torch_compiled(function):
    """PyTorch with `torch.compile`."""

    def prepare(inputs):
        import torch

        arrays = {k: torch.from_numpy(v) for k, v in inputs.items()}
        compiled = torch.compile(function)
        return lambda: compiled(arrays)

    return prepare
