// expect: race-free=proved barriers=proved order-free=proved
// spmd: require blockDim.x >= 3
// at: block=256 grid=16
// A stencil over a tile with a halo on both sides.
#define R 3
__global__ void stencil(const int *in, int *out) {
  extern __shared__ int s[];
  int g = blockIdx.x * blockDim.x + threadIdx.x + R, l = threadIdx.x + R;
  s[l] = in[g];
  if (threadIdx.x < R) {
    s[l - R] = in[g - R];
    s[l + blockDim.x] = in[g + blockDim.x];
  }
  __syncthreads();
  int v = 0;
  for (int o = -R; o <= R; o++) v += s[l + o];
  out[g] = v;
}
