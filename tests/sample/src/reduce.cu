#include "../include/common.cuh"

// spmd: block=128 grid=4
__global__ void block_sum(const float *x, float *out) {
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[global_index()];
    __syncthreads();
    for (int d = 64; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// spmd: block=128 grid=4
__global__ void block_max(const float *x, float *out) {
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[global_index()];
    __syncthreads();
    for (int d = 64; d > 0; d >>= 1) {
        if (t < d) s[t] = fmaxf(s[t], s[t + d]);
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// spmd: block=64 grid=(rows+63)/64 rows=100 columns=16
__global__ void row_sum(const float *x, float *out, int rows, int columns) {
    int r = global_index();
    if (r >= rows) return;
    float sum = 0.0f;
    for (int c = 0; c < columns; c++) sum += x[r * columns + c];
    out[r] = sum;
}

// spmd: block=128 grid=2
__global__ void dot(const float *x, const float *y, float *out) {
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[global_index()] * y[global_index()];
    __syncthreads();
    for (int d = 64; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
