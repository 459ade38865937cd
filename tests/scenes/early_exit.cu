// Threads whose element is masked leave before the barrier that the others wait at.
// spmd: block=8 grid=2
__global__ void early_exit(const float *in, const int *mask, float *out) {
  __shared__ float s[8];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  if (mask[i] == 0) return;
  __syncthreads();
  out[i] = s[t] + s[blockDim.x - 1 - t];
}
