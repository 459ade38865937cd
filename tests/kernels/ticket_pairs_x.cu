// expect: race-free=refuted
// spmd: block=64 grid=1 require n == 64
// Each update takes one slot and writes two.
__global__ void push(const int *in, int *out, int *length, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int at = atomicAdd(length, 1);
    out[at] = in[i] + i;
    out[at + 1] = -in[i];
  }
}
