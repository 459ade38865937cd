#include "../include/common.cuh"

__global__ void blur3(const float *in, float *out, int n) {
    int i = global_index();
    if (i > 0 && i < n - 1) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

__global__ void laplace(const float *in, float *out, int n) {
    int i = global_index();
    if (i > 0 && i < n - 1) out[i] = in[i - 1] - 2.0f * in[i] + in[i + 1];
}

__global__ void gradient(const float *in, float *out, int n) {
    int i = global_index();
    if (i > 0 && i < n - 1) out[i] = 0.5f * (in[i + 1] - in[i - 1]);
}

__global__ void shift(const float *in, float *out, int by, int n) {
    int i = global_index();
    if (i < n && i + by >= 0 && i + by < n) out[i] = in[i + by];
}
