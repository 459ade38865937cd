// expect: barriers=refuted
// spmd: block=64 grid=1
// Every thread meets one barrier, but not the same one.
__global__ void two_places(int *out) {
  if (threadIdx.x < 32) {
    out[threadIdx.x] = 1;
    __syncthreads();
  } else {
    __syncthreads();
    out[threadIdx.x] = 2;
  }
}
