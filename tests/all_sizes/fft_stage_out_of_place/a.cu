// spmd: block=128 grid=(count+127)/128 re[2*count] im[2*count] wr[half] wi[half] require half > 0, half <= 1024, count > 0, count <= 1000000, count % half == 0
__global__ void stage(float *re, float *im, const float *wr, const float *wi, int half, int count) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= count) return;
  int j = i % half, a = i / half * 2 * half + j, b = a + half;
  float tr = wr[j] * re[b] - wi[j] * im[b], ti = wr[j] * im[b] + wi[j] * re[b];
  float ar = re[a], ai = im[a];
  re[a] = ar + tr;
  im[a] = ai + ti;
  re[b] = ar - tr;
  im[b] = ai - ti;
}
