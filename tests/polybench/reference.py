"""Reference values of the PolyBench/C 4.2.1 kernels, in place and in the order of the C programs.

    python3 reference.py > reference.txt        (needs NumPy; about a minute)
    python3 reference.py DIR NAME SIZE DATA     compares DIR/*.npy with one run, entry by entry

Independent of the definitions beside it: those assign every cell once and state no order.
A line of the output is one array of one run:

    NAME SIZE DATA ARRAY SHAPE largest SUM WEIGHTED FLAT:ENTRY ...

DATA 0 is the kernel's own, 1 has no structure. WEIGHTED is the sum of entry n times
((n * 7919) % 1013 - 506) / 506. Entries are samples by flat position.
"""

import sys
import numpy as np

SIZES = {
    "gemm": ("NI NJ NK", (20, 25, 30), (60, 70, 80)),
    "gemver": ("N", (40,), (120,)),
    "gesummv": ("N", (30,), (90,)),
    "symm": ("M N", (20, 30), (60, 80)),
    "syrk": ("M N", (20, 30), (60, 80)),
    "syr2k": ("M N", (20, 30), (60, 80)),
    "trmm": ("M N", (20, 30), (60, 80)),
    "2mm": ("NI NJ NK NL", (16, 18, 22, 24), (40, 50, 70, 80)),
    "3mm": ("NI NJ NK NL NM", (16, 18, 20, 22, 24), (40, 50, 60, 70, 80)),
    "atax": ("M N", (38, 42), (116, 124)),
    "bicg": ("M N", (38, 42), (116, 124)),
    "doitgen": ("NQ NR NP", (8, 10, 12), (20, 25, 30)),
    "mvt": ("N", (40,), (120,)),
    "cholesky": ("N", (40,), (120,)),
    "durbin": ("N", (40,), (120,)),
    "gramschmidt": ("M N", (20, 30), (60, 80)),
    "lu": ("N", (40,), (120,)),
    "ludcmp": ("N", (40,), (120,)),
    "trisolv": ("N", (40,), (120,)),
    "correlation": ("M N", (28, 32), (80, 100)),
    "covariance": ("M N", (28, 32), (80, 100)),
    "deriche": ("W H", (64, 64), (192, 128)),
    "floyd-warshall": ("N", (60,), (180,)),
    "nussinov": ("N", (60,), (180,)),
    "adi": ("T N", (20, 20), (40, 60)),
    "fdtd-2d": ("T NX NY", (20, 20, 30), (40, 60, 80)),
    "heat-3d": ("T N", (20, 10), (40, 20)),
    "jacobi-1d": ("T N", (20, 30), (40, 120)),
    "jacobi-2d": ("T N", (20, 30), (40, 90)),
    "seidel-2d": ("T N", (20, 40), (40, 120)),
}

ALPHA, BETA = 1.5, 1.2


def noise(i, j, s):
    return ((i * 7919 + j * 7127 + i * j * 31 + (i + 3) * (i + 5) * 13 + s * 4391) % 1009) / 1009.0


def table(seed, own, s, *shape, at=lambda *i: i):
    """An array by the kernel's formula, or without structure."""
    index = np.indices(shape, dtype=np.int64)
    if seed == 0:
        return np.asarray(own(*index), dtype=np.float64) * np.ones(shape)
    i, j = at(*index) if len(shape) > 1 else (index[0], s[1])
    return noise(i, j, s[0] if isinstance(s, tuple) else s)


def gemm(seed, NI, NJ, NK):
    C = table(seed, lambda i, j: (i * j + 1) % NI / NI, 1, NI, NJ)
    A = table(seed, lambda i, k: i * (k + 1) % NK / NK, 2, NI, NK)
    B = table(seed, lambda k, j: k * (j + 2) % NJ / NJ, 3, NK, NJ)
    C *= BETA
    for k in range(NK):
        C += ALPHA * np.outer(A[:, k], B[k])
    return {"C": C}


def gemver(seed, N):
    u1 = table(seed, lambda i: i, (1, 0), N)
    u2 = table(seed, lambda i: (i + 1) / N / 2, (1, 1), N)
    v1 = table(seed, lambda i: (i + 1) / N / 4, (1, 2), N)
    v2 = table(seed, lambda i: (i + 1) / N / 6, (1, 3), N)
    y = table(seed, lambda i: (i + 1) / N / 8, (1, 4), N)
    z = table(seed, lambda i: (i + 1) / N / 9, (1, 5), N)
    A = table(seed, lambda i, j: i * j % N / N, 2, N, N)
    x, w = np.zeros(N), np.zeros(N)
    for i in range(N):
        for j in range(N):
            A[i, j] = A[i, j] + u1[i] * v1[j] + u2[i] * v2[j]
    for i in range(N):
        for j in range(N):
            x[i] += BETA * A[j, i] * y[j]
    x += z
    for i in range(N):
        for j in range(N):
            w[i] += ALPHA * A[i, j] * x[j]
    return {"A": A, "x": x, "w": w}


def gesummv(seed, N):
    x = table(seed, lambda i: i % N / N, (1, 0), N)
    A = table(seed, lambda i, j: (i * j + 1) % N / N, 2, N, N)
    B = table(seed, lambda i, j: (i * j + 2) % N / N, 3, N, N)
    y = np.zeros(N)
    for i in range(N):
        tmp = 0.0
        for j in range(N):
            tmp += A[i, j] * x[j]
            y[i] += B[i, j] * x[j]
        y[i] = ALPHA * tmp + BETA * y[i]
    return {"y": y}


def symm(seed, M, N):
    C = table(seed, lambda i, j: (i + j) % 100 / M, 1, M, N)
    B = table(seed, lambda i, j: (N + i - j) % 100 / M, 2, M, N)
    A = np.tril(table(seed, lambda i, j: (i + j) % 100 / M, 3, M, M)) + np.triu(np.full((M, M), -999.0), 1)
    for i in range(M):
        temp = np.zeros(N)
        for k in range(i):
            C[k] += ALPHA * B[i] * A[i, k]
            temp += B[k] * A[i, k]
        C[i] = BETA * C[i] + ALPHA * B[i] * A[i, i] + ALPHA * temp
    return {"C": C}


def syrk(seed, M, N):
    A = table(seed, lambda i, j: (i * j + 1) % N / N, 1, N, M)
    C = table(seed, lambda i, j: (i * j + 2) % M / M, 2, N, N)
    for i in range(N):
        C[i, : i + 1] *= BETA
        for k in range(M):
            C[i, : i + 1] += ALPHA * A[i, k] * A[: i + 1, k]
    return {"C": C}


def syr2k(seed, M, N):
    A = table(seed, lambda i, j: (i * j + 1) % N / N, 1, N, M)
    B = table(seed, lambda i, j: (i * j + 2) % M / M, 2, N, M)
    C = table(seed, lambda i, j: (i * j + 3) % N / M, 3, N, N)
    for i in range(N):
        C[i, : i + 1] *= BETA
        for k in range(M):
            C[i, : i + 1] += A[: i + 1, k] * ALPHA * B[i, k] + B[: i + 1, k] * ALPHA * A[i, k]
    return {"C": C}


def trmm(seed, M, N):
    A = table(seed, lambda i, j: (i + j) % M / M, 1, M, M)
    B = table(seed, lambda i, j: (N + i - j) % N / N, 2, M, N)
    for i in range(M):
        for k in range(i + 1, M):
            B[i] += A[k, i] * B[k]
        B[i] *= ALPHA
    return {"B": B}


def two_mm(seed, NI, NJ, NK, NL):
    A = table(seed, lambda i, j: (i * j + 1) % NI / NI, 1, NI, NK)
    B = table(seed, lambda i, j: i * (j + 1) % NJ / NJ, 2, NK, NJ)
    C = table(seed, lambda i, j: (i * (j + 3) + 1) % NL / NL, 3, NJ, NL)
    D = table(seed, lambda i, j: i * (j + 2) % NK / NK, 4, NI, NL)
    tmp = np.zeros((NI, NJ))
    for k in range(NK):
        tmp += ALPHA * np.outer(A[:, k], B[k])
    D *= BETA
    for k in range(NJ):
        D += np.outer(tmp[:, k], C[k])
    return {"D": D}


def three_mm(seed, NI, NJ, NK, NL, NM):
    A = table(seed, lambda i, j: (i * j + 1) % NI / (5 * NI), 1, NI, NK)
    B = table(seed, lambda i, j: (i * (j + 1) + 2) % NJ / (5 * NJ), 2, NK, NJ)
    C = table(seed, lambda i, j: i * (j + 3) % NL / (5 * NL), 3, NJ, NM)
    D = table(seed, lambda i, j: (i * (j + 2) + 2) % NK / (5 * NK), 4, NM, NL)

    def product(X, Y):
        Z = np.zeros((X.shape[0], Y.shape[1]))
        for k in range(X.shape[1]):
            Z += np.outer(X[:, k], Y[k])
        return Z

    return {"G": product(product(A, B), product(C, D))}


def atax(seed, M, N):
    x = table(seed, lambda i: 1 + i / N, (1, 0), N)
    A = table(seed, lambda i, j: (i + j) % N / (5 * M), 2, M, N)
    y = np.zeros(N)
    for i in range(M):
        tmp = 0.0
        for j in range(N):
            tmp += A[i, j] * x[j]
        y += A[i] * tmp
    return {"y": y}


def bicg(seed, M, N):
    p = table(seed, lambda i: i % M / M, (1, 0), M)
    r = table(seed, lambda i: i % N / N, (1, 1), N)
    A = table(seed, lambda i, j: i * (j + 1) % N / N, 2, N, M)
    s, q = np.zeros(M), np.zeros(N)
    for i in range(N):
        for j in range(M):
            s[j] += r[i] * A[i, j]
            q[i] += A[i, j] * p[j]
    return {"s": s, "q": q}


def doitgen(seed, NQ, NR, NP):
    A = table(seed, lambda r, q, p: (r * q + p) % NP / NP, 1, NR, NQ, NP, at=lambda r, q, p: (r * 5 + p, q))
    C4 = table(seed, lambda i, j: i * j % NP / NP, 2, NP, NP)
    for r in range(NR):
        for q in range(NQ):
            total = np.zeros(NP)
            for s in range(NP):
                total += A[r, q, s] * C4[s]
            A[r, q] = total
    return {"A": A}


def mvt(seed, N):
    x1 = table(seed, lambda i: i % N / N, (1, 0), N)
    x2 = table(seed, lambda i: (i + 1) % N / N, (1, 1), N)
    y1 = table(seed, lambda i: (i + 3) % N / N, (1, 2), N)
    y2 = table(seed, lambda i: (i + 4) % N / N, (1, 3), N)
    A = table(seed, lambda i, j: i * j % N / N, 2, N, N)
    for i in range(N):
        for j in range(N):
            x1[i] += A[i, j] * y1[j]
    for i in range(N):
        for j in range(N):
            x2[i] += A[j, i] * y2[j]
    return {"x1": x1, "x2": x2}


def positive_definite(seed, N):
    T = table(seed, lambda i, j: -j / N + 1, 1, N, N) / (1 if seed == 0 else N)
    T = np.tril(T, -1) + np.eye(N)
    A = np.zeros((N, N))
    for t in range(N):
        A += np.outer(T[:, t], T[:, t])
    return A


def cholesky(seed, N):
    A = positive_definite(seed, N)
    for i in range(N):
        for j in range(i):
            for k in range(j):
                A[i, j] -= A[i, k] * A[j, k]
            A[i, j] /= A[j, j]
        for k in range(i):
            A[i, i] -= A[i, k] * A[i, k]
        A[i, i] = np.sqrt(A[i, i])
    return {"L": np.tril(A)}


def factored(A):
    N = len(A)
    for i in range(N):
        for j in range(i):
            for k in range(j):
                A[i, j] -= A[i, k] * A[k, j]
            A[i, j] /= A[j, j]
        for k in range(i):
            A[i, i:] -= A[i, k] * A[k, i:]
    return A


def lu(seed, N):
    return {"F": factored(positive_definite(seed, N))}


def ludcmp(seed, N):
    b = table(seed, lambda i: (i + 1) / N / 2 + 4, (2, 0), N)
    A = factored(positive_definite(seed, N))
    x, y = np.zeros(N), np.zeros(N)
    for i in range(N):
        w = b[i]
        for j in range(i):
            w -= A[i, j] * y[j]
        y[i] = w
    for i in reversed(range(N)):
        w = y[i]
        for j in range(i + 1, N):
            w -= A[i, j] * x[j]
        x[i] = w / A[i, i]
    return {"y": y, "x": x}


def trisolv(seed, N):
    b = table(seed, lambda i: i, (1, 0), N)
    if seed == 0:
        L = table(0, lambda i, j: (i + N - j + 1) * 2 / N, 0, N, N)
    else:
        L = np.where(np.eye(N) == 1, 2.0, table(seed, None, 2, N, N) / N)
    x = np.full(N, -999.0)
    for i in range(N):
        x[i] = b[i]
        for j in range(i):
            x[i] -= L[i, j] * x[j]
        x[i] /= L[i, i]
    return {"x": x}


def durbin(seed, N):
    i = np.arange(N)
    r = (N + 1 - i).astype(float) if seed == 0 else (noise(i, 0, 1) - 0.5) / (i + 1)
    y, z = np.zeros(N), np.zeros(N)
    y[0] = -r[0]
    beta, alpha = 1.0, -r[0]
    for k in range(1, N):
        beta = (1 - alpha * alpha) * beta
        total = 0.0
        for i in range(k):
            total += r[k - i - 1] * y[i]
        alpha = -(r[k] + total) / beta
        for i in range(k):
            z[i] = y[i] + alpha * y[k - i - 1]
        y[:k] = z[:k]
        y[k] = alpha
    return {"y": y}


def gramschmidt(seed, M, N):
    A = table(seed, lambda i, j: i * j % M / M * 100 + 10, 1, M, N)
    Q, R = np.zeros((M, N)), np.zeros((N, N))
    for k in range(N):
        total = 0.0
        for i in range(M):
            total += A[i, k] * A[i, k]
        R[k, k] = np.sqrt(total)
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, N):
            for i in range(M):
                R[k, j] += Q[i, k] * A[i, j]
            A[:, j] -= Q[:, k] * R[k, j]
    # Columns behind the first that depends on those before it are noise divided by noise.
    sound = next((k for k in range(N) if R[k, k] < 1e-8 * R[0, 0]), N)
    return {"Q": Q[:, :sound], "R": R[:sound, :sound]}


def correlation(seed, M, N):
    data = table(seed, lambda i, j: i * j / M + i, 1, N, M)
    mean, stddev = np.zeros(M), np.zeros(M)
    for i in range(N):
        mean += data[i]
    mean /= N
    for i in range(N):
        stddev += (data[i] - mean) * (data[i] - mean)
    stddev = np.sqrt(stddev / N)
    stddev[stddev <= 0.1] = 1.0
    data = (data - mean) / (np.sqrt(N) * stddev)
    corr = np.eye(M)
    for i in range(M - 1):
        for j in range(i + 1, M):
            corr[i, j] = 0.0
            for k in range(N):
                corr[i, j] += data[k, i] * data[k, j]
            corr[j, i] = corr[i, j]
    return {"corr": corr}


def covariance(seed, M, N):
    data = table(seed, lambda i, j: i * j / M, 1, N, M)
    mean = np.zeros(M)
    for i in range(N):
        mean += data[i]
    data = data - mean / N
    cov = np.zeros((M, M))
    for i in range(M):
        for j in range(i, M):
            for k in range(N):
                cov[i, j] += data[k, i] * data[k, j]
            cov[i, j] /= N - 1
            cov[j, i] = cov[i, j]
    return {"cov": cov}


def deriche(seed, W, H):
    f = np.float32
    if seed == 0:
        img = table(0, lambda i, j: (313 * i + 991 * j) % 65536, 0, W, H).astype(f) / f(65535)
    else:
        img = table(seed, None, 1, W, H).astype(f)
    alpha = f(0.25)
    k = (f(1) - np.exp(-alpha)) * (f(1) - np.exp(-alpha))
    k = k / (f(1) + f(2) * alpha * np.exp(-alpha) - np.exp(f(2) * alpha))
    a1, a2 = k, k * np.exp(-alpha) * (alpha - f(1))
    a3, a4 = k * np.exp(-alpha) * (alpha + f(1)), -k * np.exp(f(-2) * alpha)
    b1, b2 = f(2.0**-0.25), -np.exp(f(-2) * alpha)

    def sweep(x):
        """Along the first axis, forwards and backwards."""
        n, zero = len(x), np.zeros(x.shape[1], f)
        y1, y2 = np.zeros_like(x), np.zeros_like(x)
        ym1, ym2, xm1 = zero, zero, zero
        for i in range(n):
            y1[i] = a1 * x[i] + a2 * xm1 + b1 * ym1 + b2 * ym2
            xm1, ym2, ym1 = x[i], ym1, y1[i]
        yp1, yp2, xp1, xp2 = zero, zero, zero, zero
        for i in reversed(range(n)):
            y2[i] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2
            xp2, xp1, yp2, yp1 = xp1, x[i], yp1, y2[i]
        return y1 + y2

    return {"out": sweep(np.ascontiguousarray(sweep(np.ascontiguousarray(img.T)).T))}


def floyd_warshall(seed, N):
    i, j = np.indices((N, N))
    if seed == 0:
        path = np.where(((i + j) % 13 == 0) | ((i + j) % 7 == 0) | ((i + j) % 11 == 0), 999, i * j % 7 + 1)
    else:
        path = (noise(i, j, 1) * 1000).astype(np.int64) + 1
    for k in range(N):
        path = np.minimum(path, path[:, k : k + 1] + path[k : k + 1])
    return {"path": path}


def nussinov(seed, N):
    i = np.arange(N)
    base = (i + 1) % 4 if seed == 0 else (noise(i, 0, 1) * 4).astype(np.int64)
    t = np.zeros((N, N), np.int64)
    for i in reversed(range(N)):
        for j in range(i + 1, N):
            t[i, j] = max(t[i, j], t[i, j - 1])
            if i + 1 < N:
                t[i, j] = max(t[i, j], t[i + 1, j])
                match = int(base[i] + base[j] == 3) if i < j - 1 else 0
                t[i, j] = max(t[i, j], t[i + 1, j - 1] + match)
            for k in range(i + 1, j):
                t[i, j] = max(t[i, j], t[i, k] + t[k + 1, j])
    return {"t": t}


def adi(seed, T, N):
    u = table(seed, lambda i, j: (i + N - j) / N, 1, N, N)
    v, p, q = np.zeros((N, N)), np.zeros((N, N)), np.zeros((N, N))
    dx, dy, dt = 1.0 / N, 1.0 / N, 1.0 / T
    mul1, mul2 = 2.0 * dt / (dx * dx), 1.0 * dt / (dy * dy)
    a = -mul1 / 2
    b, c = 1 + mul1, a
    d = -mul2 / 2
    e, f = 1 + mul2, d
    for _ in range(T):
        for i in range(1, N - 1):
            v[0, i], p[i, 0] = 1.0, 0.0
            q[i, 0] = v[0, i]
            for j in range(1, N - 1):
                p[i, j] = -c / (a * p[i, j - 1] + b)
                q[i, j] = -d * u[j, i - 1] + (1 + 2 * d) * u[j, i] - f * u[j, i + 1] - a * q[i, j - 1]
                q[i, j] /= a * p[i, j - 1] + b
            v[N - 1, i] = 1.0
            for j in reversed(range(1, N - 1)):
                v[j, i] = p[i, j] * v[j + 1, i] + q[i, j]
        for i in range(1, N - 1):
            u[i, 0], p[i, 0] = 1.0, 0.0
            q[i, 0] = u[i, 0]
            for j in range(1, N - 1):
                p[i, j] = -f / (d * p[i, j - 1] + e)
                q[i, j] = -a * v[i - 1, j] + (1 + 2 * a) * v[i, j] - c * v[i + 1, j] - d * q[i, j - 1]
                q[i, j] /= d * p[i, j - 1] + e
            u[i, N - 1] = 1.0
            for j in reversed(range(1, N - 1)):
                u[i, j] = p[i, j] * u[i, j + 1] + q[i, j]
    return {"result": u}


def fdtd_2d(seed, T, NX, NY):
    ex = table(seed, lambda i, j: i * (j + 1) / NX, 1, NX, NY)
    ey = table(seed, lambda i, j: i * (j + 2) / NY, 2, NX, NY)
    hz = table(seed, lambda i, j: i * (j + 3) / NX, 3, NX, NY)
    for t in range(T):
        ey[0] = t
        ey[1:] -= 0.5 * (hz[1:] - hz[:-1])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return {"ex_end": ex, "ey_end": ey, "hz_end": hz}


def heat_3d(seed, T, N):
    A = table(seed, lambda i, j, k: (i + j + (N - k)) * 10 / N, 1, N, N, N, at=lambda i, j, k: (i * 11 + j, k))
    B = A.copy()
    c = slice(1, -1)

    def step(X, Y):
        def second(axis):
            up, down = [c] * 3, [c] * 3
            up[axis], down[axis] = slice(2, None), slice(None, -2)
            return X[tuple(up)] - 2.0 * X[c, c, c] + X[tuple(down)]

        Y[c, c, c] = 0.125 * second(0) + 0.125 * second(1) + 0.125 * second(2) + X[c, c, c]

    for _ in range(T):
        step(A, B)
        step(B, A)
    return {"end": A}


def jacobi_1d(seed, T, N):
    A = table(seed, lambda i: (i + 2) / N, (1, 0), N)
    B = table(seed, lambda i: (i + 3) / N, (1, 1), N)
    for _ in range(T):
        B[1:-1] = 0.33333 * (A[:-2] + A[1:-1] + A[2:])
        A[1:-1] = 0.33333 * (B[:-2] + B[1:-1] + B[2:])
    return {"A_end": A, "B_end": B}


def jacobi_2d(seed, T, N):
    A = table(seed, lambda i, j: (i * (j + 2) + 2) / N, 1, N, N)
    B = table(seed, lambda i, j: (i * (j + 3) + 3) / N, 2, N, N)
    c = slice(1, -1)

    def step(X, Y):
        Y[c, c] = 0.2 * (X[c, c] + X[c, :-2] + X[c, 2:] + X[2:, c] + X[:-2, c])

    for _ in range(T):
        step(A, B)
        step(B, A)
    return {"A_end": A, "B_end": B}


def seidel_2d(seed, T, N):
    A = table(seed, lambda i, j: (i * (j + 2) + 2) / N, 1, N, N).tolist()
    for _ in range(T):
        for i in range(1, N - 1):
            up, row, down = A[i - 1], A[i], A[i + 1]
            for j in range(1, N - 1):
                above = up[j - 1] + up[j] + up[j + 1]
                row[j] = (above + row[j - 1] + row[j] + row[j + 1] + down[j - 1] + down[j] + down[j + 1]) / 9.0
    return {"end": np.array(A)}


def run(name, size, seed):
    function = {"2mm": two_mm, "3mm": three_mm}.get(name) or globals()[name.replace("-", "_")]
    return function(seed, *SIZES[name][1 + size])


def line(name, size, seed, key, a):
    flat = a.astype(np.float64).ravel()
    n = np.arange(flat.size, dtype=np.int64)
    weights = ((n * 7919) % 1013 - 506) / 506
    samples = sorted({int(x) for x in np.linspace(0, flat.size - 1, 11)} | {int(np.abs(flat).argmax())})
    shape = "x".join(str(d) for d in a.shape)
    numbers = [np.abs(flat).max(), flat.sum(), (flat * weights).sum()]
    text = " ".join(repr(float(x)) for x in numbers)
    entries = " ".join(f"{s}:{float(flat[s])!r}" for s in samples)
    return f"{name} {('MINI', 'SMALL')[size]} {seed} {key} {shape} {text} {entries}"


def compare(folder, name, size, seed):
    for key, want in run(name, size, seed).items():
        got = np.load(f"{folder}/{key}.npy")[tuple(slice(0, d) for d in want.shape)]
        print(name, size, seed, key, np.abs(got - want).max() / np.abs(want).max())


if __name__ == "__main__":
    if len(sys.argv) > 1:
        compare(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        print("# Written by reference.py, which says what the fields are.")
        for name in sorted(SIZES):
            names, mini, small = SIZES[name]
            for size, values in enumerate((mini, small)):
                pairs = " ".join(f"{n}={v}" for n, v in zip(names.split(), values))
                print(f"size {name} {('MINI', 'SMALL')[size]} {pairs}")
                for seed in (0, 1):
                    for key, a in run(name, size, seed).items():
                        print(line(name, size, seed, key, a))
