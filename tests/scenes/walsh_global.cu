// One round of butterflies of the fast Walsh transform, in place in global memory.
// spmd: block=4 grid=2 stride=4 require stride > 0, (stride & (stride - 1)) == 0
__global__ void walsh_global(float *data, int stride) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x;
  int low = pair & (stride - 1);
  int first = ((pair - low) << 1) + low;
  float a = data[first];
  float b = data[first + stride];
  data[first] = a + b;
  data[first + stride] = a - b;
}
