// expect: race-free=refuted
// spmd: block=64 grid=1
// Sixteen bytes a thread, then four that are in another thread's sixteen.
__global__ void both(float *out) {
  reinterpret_cast<float4 *>(out)[threadIdx.x] = make_float4(0, 1, 2, 3);
  out[threadIdx.x] = 7;
}
