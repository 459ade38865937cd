// A store behind the end of an array of known length.
__global__ void beyond_the_end(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = s[t];
}
