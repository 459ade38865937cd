// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// A fence is no barrier, and must not be passed over.
__global__ void publish(int *data, int *flag) {
  data[threadIdx.x] = 1;
  __threadfence();
  flag[threadIdx.x] = 1;
}
