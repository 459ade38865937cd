// expect: race-free=refuted
// With the two taken for each other the place would be the thread's own; it is the same for all.
__global__ void k(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, step = 0;
  auto one = [=, &i] { return i + step; };
  step = i;
  i = 0;
  a[one()] = step;
}
