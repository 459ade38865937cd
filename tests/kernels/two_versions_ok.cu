// expect: race-free=proved barriers=proved
// spmd: block=32 grid=1
// Nobody writes between the two reads.
__global__ void versions(const int *in, int *out) {
  __shared__ int name;
  int t = threadIdx.x;
  if (t == 0) name = in[0];
  __syncthreads();
  int first = name;
  __syncthreads();
  int second = name;
  if (first == t) out[0] = t;
  if (second == t) out[0] = t;
}
