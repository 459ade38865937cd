#include "../include/common.cuh"

// spmd: block=16,16 grid=2,2 n=32
__global__ void matmul(const float *a, const float *b, float *c, int n) {
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float sum = 0.0f;
    for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

// spmd: block=16,16 grid=2,2 n=32
__global__ void matmul_tiled(const float *a, const float *b, float *c, int n) {
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
    float sum = 0.0f;
    for (int first = 0; first < n; first += TILE) {
        left[ty][tx] = a[y * n + first + tx];
        right[ty][tx] = b[(first + ty) * n + x];
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += left[ty][k] * right[k][tx];
        __syncthreads();
    }
    c[y * n + x] = sum;
}
