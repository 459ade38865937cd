// expect: race-free=refuted
// spmd: block=257 grid=1
// Thread 256 meets thread 0 after the byte has wrapped.
__global__ void narrow_wrap(const int *in, int *out) {
  __shared__ int s[257];
  int t = threadIdx.x;
  unsigned char c = 250 + t;
  s[c] = in[t];
  __syncthreads();
  out[t] = s[0];
}
