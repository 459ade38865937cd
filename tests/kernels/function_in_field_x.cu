// expect: race-free=refuted
// The first of the functions is true, too: it makes one place of two threads' places.
struct Stage { int (*map)(int); int by; };
__device__ int half_of(int x) { return x / 2; }
__device__ int next_of(int x) { return x + 1; }
__device__ int run(const Stage &stage, int x) { return stage.map ? stage.map(x) + stage.by : x; }
__global__ void k(int *a) {
  Stage stages[3] = {{half_of, 0}, {next_of, 2}, {nullptr, 100}};
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  at = run(stages[2], run(stages[1], run(stages[0], at)));
  a[at] = 1 + threadIdx.x;
}
