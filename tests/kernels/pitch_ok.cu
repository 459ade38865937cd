// expect: race-free=proved
// spmd: block=32,4 grid=(w+31)/32,(h+3)/4 require w > 0, h > 0, pitch >= w, pitch <= 20000, h <= 20000
// A row is at least as long as it is wide.
__global__ void pitched(float *data, int w, int h, int pitch) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  if (x < w && y < h) data[y * pitch + x] += 1.0f;
}
