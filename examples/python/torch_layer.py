"""A program as a function of PyTorch: values forward, its derivatives backward."""

import torch

import weft

SOURCE = """
use std::math::tanh;
input w: [f64; n];
input x: [f64; m, n];
let y[i] = tanh(sum[j](x[i, j] * w[j]));
"""

forward = weft.compile(SOURCE)
# What flows back: the derivative of sum(g * y) for the gradient g of what comes behind.
backward = weft.compile(
    SOURCE + "input g: [f64; m]; let back = sum[i](g[i] * y[i]);"
).grad("back", ["w", "x"])


class Layer(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, x):
        ctx.save_for_backward(w, x)
        return torch.from_dlpack(forward(w=w.detach(), x=x.detach()).array("y"))

    @staticmethod
    def backward(ctx, g):
        w, x = ctx.saved_tensors
        out = backward(w=w.detach(), x=x.detach(), g=g.contiguous())
        out.compute("d_back_d_w", "d_back_d_x")
        return tuple(torch.from_dlpack(out.array(name)) for name in ("d_back_d_w", "d_back_d_x"))


torch.manual_seed(0)
w = torch.randn(3, dtype=torch.float64, requires_grad=True)
x = torch.randn(5, 3, dtype=torch.float64, requires_grad=True)
assert torch.autograd.gradcheck(Layer.apply, (w, x))
print(Layer.apply(w, x).sum().item())
