// A sum in each block, the threads that add lie ever further apart.
// spmd: block=8 grid=2 n=14 require n > 0
__global__ void reduce_interleaved(const int *in, int *out, int n) {
  __shared__ int s[8];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < blockDim.x; step *= 2) {
    if (t % (2 * step) == 0) s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
