// spmd: block=32 grid=(channels+31)/32 x[batch*channels*pixels] mean[channels] var[channels] require batch > 0, channels > 0, pixels > 0, batch <= 1000, channels <= 1000, pixels <= 1000
__global__ void statistics(const float *x, float *mean, float *var, int batch, int channels, int pixels) {
  int c = blockIdx.x * 32 + threadIdx.x;
  if (c >= channels) return;
  float s = 0.0f;
  for (int b = 0; b < batch; b++)
    for (int p = 0; p < pixels; p++) s += x[(b * channels + c) * pixels + p];
  float m = s / (batch * pixels), q = 0.0f;
  for (int b = 0; b < batch; b++)
    for (int p = 0; p < pixels; p++) {
      float d = x[(b * channels + c) * pixels + p] - m;
      q += d * d;
    }
  mean[c] = m;
  var[c] = q / (batch * pixels);
}
