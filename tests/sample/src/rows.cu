#include "../include/common.cuh"

// spmd: block=64 grid=rows rows=4
__global__ void softmax_rows(const float *x, float *y, int rows) {
    __shared__ float s[64];
    int t = threadIdx.x, at = blockIdx.x * 64 + t;
    float own = x[at];
    s[t] = own;
    __syncthreads();
    for (int d = 32; d > 0; d >>= 1) {
        if (t < d) s[t] = fmaxf(s[t], s[t + d]);
        __syncthreads();
    }
    float top = s[0];
    __syncthreads();
    float e = expf(own - top);
    s[t] = e;
    __syncthreads();
    for (int d = 32; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    y[at] = e / s[0];
}

// spmd: block=64 grid=rows rows=4
__global__ void centre_rows(const float *x, float *y, int rows) {
    __shared__ float s[64];
    int t = threadIdx.x, at = blockIdx.x * 64 + t;
    s[t] = x[at];
    __syncthreads();
    for (int d = 32; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    y[at] = x[at] - s[0] / 64.0f;
}

// spmd: block=64 grid=rows rows=4
__global__ void rms_rows(const float *x, float *y, int rows) {
    __shared__ float s[64];
    int t = threadIdx.x, at = blockIdx.x * 64 + t;
    s[t] = x[at] * x[at];
    __syncthreads();
    for (int d = 32; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    y[at] = x[at] * rsqrtf(s[0] / 64.0f + 1e-5f);
}
