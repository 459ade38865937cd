// expect: verdict=unsupported message=:5:3: a pointer that is read from memory
// spmd: block=32 grid=1
// Rows that may be anywhere.
__global__ void jagged(int **rows) {
  rows[threadIdx.x][0] = 1;
}
