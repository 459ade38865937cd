// expect: race-free=proved no-wrap=proved
// A volume of which no size is known: what three of them make together is taken to fit an int, aloud.
__global__ void volume(float *out, const float *in, int depth, int height, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < width && y < height && z < depth) {
    int at = (z * height + y) * width + x;
    out[at] = 2 * in[at];
  }
}
