// expect: verdict=proved race-free=proved bounds=proved
// spmd: block=32 grid=1 out[33]
// The same with the object itself, and a copy that nobody counts.
struct At { int i; __device__ int next() { return ++i; } };
__global__ void k(int* out) {
  At at{(int)threadIdx.x};
  const At& before = At(at);
  at.next();
  out[at.i] = before.i;
}
