// expect: race-free=refuted barriers=proved
// spmd: block=32 grid=1
// What a lane wrote before it returned no barrier orders that it did not come to.
__global__ void part(int *a) {
  int t = threadIdx.x;
  if (t >= 16) {
    a[t - 16] = 5;
    return;
  }
  __syncwarp();
  a[t] = 6;
}
