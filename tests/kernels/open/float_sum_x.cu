// expect: race-free=refuted
// spmd: block=4 grid=1
// One of the threads adds in another order, and floats round.
__global__ void sum(const float *in, float *out) {
  if (threadIdx.x == 0) out[0] = (in[0] + in[1]) + in[2];
  if (threadIdx.x == 1) out[0] = in[0] + (in[1] + in[2]);
}
