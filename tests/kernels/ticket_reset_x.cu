// expect: race-free=refuted barriers=proved
// spmd: block=64 grid=1
// The counter begins anew between the two pushes.
__global__ void push(const int *in, int *out) {
  __shared__ int length;
  int t = threadIdx.x;
  if (t == 0) length = 0;
  __syncthreads();
  int first = atomicAdd(&length, 1);
  __syncthreads();
  if (t == 0) length = 0;
  __syncthreads();
  int second = atomicAdd(&length, 1);
  if (t & 1) out[first] = in[t] + t;
  else out[second] = in[t] - t;
}
