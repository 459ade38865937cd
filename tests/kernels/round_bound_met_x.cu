// expect: race-free=proved no-wrap=unknown
// The test looks for one number alone: the rounds wrap for small contents too.
// spmd: block=256
__global__ void until_met(int *out, const unsigned long *num, const int *in) {
  int blocks = (int)((*num + 255) / 256);
  int s = 0;
  for (int b = blockIdx.x; b != blocks; b += gridDim.x) s += in[b & 255];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
