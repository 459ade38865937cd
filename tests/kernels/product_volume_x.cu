// expect: race-free=refuted
// The planes are as far apart as if they were squares.
__global__ void volume(float *out, const float *in, int depth, int height, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < width && y < height && z < depth) {
    int at = (z * width + y) * width + x;
    out[at] = 2 * in[at] + y;
  }
}
