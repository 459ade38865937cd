// expect: verdict=proved race-free=proved bounds=proved
// spmd: block=32 grid=1 out[32]
// The constructor makes a step of 1: every thread has an element of its own.
struct Step { int by; constexpr Step(int x) : by(x) {} };
constexpr Step STEP(1);
__global__ void k(int* out) { out[threadIdx.x * STEP.by] = 1; }
