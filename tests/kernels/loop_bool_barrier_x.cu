// expect: barriers=refuted
// A truth that a loop computes, another one for each thread, decides whether a barrier is come to.
__global__ void legal(const int *board, int *out, int n) {
  bool safe = false;
  for (int j = 0; j < n; j++)
    if (board[j] == (int)threadIdx.x) safe = !safe;
  if (safe) __syncthreads();
  out[threadIdx.x + blockDim.x * blockIdx.x] = safe;
}
