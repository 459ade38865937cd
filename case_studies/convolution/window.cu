// spmd: block=64 grid=(n+255)/256 n=1003 require n >= 1, n <= 1000000000
// Four neighbouring outputs a thread: a window of seven inputs slides along in registers.
__global__ void convolve(const float *in, const float *taps, float *out, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  float window[7];
  for (int k = 0; k < 6; k++) {
    int j = first + k - 3;
    window[k] = j >= 0 && j < n ? in[j] : 0.0f;
  }
  for (int i = first; i < first + 4 && i < n; i++) {
    window[6] = i + 3 < n ? in[i + 3] : 0.0f;
    float sum = 0.0f;
    for (int k = 0; k < 7; k++) sum += taps[k] * window[k];
    out[i] = sum;
    for (int s = 0; s < 6; s++) window[s] = window[s + 1];
  }
}
