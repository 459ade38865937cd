// expect: no-wrap=refuted
// spmd: block=1024 grid=2097153
// One block more and the index leaves int.
__global__ void last_int(int *out) {
  int i = (int)blockIdx.x * 1024 + (int)threadIdx.x;
  out[i] = i;
}
