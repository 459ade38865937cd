// expect: race-free=refuted barriers=proved
// spmd: block=64
#include <curand_kernel.h>
// All threads of the block set up one generator: with the same seed, but not in one write.
__global__ void start(curandState *state, unsigned int *out) {
  curand_init(7, 0, 0, &state[blockIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = curand(&state[blockIdx.x]);
}
