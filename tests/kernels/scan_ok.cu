// expect: race-free=proved barriers=proved bounds=proved
// spmd: block=64 grid=1
// Read, barrier, write, barrier.
__global__ void scan(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    int left = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  out[t] = s[t];
}
