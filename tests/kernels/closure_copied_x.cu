// expect: race-free=refuted
// The counter is copied before it has moved on, so the copy says the first place again: the same for all blocks.
__global__ void k(int *a, int n) {
  auto next = [at = threadIdx.x, step = blockIdx.x * blockDim.x]() mutable {
    unsigned now = at;
    at += step;
    return now;
  };
  auto first = next;
  next();
  a[first()] = blockIdx.x;
}
