// A binary search for a key a thread: the data steer the loop and what it reads, the answer goes to the thread's own cell.
// spmd: block=4 grid=2 n=7 length=9 require n > 0, length > 0
__global__ void binary_search(const int *sorted, const int *keys, int *found, int n, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int low = 0, high = length;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (sorted[middle] < keys[i]) low = middle + 1;
    else high = middle;
  }
  found[i] = low;
}
