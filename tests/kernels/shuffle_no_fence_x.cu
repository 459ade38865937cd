// expect: race-free=refuted
// spmd: block=32 grid=1
// Lanes exchange values between the writes and the reads: that orders no memory.
__global__ void turn(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  int v = __shfl_sync(0xffffffff, t, 31 - t);
  out[t] = s[31 - t] + v;
}
