// expect: order-free=refuted
// A cell is left free behind every 32: i goes to i + i / 32. Cells behind are read, which nobody writes.
// spmd: block=64
__global__ void padded(float *out, const float *in) {
  __shared__ float temp[136];
  int a = threadIdx.x, b = a + 64;
  temp[a + (a >> 5)] = in[blockIdx.x * 128 + a];
  temp[b + (b >> 5)] = in[blockIdx.x * 128 + b];
  __syncthreads();
  int c = 2 * a + 1;
  out[blockIdx.x * 64 + a] = temp[c + (c >> 4)];
}
