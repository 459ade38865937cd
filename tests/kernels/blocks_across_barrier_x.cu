// expect: race-free=refuted barriers=proved
// spmd: block=32 grid=4
// Each segment alone is clean; a block's reads after its barrier meet another block's writes before.
__global__ void ring(int *data, int *out) {
  int i = blockIdx.x * 32 + threadIdx.x;
  data[i] = i;
  __syncthreads();
  out[i] = data[(i + 32) % 128];
}
