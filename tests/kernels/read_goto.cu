// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// A jump.
__global__ void jump(int *out) {
  if (threadIdx.x > 3) goto end;
  out[threadIdx.x] = 1;
end:
  out[threadIdx.x + 32] = 2;
}
