// expect: race-free=refuted barriers=proved
// spmd: block=32 grid=1
// volatile is no barrier.
__global__ void warp_sum(const int *in, int *sum) {
  __shared__ volatile int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  s[t + 32] = 0;
  s[t] = s[t] + s[t + 1];
  if (t == 0) sum[0] = s[0];
}
