// expect: bounds=proved race-free=proved
// spmd: block=4,3,2 grid=1
// A shared array of rank three.
__global__ void rank_three(const int *in, int *out) {
  __shared__ int s[2][3][4];
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  s[z][y][x] = in[(3 * z + y) * 4 + x];
  __syncthreads();
  out[(3 * z + y) * 4 + x] = s[1 - z][2 - y][3 - x];
}
