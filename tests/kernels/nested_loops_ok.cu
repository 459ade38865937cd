// expect: race-free=proved bounds=proved
// spmd: block=16 grid=1
// Two loops, one counting down by two, fill a table with a row a thread.
__global__ void table(int *out) {
  __shared__ int s[16][12];
  int t = threadIdx.x;
  for (int i = 0; i < 3; i++)
    for (int j = 6; j >= 0; j -= 2)
      s[t][i + j] = i * j;
  __syncthreads();
  out[t] = s[15 - t][8];
}
