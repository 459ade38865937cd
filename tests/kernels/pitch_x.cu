// expect: race-free=refuted
// spmd: block=32,4 grid=(w+31)/32,(h+3)/4 require w > 0, h > 0, pitch > 0, pitch <= 20000, w <= 20000, h <= 20000
// The pitch may be shorter than the width.
__global__ void pitched(float *data, int w, int h, int pitch) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  if (x < w && y < h) data[y * pitch + x] += 1.0f;
}
