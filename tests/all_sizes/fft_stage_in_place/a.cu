// spmd: block=128 grid=(count+127)/128 re[2*count] im[2*count] wr[half*step] wi[half*step] require half > 0, half <= 1024, count > 0, count <= 1000000, count % half == 0, step > 0, step <= 1024
__global__ void stage(float *re, float *im, const float *wr, const float *wi, int half, int step, int count) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= count) return;
  int j = i % half, a = i / half * 2 * half + j, b = a + half;
  float c = wr[j * step], s = wi[j * step];
  float tr = c * re[b] - s * im[b], ti = c * im[b] + s * re[b];
  float ar = re[a], ai = im[a];
  re[a] = ar + tr;
  im[a] = ai + ti;
  re[b] = ar - tr;
  im[b] = ai - ti;
}
