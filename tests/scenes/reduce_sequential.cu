// A sum in each block, the lower half of the threads adds what the upper half holds.
// spmd: block=8 grid=2 n=14 require n > 0
__global__ void reduce_sequential(const int *in, int *out, int n) {
  __shared__ int s[8];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
