// expect: no-wrap=refuted
// No scale is to blame for what is added to it: 70000 times a coordinate leaves the type at once.
__global__ void scale(int *out, const int *in, int w, float fx) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < 40000) out[x] = in[x * 70000 + (int)(x * fx)];
}
