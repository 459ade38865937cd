// expect: verdict=proved no-wrap=proved race-free=proved
// A 64-bit index cannot overflow at any launch.
__global__ void long_index(const float *in, float *out) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
