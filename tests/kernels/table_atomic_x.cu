// expect: race-free=refuted
// A plain write beside them.
__global__ void k(int **rows) {
  atomicAdd(&rows[0][0], 1);
  if (threadIdx.x == 0) rows[0][0] = 4;
}
