"""Writes the damaged files that the cases beside this folder read."""

import json
import struct
import zlib

import numpy as np

np.save("grid.npy", np.arange(6, dtype=np.float64).reshape(2, 3))
np.savez("pair.npz", a=np.arange(3, dtype=np.int32))


def npy(shape, numbers=b""):
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(text)) + text + numbers


def put(name, data):
    with open(name, "wb") as f:
        f.write(data)


put("huge.npy", npy("(1152921504606846976,)"))
put("endless.npy", npy("(1152921504606846976, 1152921504606846976, 3)"))
put("short.npy", npy("(4,)", b"\0" * 16))


def safetensors(header, numbers=b"", length=None):
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + numbers


entry = {"dtype": "F64", "shape": [2**60], "data_offsets": [0, 2**63]}
put("huge.safetensors", safetensors({"w": entry}))
put("long.safetensors", safetensors({}, length=2**62))
entry = {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}
put("overlap.safetensors", safetensors({"w": entry}, b"\0" * 8))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, body):
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


put("huge.png", png(2**31 - 1, 2**31 - 1, zlib.compress(b"\0")))
put("short.png", png(4, 4, zlib.compress(b"\0\1\2\3\4")))
put("huge.pgm", b"P5 1000000 1000000 255\n\0\0")
put("bright.pgm", b"P2 2 1 9 3 10 ")
put("word.csv", b"1,2\n3,four\n")
put("ragged.csv", b"1,2\n3\n")
put("bytes.txt", b"ok \xff")
