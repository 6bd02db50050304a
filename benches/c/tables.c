// Dynamic programming over two sequences, row by row.
#include <stddef.h>
#include <stdint.h>

static inline int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }

#ifdef EDIT
static int32_t row[N + 1];

void edit_distance(const void **in, void *out) {
    const int32_t *restrict a = in[0], *restrict b = in[1];
    for (int j = 0; j <= N; j++) row[j] = j;
    for (int i = 1; i <= N; i++) {
        int32_t diagonal = row[0], left = row[0] = i;
        for (int j = 1; j <= N; j++) {
            int32_t up = row[j];
            left = least(least(up, left) + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = up;
            row[j] = left;
        }
    }
    *(int32_t *)out = row[N];
}
#else
static int32_t h[N + 1], f[N + 1];

void smith_waterman(const void **in, void *out) {
    const int32_t *restrict a = in[0], *restrict b = in[1];
    int32_t best = 0;
    for (int j = 0; j <= N; j++) h[j] = 0, f[j] = -1000;
    for (int i = 1; i <= N; i++) {
        int32_t diagonal = 0, left = 0, e = -1000;
        for (int j = 1; j <= N; j++) {
            e = most(e - 1, left - 3);
            f[j] = most(f[j] - 1, h[j] - 3);
            int32_t same = diagonal + (a[i - 1] == b[j - 1] ? 2 : -1);
            diagonal = h[j];
            left = most(most(0, same), most(e, f[j]));
            h[j] = left;
            best = most(best, left);
        }
    }
    *(int32_t *)out = best;
}
#endif
