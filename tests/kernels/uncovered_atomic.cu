// expect: verdict=unknown message=cover .*atomic operation
// An atomic counter.
__global__ void count(int *sum) {
  atomicAdd(sum + threadIdx.x % 2, 1);
}
