#!/usr/bin/env python3
"""examples/digits.ein once more, in NumPy and f64: prints what it should print.

    scripts/check_digits.py        # needs NumPy
"""

from pathlib import Path

import numpy as np

data = Path(__file__).parent.parent / "examples/data"
images = np.load(data / "digits_images.npy").astype(np.float64).reshape(-1, 64)
labels = np.load(data / "digits_labels.npy")

number = np.arange(len(images))
tests = number % 18 < 5
trains = ~tests
assert tests.sum() == 500

spread = images[trains].std(axis=0)
x = (images - images[trains].mean(axis=0)) / np.where(spread > 0, spread, 1)

weights, biases = np.zeros((64, 10)), np.zeros(10)
right = np.eye(10)[labels]
losses = []
for step in range(221):
    scores = x @ weights + biases
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances = odds / odds.sum(axis=1, keepdims=True)
    if step % 20 == 0:
        losses.append(-np.log(chances[trains, labels[trains]]).mean())
    if step < 220:
        slope = (chances - right)[trains] / trains.sum()
        weights -= 0.5 * x[trains].T @ slope
        biases -= 0.5 * slope.sum(axis=0)

guess = scores.argmax(axis=1)
print(np.array2string(np.array(losses), precision=4, max_line_width=200))
print("accuracy %.4f" % (guess == labels)[tests].mean())
print("taken for", guess[[0, 18, 36, 54]])
