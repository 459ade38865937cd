// expect: race-free=refuted
// spmd: block=64 grid=2048
// Two blocks 1024 apart meet after the cast.
__global__ void narrow(int *out) {
  unsigned short i = blockIdx.x * 64 + threadIdx.x;
  out[i] = blockIdx.x;
}
