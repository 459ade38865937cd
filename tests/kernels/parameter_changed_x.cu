// expect: barriers=refuted
// spmd: block=32 grid=1 require n > 0
// Thread 3 changes its own n, which is then no longer the same for all.
__global__ void changed(int *out, int n) {
  if (threadIdx.x == 3) n = 0;
  if (n > 0) __syncthreads();
  out[threadIdx.x] = n;
}
