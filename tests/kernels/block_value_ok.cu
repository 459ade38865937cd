// expect: race-free=proved
// A maximum as a statement expression of GNU C, nested, with effects, in a loop.
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
__global__ void k(float *a, const int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, calls = 0;
  for (int j = 0; j < 3; j++) calls += MAX(MAX(j, 1), ({ int x = calls++; x * x; }));
  if (i < MAX(n, 0)) a[MAX(i, MAX(-1, 0))] = calls;
}
