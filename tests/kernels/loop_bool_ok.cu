// expect: race-free=proved barriers=proved order-free=proved
// A truth that a loop computes, of which nothing is known but that it is a truth; a cell of its own for each thread.
__global__ void legal(const int *board, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bool safe = true;
  for (int j = 0; j < n; j++)
    if (board[j] == board[i] + j) safe = board[j] > 3;
  if (safe) out[i] = safe;
}
