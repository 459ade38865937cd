// expect: verdict=unsupported message=made by a constructor in an initialiser list
// The constructor that makes an element of a list is not seen.
struct Twice { int v; __device__ Twice(int n) : v(2 * n) {} };
__global__ void k(int *a) {
  Twice both[2] = {1, 2};
  a[both[0].v] = 1;
}
