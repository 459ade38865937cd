// expect: bounds=refuted
// spmd: block=64 grid=1
// Thread 0 reads one before the start.
__global__ void left(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t - 1];
}
