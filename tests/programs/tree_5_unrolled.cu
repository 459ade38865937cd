// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=512
// at: block=512 grid=16 n=8000
// Tree reduction unrolled by a template over the size of the block.
template <unsigned SIZE>
__global__ void sum(const int *in, int *out, unsigned n) {
  __shared__ int s[SIZE];
  unsigned t = threadIdx.x, i = blockIdx.x * SIZE + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  if (SIZE >= 512) { if (t < 256) s[t] += s[t + 256]; __syncthreads(); }
  if (SIZE >= 256) { if (t < 128) s[t] += s[t + 128]; __syncthreads(); }
  if (SIZE >= 128) { if (t < 64) s[t] += s[t + 64]; __syncthreads(); }
  int v = 0;
  if (t < 32) {
    v = s[t] + s[t + 32];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  }
  if (t == 0) out[blockIdx.x] = v;
}
template __global__ void sum<512>(const int *, int *, unsigned);
