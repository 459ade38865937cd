// expect: bounds=proved race-free=proved
// spmd: block=64 grid=1
// The right operand of && is not read for the last thread.
__global__ void short_circuit(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 63 && s[t + 1] > 0) out[t] = 1;
  out[64 + t] = t == 0 || s[t - 1] > 0 ? 1 : 2;
}
