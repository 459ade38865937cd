// expect: bounds=refuted
// spmd: block=64 grid=1
// The operands are the wrong way round: the read comes first.
__global__ void short_circuit(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (s[t + 1] > 0 && t < 63) out[t] = 1;
}
