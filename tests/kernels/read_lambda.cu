// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// A lambda.
__global__ void fill(int *out) {
  auto f = [&](int i) { out[i] = 1; };
  f(threadIdx.x);
}
