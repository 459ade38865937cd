// expect: race-free=refuted
// spmd: block=32 grid=1
// One state for all threads: each call moves it on.
#include <curand_kernel.h>
__global__ void k(unsigned *out, curandStatePhilox4_32_10_t *state) { out[threadIdx.x] = curand4(state).w; }
