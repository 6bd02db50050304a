// Steps over a plane.
#include <stddef.h>
#include <string.h>

static double one[N][N], two[N][N], three[N][N];

void wave(const void **in, void *out) {
    memcpy(one, in[0], sizeof one);
    memcpy(two, in[0], sizeof two);
    memset(three, 0, sizeof three);
    double (*a)[N] = one, (*b)[N] = two, (*c)[N] = three;
    for (size_t t = 2; t < STEPS; t++) {
        double (*restrict to)[N] = c;
        const double (*restrict u)[N] = b, (*restrict before)[N] = a;
        for (size_t i = 1; i < N - 1; i++)
            for (size_t j = 1; j < N - 1; j++)
                to[i][j] = 2 * u[i][j] - before[i][j]
                    + 0.25 * (u[i + 1][j] + u[i - 1][j] + u[i][j + 1] + u[i][j - 1] - 4 * u[i][j]);
        for (size_t i = 0; i < N; i++)
            to[0][i] = to[N - 1][i] = to[i][0] = to[i][N - 1] = 0;
        c = a;
        a = b;
        b = to;
    }
    memcpy(out, b, sizeof one);
}

void seidel(const void **in, void *out) {
    double (*restrict a)[N] = out;
    memcpy(a, in[0], sizeof one);
    for (size_t t = 0; t < STEPS; t++)
        for (size_t i = 1; i < N - 1; i++)
            for (size_t j = 1; j < N - 1; j++)
                a[i][j] = (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1]
                    + a[i][j - 1] + a[i][j] + a[i][j + 1]
                    + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1]) / 9.0;
}
