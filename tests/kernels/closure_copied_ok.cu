// expect: race-free=proved barriers=proved
// A copy of a mutable closure has state of its own: each thread's own counter goes on from where it was copied.
__global__ void k(int *a, int n) {
  auto next = [at = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x]() mutable {
    unsigned now = at;
    at += step;
    return now;
  };
  auto first = next;
  a[next()] = 1;
  a[next()] = threadIdx.x;
  a[first()] = 3;
}
