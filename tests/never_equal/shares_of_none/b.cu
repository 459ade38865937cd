// spmd: block=8 grid=1 w[8] v[8] out[8]
__global__ void shares(const float *w, const float *v, float *out) {
  out[threadIdx.x] = 1.0f;
}
