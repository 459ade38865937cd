// Prefix sums by one thread, one after the other: what they are.
// spmd: block=1 grid=1
__global__ void prefix(const int *in, int *out) {
  int sum = 0;
  for (int i = 0; i < 1024; i++) {
    sum += in[i];
    out[i] = sum;
  }
}
