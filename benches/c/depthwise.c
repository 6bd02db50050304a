// 3 by 3 filters, one for each channel: 8 images of 64 channels of 56 by 56.
#include <stddef.h>

void depthwise(const void **in, void *out) {
    const float (*restrict x)[64][56][56] = in[0];
    const float (*restrict w)[3][3] = in[1];
    float (*restrict y)[64][54][54] = out;
    for (size_t b = 0; b < 8; b++)
        for (size_t c = 0; c < 64; c++)
            for (size_t i = 0; i < 54; i++)
                for (size_t j = 0; j < 54; j++) {
                    float s = 0;
                    for (size_t k = 0; k < 3; k++)
                        for (size_t l = 0; l < 3; l++)
                            s += x[b][c][i + k][j + l] * w[c][k][l];
                    y[b][c][i][j] = s;
                }
}
