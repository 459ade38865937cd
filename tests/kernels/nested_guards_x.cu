// expect: race-free=refuted bounds=proved
// spmd: block=64 grid=1 require n >= 0, n <= 64, m > 0, m <= 64
// The innermost else reaches into cells of the even threads.
__global__ void nested(const int *in, int n, int m) {
  __shared__ int s[256];
  int t = threadIdx.x;
  if (t < n) {
    if (t % 2 == 0) {
      if (in[t] > m) s[t] = 1;
      else s[t] = 2;
    } else if (t >= m) {
      s[t - m] = 4;
    }
  } else {
    s[192 + t - n] = 5;
  }
}
