// spmd: block=32 grid=1 x[32] out[32]
__global__ void k(const float *x, float *out) {
  int i = threadIdx.x;
  out[i] = rsqrtf(0.0f) > x[i] ? 1.f : 0.f;
}
