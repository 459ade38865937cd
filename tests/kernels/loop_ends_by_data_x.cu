// expect: no-wrap=unknown message=may leave the range of int in some round
// A round that data cut short goes on without the test of the counter.
// spmd: block=64 grid=1 out[64] x[4]
__global__ void cut_short(const int *x, float *out) {
  float s = 0.0f;
  int j = 0;
  while (true) {
    s += j / 4;
    j += 4;
    if (x[j & 3] > 0) continue;
    if (j >= 1000) break;
  }
  out[threadIdx.x] = s;
}
