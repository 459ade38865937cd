// expect: bounds=refuted
// spmd: block=64 grid=1
// A signed difference is negative below thread 8 and passes the guard.
__global__ void signed_filter(const int *in) {
  __shared__ int s[8];
  int d = (int)threadIdx.x - 8;
  if (d < 8) s[d] = in[threadIdx.x];
}
