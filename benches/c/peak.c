// What the machine can do at most: fused multiplications and additions in registers, and
// moving memory.
#include <stddef.h>
#include <stdint.h>

#define BYTES 64
#define CHAINS 12

#define FLOPS(name, type)                                                                  \
    double name(uint64_t rounds) {                                                         \
        typedef type v __attribute__((vector_size(BYTES)));                                \
        v a[CHAINS];                                                                       \
        v x = {0}, y = {0};                                                                \
        x = x + (type)0.999999;                                                            \
        y = y + (type)0.000001;                                                            \
        for (int c = 0; c < CHAINS; c++) a[c] = x * (type)c;                               \
        for (uint64_t r = 0; r < rounds; r++) {                                            \
            _Pragma("GCC unroll 12")                                                       \
            for (int c = 0; c < CHAINS; c++) a[c] = a[c] * x + y;                          \
        }                                                                                  \
        v s = a[0];                                                                        \
        for (int c = 1; c < CHAINS; c++) s += a[c];                                        \
        double sum = 0;                                                                    \
        for (size_t i = 0; i < BYTES / sizeof(type); i++) sum += s[i];                     \
        return sum;                                                                        \
    }

FLOPS(flops_f32, float)
FLOPS(flops_f64, double)

// Operations of one round.
uint64_t per_round(int bytes) { return 2 * CHAINS * (BYTES / bytes); }

void triad(double *restrict a, const double *restrict b, const double *restrict c, size_t n) {
    for (size_t i = 0; i < n; i++) a[i] = b[i] + 0.5 * c[i];
}
