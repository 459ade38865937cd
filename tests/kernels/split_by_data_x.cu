// expect: barriers=refuted
// spmd: block=64 grid=1
// A warp that leaves early by data keeps the other one waiting.
__global__ void part(int n, int *a, const int *b) {
  int t = threadIdx.x;
  if (b[t / 32]) {
    a[t] = 1;
    __syncwarp();
    a[t ^ 1] = 2;
  }
  for (int i = 0; i < n; i++) {
    __syncthreads();
    if (b[t / 32]) break;
  }
}
