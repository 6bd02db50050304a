// Recurrences over a matrix.
#include <math.h>
#include <stddef.h>
#include <string.h>

void floyd_warshall(const void **in, void *out) {
    float (*restrict d)[N] = out;
    memcpy(d, in[0], sizeof(float) * N * N);
    for (size_t k = 0; k < N; k++) {
        float through[N];
        memcpy(through, d[k], sizeof through);
        for (size_t i = 0; i < N; i++) {
            float to = d[i][k];
            for (size_t j = 0; j < N; j++) {
                float s = to + through[j];
                d[i][j] = d[i][j] < s ? d[i][j] : s;
            }
        }
    }
}

void cholesky(const void **in, void *out) {
    const double (*restrict a)[N] = in[0];
    double (*restrict l)[N] = out;
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < i; j++) {
            double s = a[i][j];
            for (size_t k = 0; k < j; k++) s -= l[i][k] * l[j][k];
            l[i][j] = s / l[j][j];
        }
        double s = a[i][i];
        for (size_t k = 0; k < i; k++) s -= l[i][k] * l[i][k];
        l[i][i] = sqrt(s);
    }
}

// By rows: each one is freed of those above it, which lie side by side in memory.
void lu(const void **in, void *out) {
    double (*restrict a)[N] = out;
    memcpy(a, in[0], sizeof(double) * N * N);
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < i; k++) {
            double l = a[i][k] /= a[k][k];
            for (size_t j = k + 1; j < N; j++) a[i][j] -= l * a[k][j];
        }
}
