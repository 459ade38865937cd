// expect: race-free=proved
// spmd: block=8,8 grid=w/8,w/8 require w > 0, w <= 10000, w % 8 == 0
// Only the lower half swaps.
__global__ void turn(float *a, int w) {
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < y) {
    float upper = a[y * w + x];
    a[y * w + x] = a[x * w + y];
    a[x * w + y] = upper;
  }
}
