// expect: verdict=unsupported message='rows'
// spmd: block=32 grid=1
// Rows that may be anywhere.
__global__ void jagged(int **rows) {
  rows[threadIdx.x][0] = 1;
}
