// expect: verdict=invalid message=:5:22: .*'sqrtf'
// spmd: block=32 grid=1
// One argument too many.
__global__ void fill(float *out) {
  out[threadIdx.x] = sqrtf(1.0f, 2.0f);
}
