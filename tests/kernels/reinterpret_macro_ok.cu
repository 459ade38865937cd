// expect: race-free=proved order-free=proved
// A macro stores 16 bytes through a cast, each of its own.
#define STORE4(p, v) (*reinterpret_cast<float4 *>(&(p)) = (v))
__global__ void spread(float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  STORE4(out[4 * i], make_float4(i, i, i, i));
}
