// spmd: block=128 grid=(n+255)/256 n=1000 require n >= 1, n <= 1000000000
// v5: unrolled by a template over the size of the block.
template <int SIZE>
__device__ float tree(float *s, int t) {
  if (SIZE >= 512) { if (t < 256) s[t] += s[t + 256]; __syncthreads(); }
  if (SIZE >= 256) { if (t < 128) s[t] += s[t + 128]; __syncthreads(); }
  if (SIZE >= 128) { if (t < 64) s[t] += s[t + 64]; __syncthreads(); }
  float v = s[t];
  if (t < 32) {
    v += s[t + 32];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  }
  return v;
}

__global__ void sum(const float *in, float *out, int n) {
  __shared__ float s[128];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  s[t] = (i < n ? in[i] : 0.0f) + (i + blockDim.x < n ? in[i + blockDim.x] : 0.0f);
  __syncthreads();
  float v = tree<128>(s, t);
  if (t == 0) out[blockIdx.x] = v;
}
