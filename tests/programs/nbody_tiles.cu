// expect: race-free=proved barriers=proved order-free=proved
// at: block=256 grid=16 n=4096
// Forces of n bodies, through tiles of shared memory in a loop with two barriers.
__global__ void forces(const float4 *p, float4 *out, int n) {
  extern __shared__ float4 tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = i < n ? p[i] : make_float4(0, 0, 0, 0);
  float3 acc = make_float3(0, 0, 0);
  for (int base = 0; base < n; base += blockDim.x) {
    int j = base + threadIdx.x;
    tile[threadIdx.x] = j < n ? p[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < blockDim.x; k++) {
      float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-9f);
      float s = tile[k].w * inv * inv * inv;
      acc.x += dx * s;
      acc.y += dy * s;
      acc.z += dz * s;
    }
    __syncthreads();
  }
  if (i < n) out[i] = make_float4(acc.x, acc.y, acc.z, 0);
}
