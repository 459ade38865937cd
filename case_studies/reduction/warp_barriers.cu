// spmd: block=128 grid=(n+255)/256 n=1000 require n >= 1, n <= 1000000000
// v4: the last warp reads, waits, writes, waits.
__device__ void step(volatile float *s, int t, int d) {
  float v = s[t] + s[t + d];
  __syncwarp();
  s[t] = v;
  __syncwarp();
}

__global__ void sum(const float *in, float *out, int n) {
  __shared__ volatile float s[128];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  s[t] = (i < n ? in[i] : 0.0f) + (i + blockDim.x < n ? in[i + blockDim.x] : 0.0f);
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) {
    step(s, t, 32);
    step(s, t, 16);
    step(s, t, 8);
    step(s, t, 4);
    step(s, t, 2);
    step(s, t, 1);
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
