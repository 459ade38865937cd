/* What the kernels of `kernels.cu` compute, as plain loops. */

#include <math.h>

void vector_add(const float *restrict a, const float *restrict b, float *restrict out, int n) {
    for (int i = 0; i < n; i++) out[i] = a[i] + b[i];
}

void strided_copy(const float *restrict in, float *restrict out, int stride, int n) {
    for (int i = 0; i < n; i += stride)
        for (int at = i; at < i + stride; at++)
            if (at < n) out[at] = in[at];
}

void matrix_multiply(const float *restrict a, const float *restrict b, float *restrict out, int n) {
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) out[row * n + column] = 0.0f;
        for (int k = 0; k < n; k++)
            for (int column = 0; column < n; column++) out[row * n + column] += a[row * n + k] * b[k * n + column];
    }
}

void transpose(const float *restrict in, float *restrict out, int n) {
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) out[column * n + row] = in[row * n + column];
}

void reduction(const int *restrict in, int *restrict out, int blocks) {
    for (int block = 0; block < blocks; block++) {
        unsigned sum = 0;
        for (int t = 0; t < 256; t++) sum += (unsigned)in[block * 256 + t];
        out[block] = (int)sum;
    }
}

void scan(const int *restrict in, int *restrict out, int blocks) {
    for (int block = 0; block < blocks; block++) {
        unsigned sum = 0;
        for (int i = block * 256; i < block * 256 + 256; i++) {
            sum += (unsigned)in[i];
            out[i] = (int)sum;
        }
    }
}

void stencil(const float *restrict in, float *restrict out, int n) {
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int k = i - 3; k <= i + 3; k++) sum += k >= 0 && k < n ? in[k] : 0.0f;
        out[i] = sum;
    }
}

void histogram(const unsigned char *restrict in, unsigned *restrict out, int n) {
    for (int i = 0; i < n; i++) out[in[i]]++;
}

void bodies(const float *restrict px, const float *restrict py, const float *restrict mass, float *restrict out, int n, int all) {
    for (int i = 0; i < all; i++) {
        float force = 0.0f;
        for (int k = 0; k < n; k++) {
            float dx = px[k] - px[i], dy = py[k] - py[i];
            float square = dx * dx + dy * dy + 0.01f;
            force += mass[k] * dx / (square * sqrtf(square));
        }
        out[i] = force;
    }
}

void collatz(int *restrict out, int limit, int n) {
    for (int i = 0; i < n; i++) {
        unsigned value = i + 1;
        int rounds = 0;
        while (value != 1u && rounds < limit) {
            value = (value & 1u) ? 3u * value + 1u : value / 2u;
            rounds++;
        }
        out[i] = rounds;
    }
}

void black_scholes(const float *restrict price, const float *restrict strike, const float *restrict years, float *restrict call,
                   float *restrict put, int n) {
    for (int i = 0; i < n; i++) {
        float s = price[i], x = strike[i], t = years[i], root = sqrtf(t);
        float d1 = (logf(s / x) + (0.02f + 0.5f * 0.3f * 0.3f) * t) / (0.3f * root), d2 = d1 - 0.3f * root;
        float n1 = 0.5f * erfcf(-d1 * 0.70710678f), n2 = 0.5f * erfcf(-d2 * 0.70710678f), discounted = x * expf(-0.02f * t);
        call[i] = s * n1 - discounted * n2;
        put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
    }
}
