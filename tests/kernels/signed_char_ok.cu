// expect: bounds=proved race-free=proved order-free=proved
// spmd: block=128 grid=1
// Up to thread 127 a signed byte holds the thread's number.
__global__ void signed_char(const int *in, int *out) {
  __shared__ int s[128];
  signed char c = threadIdx.x;
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[c];
}
