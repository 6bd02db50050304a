// A filter with two states, written out.
#include <stddef.h>

void kalman(const void **in, void *out) {
    const double *restrict z = in[0];
    double *restrict filtered = out;
    double x = 0, v = 0, a = 1, b = 0, c = 1;
    for (size_t t = 0; t < N; t++) {
        if (t > 0) {
            x += v;
            a += 2 * b + c + 0.01;
            b += c;
            c += 0.02;
        }
        double k = a / (a + 0.25), l = b / (a + 0.25), off = z[t] - x;
        x += k * off;
        v += l * off;
        c -= l * b;
        b -= k * b;
        a -= k * a;
        filtered[t] = x;
    }
}
