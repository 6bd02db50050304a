#include <stddef.h>

void ema(const void **in, void *out) {
    const double *restrict x = in[0];
    double *restrict y = out;
    double s = y[0] = x[0];
    for (size_t t = 1; t < N; t++) {
        s = 0.9 * s + 0.1 * x[t];
        y[t] = s;
    }
}

void tracking(const void **in, void *out) {
    const double *restrict x = in[0];
    double s = x[0], error = 0;
    for (size_t t = 1; t < N; t++) {
        s = 0.9 * s + 0.1 * x[t];
        error += (s - x[t]) * (s - x[t]);
    }
    *(double *)out = error;
}

void state_space(const void **in, void *out) {
    const double *restrict A = in[0], *restrict b = in[1];
    double *restrict y = out;
    double u = y[0] = b[0], v = y[1] = b[1];
    for (size_t t = 1; t < N; t++) {
        double w = A[0] * u + A[1] * v + b[2 * t];
        v = A[2] * u + A[3] * v + b[2 * t + 1];
        u = w;
        y[2 * t] = u;
        y[2 * t + 1] = v;
    }
}
