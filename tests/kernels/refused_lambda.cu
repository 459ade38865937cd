// expect: verdict=unsupported message=\d: .*(lambda|auto)
// spmd: block=32 grid=1
// A lambda.
__global__ void fill(int *out) {
  auto f = [&](int i) { out[i] = 1; };
  f(threadIdx.x);
}
