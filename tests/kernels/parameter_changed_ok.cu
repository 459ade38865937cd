// expect: barriers=proved race-free=proved
// spmd: block=32 grid=1
// All threads change n in the same way.
__global__ void changed(int *out, int n) {
  n = n / 2;
  if (n > 0) __syncthreads();
  out[threadIdx.x] = n;
}
