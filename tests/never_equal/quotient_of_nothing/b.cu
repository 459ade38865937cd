// spmd: block=4 grid=1 v[4] w[4] out[4]
__global__ void nothing(const float *v, const float *w, float *out) {
  out[threadIdx.x] = v[threadIdx.x];
}
