// expect: race-free=proved
// spmd: block=32 grid=1
// Four numbers of a state of the thread's own.
#include <curand_kernel.h>
__global__ void k(unsigned *out) {
  curandStatePhilox4_32_10_t state;
  curand_init(7ull, threadIdx.x, 0ull, &state);
  uint4 four = curand4(&state);
  out[threadIdx.x] = four.x ^ four.y ^ four.z ^ four.w;
}
