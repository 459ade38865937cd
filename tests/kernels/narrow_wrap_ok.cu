// expect: race-free=proved bounds=proved
// spmd: block=256 grid=1
// The byte wraps, but 256 threads are still told apart by it.
__global__ void narrow_wrap(const int *in, int *out) {
  __shared__ int s[256];
  int t = threadIdx.x;
  unsigned char c = 250 + t;
  s[c] = in[t];
  __syncthreads();
  out[t] = s[t];
}
