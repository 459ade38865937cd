#include "../include/common.cuh"

__global__ void reversed(const float *in, float *out, int n) {
    int i = global_index();
    if (i < n) out[n - 1 - i] = in[i];
}

__global__ void gather(const float *in, const int *from, float *out, int n) {
    int i = global_index();
    if (i < n) out[i] = in[from[i]];
}

__global__ void interleave(const float *a, const float *b, float *out, int n) {
    int i = global_index();
    if (i < n) {
        out[2 * i] = a[i];
        out[2 * i + 1] = b[i];
    }
}

template <typename T>
__global__ void fill(T *x, T value, int n) {
    int i = global_index();
    if (i < n) x[i] = value;
}

void clear(float *x, int *k, int n) {
    fill<float><<<(n + 255) / 256, 256>>>(x, 0.0f, n);
    fill<int><<<(n + 255) / 256, 256>>>(k, 0, n);
}
