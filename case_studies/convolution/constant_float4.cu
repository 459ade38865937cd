// spmd: block=64 grid=(n+255)/256 n=1003 require n >= 1, n <= 1000000000
// Four outputs a thread from three float4 loads of a padded tile in shared memory; taps in constant memory.
__constant__ float taps[7];
__global__ void convolve(const float *in, float *out, int n) {
  __shared__ float4 tile[64 + 2];
  float *cells = reinterpret_cast<float *>(tile);
  int base = blockIdx.x * 256 - 4;
  for (int k = threadIdx.x; k < 256 + 8; k += 64) cells[k] = base + k >= 0 && base + k < n ? in[base + k] : 0.0f;
  __syncthreads();
  float4 a = tile[threadIdx.x], b = tile[threadIdx.x + 1], c = tile[threadIdx.x + 2];
  float v[12] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w};
  for (int o = 0; o < 4; o++) {
    float sum = 0.0f;
    for (int k = 0; k < 7; k++) sum += taps[k] * v[o + k + 1];
    int i = blockIdx.x * 256 + threadIdx.x * 4 + o;
    if (i < n) out[i] = sum;
  }
}
