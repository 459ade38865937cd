// expect: race-free=proved bounds=proved
// spmd: block=24 grid=1
// A constant of the file, computed from another one.
static const int HALF = 12;
const int WHOLE = 2 * HALF;
__global__ void turned(const int *in, int *out) {
  __shared__ int s[WHOLE];
  int t = threadIdx.x;
  s[WHOLE - 1 - t] = in[t];
  __syncthreads();
  out[t] = s[(t + HALF) % WHOLE];
}
