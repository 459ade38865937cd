// expect: no-wrap=refuted
// spmd: block=16,16 grid=(w+15)/16,(h+15)/16 require w > 0, h > 0, w <= 65536, h <= 65536
// row * w reaches 2^32 at the largest sizes that are allowed.
__global__ void scale_plane(float *data, int w, int h) {
  int col = blockIdx.x * 16 + threadIdx.x;
  int row = blockIdx.y * 16 + threadIdx.y;
  if (col < w && row < h) data[row * w + col] = 2.0f * data[row * w + col];
}
