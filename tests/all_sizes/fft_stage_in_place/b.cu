// spmd: block=64 grid=blocks re[2*count] im[2*count] wr[half*step] wi[half*step] require half > 0, half <= 1024, count > 0, count <= 1000000, count % half == 0, step > 0, step <= 1024, blocks > 0, blocks <= 1000
__global__ void stage_strided(float *re, float *im, const float *wr, const float *wi, int half, int step, int count, int blocks) {
  for (int i = blockIdx.x * 64 + threadIdx.x; i < count; i += gridDim.x * 64) {
    int group = i / half, j = i - group * half, a = 2 * group * half + j, b = a + half;
    float ar = re[a], ai = im[a], br = re[b], bi = im[b], c = wr[step * j], s = wi[step * j];
    float tr = c * br - s * bi, ti = c * bi + s * br;
    re[b] = ar - tr;
    re[a] = ar + tr;
    im[b] = ai - ti;
    im[a] = ai + ti;
  }
}
