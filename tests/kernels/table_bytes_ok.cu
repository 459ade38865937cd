// expect: race-free=proved
// A row is reached as float4 and as float.
__global__ void k(float **rows) {
  ((float4 *)rows[blockIdx.x])[threadIdx.x] = make_float4(1, 2, 3, 4);
  rows[blockIdx.x][4 * threadIdx.x + 1] = 2;
}
