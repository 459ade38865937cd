// expect: race-free=proved
// spmd: block=32 grid=(end-start+31)/32,(width+31)/32 require end > start, width > 0
// The rows from one number to another are copied: how many there are is a stride.
__global__ void slice(const float *source, float *target, int start, int end, int width, int height) {
  int row = start + blockIdx.x * 32 + threadIdx.x;
  int first = blockIdx.y * 32;
  int last = first + 32 < width ? first + 32 : width;
  if (row < end)
    for (int column = first; column < last; column++)
      target[column * (end - start) + row - start] = source[column * height + row];
}
