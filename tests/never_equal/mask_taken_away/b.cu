// spmd: block=8 grid=1 x[8] out[8]
__global__ void k(const float *x, float *out) {
  int i = threadIdx.x;
  float mask = i > 3 ? INFINITY : 0.0f;
  out[i] = expf(x[i] - mask);
}
