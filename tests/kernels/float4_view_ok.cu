// expect: race-free=proved order-free=proved
// spmd: block=64 grid=1
// Sixteen bytes a thread, then four of its own.
__global__ void both(float *out) {
  reinterpret_cast<float4 *>(out)[threadIdx.x] = make_float4(0, 1, 2, 3);
  out[4 * threadIdx.x + 3] = 7;
}
