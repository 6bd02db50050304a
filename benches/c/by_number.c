// Sums and rows by number.
#include <stdint.h>
#include <string.h>

void histogram(const void **in, void *out) {
    const int32_t *restrict level = in[0];
    int64_t *restrict count = out;
    memset(count, 0, 256 * sizeof *count);
    for (int i = 0; i < N; i++)
        if (level[i] >= 0 && level[i] < 256) count[level[i]]++;
}

#ifdef WIDTH
void messages(const void **in, void *out) {
    const float *restrict state = in[0];
    const int32_t *restrict source = in[1], *restrict target = in[2];
    float *restrict arrived = out;
    memset(arrived, 0, sizeof *arrived * NODES * WIDTH);
    for (int e = 0; e < N; e++) {
        const float *from = state + (int64_t)source[e] * WIDTH;
        float *to = arrived + (int64_t)target[e] * WIDTH;
        for (int j = 0; j < WIDTH; j++) to[j] += from[j];
    }
}
#endif
