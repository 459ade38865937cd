#pragma once

__global__ void scale(float *x, float by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= by;
}

__global__ void add(float *x, const float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += y[i];
}

namespace app {
struct View { float *at; int count; };
__global__ void moved(View view, short by, char tag, double value)
{
    int i = threadIdx.y * blockDim.x + threadIdx.x;
    if (i < view.count) view.at[i] = float(value) + by + tag;
}
}

__global__ void turned(float *x)
{
    extern __shared__ float tile[];
    int l = threadIdx.x, i = blockIdx.x * blockDim.x + l;
    tile[l] = x[i];
    __syncthreads();
    x[i] = tile[blockDim.x - 1 - l];
}
