// expect: race-free=refuted barriers=proved
// spmd: require blockDim.x <= 256
// Without the second barrier a thread reads for the next round what its neighbour is about to write.
__global__ void relax(const int *in, int *out) {
  __shared__ int s[257];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  if (t == 0) s[blockDim.x] = 0;
  __syncthreads();
  int again = 1;
  while (again) {
    int right = s[t + 1];
    int better = right > s[t];
    again = __syncthreads_or(better);
    if (better) s[t] = right;
  }
  out[i] = s[t];
}
