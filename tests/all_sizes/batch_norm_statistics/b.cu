// spmd: block=64 grid=channels x[batch*channels*pixels] mean[channels] var[channels] require batch > 0, channels > 0, pixels > 0, batch <= 1000, channels <= 1000, pixels <= 1000
__global__ void statistics_block(const float *x, float *mean, float *var, int batch, int channels, int pixels) {
  __shared__ float s1[64], s2[64];
  int t = threadIdx.x, c = blockIdx.x, count = batch * pixels;
  float s = 0.0f, q = 0.0f;
  for (int k = t; k < count; k += 64) {
    float v = x[(k / pixels * channels + c) * pixels + k % pixels];
    s += v;
    q += v * v;
  }
  s1[t] = s;
  s2[t] = q;
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) {
      s1[t] += s1[t + d];
      s2[t] += s2[t + d];
    }
    __syncthreads();
  }
  if (t == 0) {
    float m = s1[0] / count;
    mean[c] = m;
    var[c] = s2[0] / count - m * m;
  }
}
