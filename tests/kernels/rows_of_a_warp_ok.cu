// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=32,4 grid=8 require rows >= 1 && count >= 1 && count <= 32
// Of two rows a warp has as many as are left. What is handed on of the others has no value in any of its lanes, and is dropped.
__global__ void k(float *out, const float *in, int rows, int count) {
  int first = (blockDim.y * blockIdx.x + threadIdx.y) * 2;
  int mine = rows - first;
  if (mine > 2) mine = 2;
  float held[2];
  for (int i = 0; i < mine; i++) held[i] = threadIdx.x < count ? in[(first + i) * count + threadIdx.x] : 0.f;
  for (int m = 16; m > 0; m /= 2)
    for (int i = 0; i < 2; i++) held[i] += __shfl_xor_sync(0xffffffff, held[i], m);
  for (int i = 0; i < 2; i++) {
    if (i >= mine) break;
    if (threadIdx.x < count) out[(first + i) * count + threadIdx.x] = held[i] * 2.f;
  }
}
