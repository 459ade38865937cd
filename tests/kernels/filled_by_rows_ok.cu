// expect: race-free=proved barriers=proved order-free=proved bounds=proved
// spmd: block=64
// Four writes a thread, a block's width apart, fill the array together; it is read across.
__global__ void turn(const float *in, float *out) {
  __shared__ float s[256];
  int t = threadIdx.x;
  for (int i = 0; i < 4; i++) s[t + i * 64] = in[blockIdx.x * 256 + t + i * 64];
  __syncthreads();
  for (int i = 0; i < 4; i++) out[blockIdx.x * 256 + t * 4 + i] = s[255 - t * 4 - i];
}
