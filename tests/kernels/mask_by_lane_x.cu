// expect: race-free=refuted
// spmd: block=32
// Two lanes have the number that one cell is for.
__global__ void k(int *out) {
  __shared__ int s[2];
  int t = threadIdx.x, sum = 0;
  if (t < 2) s[t] = 0;
  __syncthreads();
  if ((0x80000011u >> t) & 1) s[t / 31] = t;
  __syncthreads();
  if ((1 << t) & 0x00f0) sum = s[1];
  out[blockIdx.x * 32 + t] = sum;
}
