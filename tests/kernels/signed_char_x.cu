// expect: bounds=refuted
// spmd: block=200 grid=1
// The signed byte is negative from thread 128 on.
__global__ void signed_char(const int *in, int *out) {
  __shared__ int s[200];
  signed char c = threadIdx.x;
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[c];
}
