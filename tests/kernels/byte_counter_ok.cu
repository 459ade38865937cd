// expect: race-free=proved bounds=proved
// spmd: block=32 grid=1
// The counter goes from 250 over 255 to 4, eleven rounds.
__global__ void counter(int *out) {
  __shared__ int s[32][11];
  int t = threadIdx.x;
  int n = 0;
  for (unsigned char k = 250; k != 5; k++) {
    s[t][n] = k;
    n++;
  }
  out[t] = s[t][10];
}
