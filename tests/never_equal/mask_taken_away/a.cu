// spmd: block=8 grid=1 x[8] out[8]
// A mask that is taken away twice, and one that is added.
__global__ void k(const float *x, float *out) {
  int i = threadIdx.x;
  float mask = i > 3 ? INFINITY : 0.0f;
  out[i] = expf(x[i] - (0.0f - mask));
}
