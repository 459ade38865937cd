// expect: race-free=proved barriers=proved order-free=proved bounds=proved
// spmd: block=64
// Each thread copies sixteen bytes beside, waits for its own copy, and meets the others.
#include <cuda_pipeline.h>
__global__ void turned(float *out, const float *in) {
  __shared__ float s[256];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[4 * t], &in[4 * (blockIdx.x * 64 + t)], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[(4 * t + 4) % 256];
}
