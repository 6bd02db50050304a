#!/usr/bin/env python3
"""Rebuilds examples/data/digits_*.npy from scikit-learn's wheel.

    pip download scikit-learn==1.9.1 --no-deps
    scripts/digits_data.py scikit_learn-1.9.1-*.whl [examples/data]

Needs only Python: the `.npy` header is written here, byte for byte as NumPy writes it.
"""

import gzip
import struct
import sys
import zipfile
from pathlib import Path

MEMBER = "sklearn/datasets/data/digits.csv.gz"
SIDE = 8


def read_rows(wheel):
    """One row per image: 64 grey values 0..16, then the digit."""
    with zipfile.ZipFile(wheel) as archive:
        text = gzip.decompress(archive.read(MEMBER)).decode("ascii")
    # The file writes whole numbers as floats: `5.000000000000000000e+00`.
    return [[int(float(field)) for field in line.split(",")] for line in text.splitlines()]


def write_npy(path, shape, values):
    """A C-ordered array of little-endian 32-bit integers, format version 1.0."""
    header = "{'descr': '<i4', 'fortran_order': False, 'shape': %r, }" % (shape,)
    # Magic, version, header length and header together fill whole blocks of 64 bytes.
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode("ascii"))
        out.write(struct.pack("<%di" % len(values), *values))


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.strip())
    folder = Path(sys.argv[2] if len(sys.argv) == 3 else "examples/data")
    rows = read_rows(sys.argv[1])
    if len(rows) != 1797 or any(len(row) != SIDE * SIDE + 1 for row in rows):
        sys.exit("unexpected contents: %d rows" % len(rows))
    pixels = [value for row in rows for value in row[:-1]]
    labels = [row[-1] for row in rows]
    if not (set(pixels) <= set(range(17)) and set(labels) == set(range(10))):
        sys.exit("unexpected values: grey values are 0..16 and digits 0..9")
    folder.mkdir(parents=True, exist_ok=True)
    write_npy(folder / "digits_images.npy", (len(rows), SIDE, SIDE), pixels)
    write_npy(folder / "digits_labels.npy", (len(rows),), labels)


if __name__ == "__main__":
    main()
