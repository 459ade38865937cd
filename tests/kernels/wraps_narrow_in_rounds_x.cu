// expect: verdict=unknown
// spmd: block=8 grid=1
// An index cut to 16 bits comes round after some thousand rounds.
__global__ void narrow(int *out, int n) {
  int t = threadIdx.x;
  for (int j = 0; j < n; j++) out[(unsigned short)(t + 12 * j)] = t;
}
