// expect: race-free=proved no-wrap=proved
// A cell number taken apart: the quotients fit, unless something is divided by zero, of which C says nothing.
__global__ void cells(const float *in, float *out, int n, int pw, int ph) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    int w = i % pw; int h = (i / pw) % ph; int c = i / pw / ph;
    out[i] = in[(c + h) & 255] + w;
  }
}
