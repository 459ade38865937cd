// expect: race-free=refuted
// Blocks take overlapping parts of a table.
// spmd: block=64 grid=2
__global__ void k(float **rows) {
  __shared__ float *r[4];
  if (threadIdx.x < 4) r[threadIdx.x] = rows[blockIdx.x * 3 + threadIdx.x];
  __syncthreads();
  for (int i = 0; i < 4; i++) r[i][threadIdx.x] = blockIdx.x;
}
