// expect: verdict=unsupported message=left before its end
// A block that a return leaves has no value.
__global__ void k(int *a, int n) {
  int m = ({ if (n > 3) return; n; });
  a[threadIdx.x] = m;
}
