// expect: verdict=refuted race-free=refuted
// spmd: block=32 grid=1 out[1]
// The macro ends its own statement: t is counted up before the test, and 26 threads write what they have.
#define INC t++;
__global__ void k(int* out) {
  int t = threadIdx.x;
  if (INC t > 5) out[0] = t;
}
