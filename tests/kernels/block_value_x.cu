// expect: race-free=refuted
// The maximum with 1 sends the first two threads to one cell.
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
__global__ void k(float *a) {
  int i = threadIdx.x;
  a[MAX(i, 1)] = i;
}
