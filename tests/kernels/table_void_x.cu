// expect: race-free=refuted
// Pointers to void, followed as float and as bytes.
__global__ void k(void **rows) {
  ((float *)rows[blockIdx.x])[threadIdx.x] = 1;
  ((char *)rows[blockIdx.x])[threadIdx.x] = threadIdx.x;
}
