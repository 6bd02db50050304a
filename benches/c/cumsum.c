#include <stddef.h>

void cumsum(const void **in, void *out) {
    const T *restrict x = in[0];
    T *restrict y = out;
    T s = 0;
    for (size_t i = 0; i < N; i++) {
        s += x[i];
        y[i] = s;
    }
}
