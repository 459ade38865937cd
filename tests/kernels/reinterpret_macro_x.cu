// expect: race-free=refuted
// A macro stores 16 bytes through a cast: the last four are the next thread's first.
#define STORE4(p, v) (*reinterpret_cast<float4 *>(&(p)) = (v))
__global__ void spread(float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  STORE4(out[3 * i], make_float4(i, i, i, i));
}
