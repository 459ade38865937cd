// spmd: block=64 grid=(n+255)/256 n=1000 require n >= 1, n <= 1000000000
// v6: four elements a thread, added in registers; then halves.
__global__ void sum(const float *in, float *out, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float mine = 0.0f;
  for (int i = blockIdx.x * 256 + t; i < n && i < (blockIdx.x + 1) * 256; i += blockDim.x) mine += in[i];
  s[t] = mine;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
