// spmd: block=64 grid=2 re[groups<<(lg+1)] im[groups<<(lg+1)] wr[1<<lg] wi[1<<lg] outr[groups<<(lg+1)] outi[groups<<(lg+1)] require lg >= 0, lg <= 10, groups > 0, groups <= 10000
__global__ void stage_strided(const float *re, const float *im, const float *wr, const float *wi, float *outr, float *outi, int lg, int groups) {
  int mask = (1 << lg) - 1, count = groups << lg;
  for (int i = blockIdx.x * 64 + threadIdx.x; i < count; i += 128) {
    int j = i & mask, a = ((i >> lg) << (lg + 1)) | j, b = a + mask + 1;
    float ar = re[a], ai = im[a], br = re[b], bi = im[b], c = wr[j], s = wi[j];
    float tr = c * br - s * bi, ti = c * bi + s * br;
    outr[a] = ar + tr;
    outr[b] = ar - tr;
    outi[a] = ai + ti;
    outi[b] = ai - ti;
  }
}
