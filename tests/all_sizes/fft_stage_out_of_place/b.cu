// spmd: block=64 grid=blocks re[2*count] im[2*count] wr[half] wi[half] to_re[2*count] to_im[2*count] require half > 0, half <= 1024, count > 0, count <= 1000000, count % half == 0, blocks > 0, blocks <= 1000
__global__ void stage_apart(const float *re, const float *im, const float *wr, const float *wi, float *to_re, float *to_im, int half, int count, int blocks) {
  for (int i = blockIdx.x * 64 + threadIdx.x; i < count; i += gridDim.x * 64) {
    int group = i / half, j = i - group * half, a = 2 * group * half + j, b = a + half;
    float ar = re[a], ai = im[a], br = re[b], bi = im[b], c = wr[j], s = wi[j];
    float tr = c * br - s * bi, ti = c * bi + s * br;
    to_re[a] = ar + tr;
    to_re[b] = ar - tr;
    to_im[a] = ai + ti;
    to_im[b] = ai - ti;
  }
}
