// expect: race-free=refuted barriers=proved
// spmd: block=64
// A wait is for the own copies alone: without a barrier the others are not seen.
#include <cuda_pipeline.h>
__global__ void turned(float *out, const float *in) {
  __shared__ float s[256];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[4 * t], &in[4 * (blockIdx.x * 64 + t)], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[blockIdx.x * 64 + t] = s[(4 * t + 4) % 256];
}
