// expect: race-free=refuted
// spmd: block=16 grid=1
// The inner loop steps into the next thread's row.
__global__ void table(int *out) {
  int t = threadIdx.x;
  for (int i = 0; i < 3; i++)
    for (int j = 6; j >= 0; j -= 2)
      out[8 * t + i + j] = i * j + t;
}
