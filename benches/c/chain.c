// Five operations on each element, and the same with a sum behind it.
#include <stddef.h>

void chain(const void **in, void *out) {
    const double *restrict x = in[0], *restrict y = in[1];
    double *restrict z = out;
    for (size_t i = 0; i < N; i++)
        z[i] = ((x[i] + y[i]) * x[i] - y[i]) * 0.5 + x[i];
}

void chain_sum(const void **in, void *out) {
    const double *restrict x = in[0], *restrict y = in[1];
    double s = 0;
    for (size_t i = 0; i < N; i++)
        s += ((x[i] + y[i]) * x[i] - y[i]) * 0.5 + x[i];
    *(double *)out = s;
}
