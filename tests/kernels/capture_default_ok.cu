// expect: race-free=proved barriers=proved
// A default by reference with one variable by value, and the other way round.
__global__ void k(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, step = 0;
  auto one = [&, i] { return i + step; };
  auto two = [=, &step] { step += gridDim.x * blockDim.x; return i + step; };
  i = 0;
  a[one()] = 1;
  a[two()] = 2 + threadIdx.x;
}
