// expect: order-free=refuted
// spmd: block=64
// Three of the four.
__global__ void turn(const float *in, float *out) {
  __shared__ float s[256];
  int t = threadIdx.x;
  for (int i = 0; i < 3; i++) s[t + i * 64] = in[blockIdx.x * 256 + t + i * 64];
  __syncthreads();
  for (int i = 0; i < 4; i++) out[blockIdx.x * 256 + t * 4 + i] = s[255 - t * 4 - i];
}
