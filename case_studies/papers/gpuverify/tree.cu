// A tree in shared memory. That the active threads of a round touch two disjoint stretches of s needs, in each round, that the
// stride is at most half of what is left.
__global__ void tree(const float *in, float *out) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) s[t] += s[t + stride];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
