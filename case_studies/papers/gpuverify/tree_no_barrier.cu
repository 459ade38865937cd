// The tree without the barrier in its loop.
__global__ void tree_no_barrier(const float *in, float *out) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) s[t] += s[t + stride];
  }
  __syncthreads();
  if (t == 0) out[blockIdx.x] = s[0];
}
