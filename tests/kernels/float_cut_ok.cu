// expect: verdict=proved
// spmd: block=256 grid=64
// Half of a lane's number as a float, cut to a whole number: the even lanes have cells of their own.
__global__ void k(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int cell = (int)(i * 0.5f);
  if (i % 2 == 0) out[cell] = i;
}
