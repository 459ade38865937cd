// expect: verdict=unknown message=cover .*loop whose number of rounds is not a constant
// A while loop: its trip count is not read.
__global__ void halve(int *out) {
  int t = threadIdx.x;
  while (t > 1) t = t / 2;
  out[threadIdx.x] = t;
}
