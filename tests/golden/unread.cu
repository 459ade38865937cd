__global__ void k(int *a) {
  asm("nop;");
  a[threadIdx.x] = 1;
}
