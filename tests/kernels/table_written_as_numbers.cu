// expect: verdict=unsupported message=where the kernel writes such pointers
// The table is written as numbers.
__global__ void k(float **rows) {
  ((unsigned long long *)rows)[1] = 5;
  rows[0][threadIdx.x] = 1;
}
