// expect: race-free=refuted
// spmd: block=8,8 grid=w/8,w/8 require w > 0, w <= 10000, w % 8 == 0
// Both halves of the square swap.
__global__ void turn(float *a, int w) {
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float upper = a[y * w + x];
  a[y * w + x] = a[x * w + y];
  a[x * w + y] = upper;
}
