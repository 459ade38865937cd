// expect: verdict=refuted race-free=refuted
// spmd: block=32 grid=1 out[64]
// next() counts the copy, not the object: two threads each write one element.
struct At { int i; __device__ int next() { return ++i; } };
__global__ void k(int* out) {
  At at{(int)threadIdx.x / 2};
  At(at).next();
  out[2 * at.i] = threadIdx.x;
}
