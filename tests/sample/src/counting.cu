#include "../include/common.cuh"

// spmd: block=64 grid=4 n=256 bins[16] require 0 <= key[i], key[i] < 16
__global__ void histogram(const int *key, int *bins, int n) {
    int i = global_index();
    if (i < n) atomicAdd(&bins[key[i]], 1);
}

// spmd: block=128 grid=2
__global__ void scan_block(const int *x, int *y) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = x[global_index()];
    __syncthreads();
    for (int d = 1; d < 128; d <<= 1) {
        int left = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += left;
        __syncthreads();
    }
    y[global_index()] = s[t];
}
