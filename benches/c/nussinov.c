// The most pairs of bases in a fold of an RNA, intervals by their first base from the last on.
#include <stdint.h>

static int32_t t[N + 1][N];

static inline int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }

void nussinov(const void **in, void *out) {
    const int32_t *restrict bases = in[0];
    for (int i = 0; i <= N; i++)
        for (int j = 0; j < N; j++) t[i][j] = 0;
    for (int i = N - 1; i >= 0; i--) {
        for (int j = i + 1; j < N; j++) {
            int32_t best = most(t[i][j - 1], t[i + 1][j]);
            int32_t pair = i < j - 1 ? t[i + 1][j - 1] + (bases[i] + bases[j] == 3) : 0;
            best = most(best, pair);
            for (int k = i + 1; k < j; k++) best = most(best, t[i][k] + t[k + 1][j]);
            t[i][j] = best;
        }
    }
    *(int32_t *)out = t[0][N - 1];
}
