#pragma once

#define TILE 16
#define GAIN 2.0f

__device__ inline int global_index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ inline float mixed(float a, float b, float t) { return a + t * (b - a); }

__device__ inline float bounded(float x, float low, float high) { return fminf(fmaxf(x, low), high); }
