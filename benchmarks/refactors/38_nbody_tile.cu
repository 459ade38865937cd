// equality: bitwise (same order of bodies); eps2 > 0. X: the last tile is always walked to TILE and not cleared, bodies left from the tile before are added again (n % 128 != 0, n > 128; below that unset shared memory).
#include <cuda_runtime.h>

#define TILE 128

__device__ __forceinline__ float3 body_body(float4 bi, float4 bj, float3 ai, float eps2) {
  float3 r;
  r.x = bj.x - bi.x;
  r.y = bj.y - bi.y;
  r.z = bj.z - bi.z;
  float dist2 = r.x * r.x + r.y * r.y + r.z * r.z + eps2;
  float inv = 1.0f / sqrtf(dist2);
  float s = bj.w * inv * inv * inv;
  ai.x += r.x * s;
  ai.y += r.y * s;
  ai.z += r.z * s;
  return ai;
}

__global__ void nbody_a(const float4 *pos, float4 *acc, int n, float eps2) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 bi = pos[i];
  float3 a = make_float3(0.0f, 0.0f, 0.0f);
  for (int j = 0; j < n; j++) a = body_body(bi, pos[j], a, eps2);
  acc[i] = make_float4(a.x, a.y, a.z, 0.0f);
}

__global__ void nbody_b(const float4 *pos, float4 *acc, int n, float eps2) {
  __shared__ float4 sh[TILE];
  const int i = blockIdx.x * TILE + threadIdx.x;
  float4 bi = (i < n) ? pos[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  float3 a = make_float3(0.0f, 0.0f, 0.0f);
  for (int base = 0; base < n; base += TILE) {
    if (base + threadIdx.x < n) sh[threadIdx.x] = pos[base + threadIdx.x];
    __syncthreads();
    const int count = min(TILE, n - base);
#pragma unroll 4
    for (int j = 0; j < count; j++) a = body_body(bi, sh[j], a, eps2);
    __syncthreads();
  }
  if (i < n) acc[i] = make_float4(a.x, a.y, a.z, 0.0f);
}

__global__ void nbody_x(const float4 *pos, float4 *acc, int n, float eps2) {
  __shared__ float4 sh[TILE];
  const int i = blockIdx.x * TILE + threadIdx.x;
  float4 bi = (i < n) ? pos[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  float3 a = make_float3(0.0f, 0.0f, 0.0f);
  for (int base = 0; base < n; base += TILE) {
    if (base + threadIdx.x < n) sh[threadIdx.x] = pos[base + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < TILE; j++) a = body_body(bi, sh[j], a, eps2);
    __syncthreads();
  }
  if (i < n) acc[i] = make_float4(a.x, a.y, a.z, 0.0f);
}

void run_nbody_a(const float4 *pos, float4 *acc, int n, float eps2) {
  nbody_a<<<(n + 255) / 256, 256>>>(pos, acc, n, eps2);
}

void run_nbody_b(const float4 *pos, float4 *acc, int n, float eps2) {
  nbody_b<<<(n + TILE - 1) / TILE, TILE>>>(pos, acc, n, eps2);
}

void run_nbody_x(const float4 *pos, float4 *acc, int n, float eps2) {
  nbody_x<<<(n + TILE - 1) / TILE, TILE>>>(pos, acc, n, eps2);
}
