// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=256
// at: block=256 grid=16 n=4000
// The same with barriers of the warp between reading and writing.
__device__ void step(volatile int *s, unsigned t, unsigned d) {
  int other = s[t + d];
  __syncwarp();
  s[t] += other;
  __syncwarp();
}
__global__ void sum(const int *in, int *out, unsigned n) {
  __shared__ volatile int s[256];
  unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned d = 128; d > 32; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t < 32) {
    step(s, t, 32);
    step(s, t, 16);
    step(s, t, 8);
    step(s, t, 4);
    step(s, t, 2);
    step(s, t, 1);
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
