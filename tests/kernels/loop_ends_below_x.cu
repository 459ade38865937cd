// expect: no-wrap=unknown message=may leave the range of int in some round
// The same with a test that passes zero by where n is less.
// spmd: block=64 grid=1 out[64] require n <= 100
__global__ void count_down(float *out, int n) {
  float s = 1.0f;
  do s = s * 0.5f; while (--n != 0);
  out[threadIdx.x] = s;
}
