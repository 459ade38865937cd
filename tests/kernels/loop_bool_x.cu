// expect: race-free=refuted barriers=proved
// A truth that a loop computes lets every thread through to one cell.
__global__ void legal(const int *board, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bool safe = true;
  for (int j = 0; j < n; j++)
    if (board[j] == board[i] + j) safe = board[j] > 3;
  if (safe) out[0] = i;
}
