// spmd: block=256 grid=(n+255)/256 n=1000 require n >= 1, n <= 1000000000
// v1: neighbours first; the threads that work stand side by side.
__global__ void sum(const float *in, float *out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int at = 2 * d * t;
    if (at < blockDim.x) s[at] += s[at + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
