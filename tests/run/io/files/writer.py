"""Writes the files that the cases beside this folder read: with NumPy, safetensors and Pillow."""

import struct

import numpy as np
from PIL import Image
from safetensors.numpy import save_file

grid = np.arange(6, dtype=np.float64).reshape(2, 3) / 2
np.save("grid.npy", grid)
np.save("columns.npy", np.asfortranarray(grid.astype(">i2")))
np.save("single.npy", np.float32(2.5))
np.savez("pair.npz", a=np.arange(3, dtype=np.int32), b=grid)
np.savez_compressed("packed.npz", zeros=np.zeros((4, 250), np.float32), one=np.ones(1))
save_file(
    {
        "weight": grid.astype(np.float32),
        "half": np.array([0.5, -2.0], np.float16),
        "mask": np.array([True, False, True]),
        "step": np.array(7, np.int64),
    },
    "model.safetensors",
    {"format": "np"},
)
grey = np.array([[0, 128, 255], [1, 2, 3]], np.uint8)
Image.fromarray(grey).save("grey.png")
Image.fromarray(np.stack([grey, 255 - grey, grey // 2], axis=2)).save("colour.png")
Image.fromarray(np.stack([grey, 255 - grey], axis=2), "LA").save("soft.png")
Image.fromarray(np.array([[0, 258, 65535]], np.uint16)).save("deep.png")
Image.fromarray(np.array([[0, 1], [1, 0]], np.uint8) * 255).convert("P").save("palette.png")
with open("plain.pgm", "w") as f:
    f.write("P2 # digits\n3 2\n# white\n15\n0 7 15\n1 2 3\n")
with open("deep.pgm", "wb") as f:
    f.write(b"P5 2 1 1000\n" + struct.pack(">HH", 1000, 258))
with open("table.csv", "w") as f:
    f.write("time, height\nin s, in m\n0.0, 1.5\n0.1,\"-2e3\"\n\n0.2, 0.1\n")
with open("semicolon.csv", "w") as f:
    f.write("1;2;3\r\n4;5;6\r\n")
with open("words.txt", "w") as f:
    f.write("grüße\nzwei\n")
