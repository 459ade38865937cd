#include "../include/common.cuh"

// spmd: block=16,16 grid=(w+15)/16,(h+15)/16 require w > 0, h > 0
__global__ void transpose(const float *in, float *out, int w, int h) {
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < w && y < h) out[x * h + y] = in[y * w + x];
}

// spmd: block=16,16 grid=(w+15)/16,(h+15)/16 require w > 0, h > 0
__global__ void transpose_tiled(const float *in, float *out, int w, int h) {
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
    __syncthreads();
    int tx = blockIdx.y * TILE + threadIdx.x;
    int ty = blockIdx.x * TILE + threadIdx.y;
    if (ty < w && tx < h) out[ty * h + tx] = tile[threadIdx.x][threadIdx.y];
}
