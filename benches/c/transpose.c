// A transposed copy, and a chain with a transposed operand, in blocks.
#include <stddef.h>

#define BLOCK 32
#define BLOCKS(i, j)                                                                       \
    for (size_t i0 = 0; i0 < N; i0 += BLOCK)                                               \
        for (size_t j0 = 0; j0 < N; j0 += BLOCK)                                           \
            for (size_t i = i0; i < i0 + BLOCK; i++)                                       \
                for (size_t j = j0; j < j0 + BLOCK; j++)

void transpose(const void **in, void *out) {
    const T *restrict x = in[0];
    T *restrict y = out;
    BLOCKS(i, j) y[i * N + j] = x[j * N + i];
}

void transposed_chain(const void **in, void *out) {
    const T *restrict x = in[0], *restrict y = in[1];
    T *restrict z = out;
    BLOCKS(i, j) {
        T a = x[i * N + j], b = y[j * N + i];
        z[i * N + j] = (a + b) * a - (T)0.5 * b;
    }
}
