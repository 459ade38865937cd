// expect: race-free=refuted
// The float4 of one thread covers the float of another.
__global__ void k(float **rows) {
  ((float4 *)rows[blockIdx.x])[threadIdx.x] = make_float4(1, 2, 3, 4);
  rows[blockIdx.x][3 * threadIdx.x] = 2;
}
