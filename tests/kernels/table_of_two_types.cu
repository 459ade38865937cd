// expect: verdict=unsupported message=reached as another type
// One table read as pointers to int and to float.
__global__ void k(float **rows) {
  ((int **)rows)[1][threadIdx.x] = 5;
  rows[0][threadIdx.x] = 1;
}
