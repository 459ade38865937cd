// expect: race-free=refuted
// spmd: block=256 grid=64
// Half of a lane's number as a float, cut to a whole number: two lanes meet.
__global__ void k(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int cell = (int)(i * 0.5f);
  out[cell] = i;
}
