// expect: no-wrap=proved bounds=proved race-free=proved
// Four elements a round and the rest: that j stays an int rests on j + 3 having stayed one in the test of the round before.
// spmd: block=64 grid=1 x[n] out[64] require n >= 0, n <= 2147483640
__global__ void four_at_once(const float *x, float *out, int n) {
  float s = 0.0f;
  int j = threadIdx.x % 4;
  for (; j + 3 < n; j += 4) s += x[j] + x[j + 1] + x[j + 2] + x[j + 3];
  for (; j < n; j++) s += x[j];
  out[threadIdx.x] = s;
}
