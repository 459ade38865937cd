// spmd: block=128 grid=((groups<<lg)+127)/128 re[groups<<(lg+1)] im[groups<<(lg+1)] wr[1<<lg] wi[1<<lg] outr[groups<<(lg+1)] outi[groups<<(lg+1)] require lg >= 0, lg <= 10, groups > 0, groups <= 10000
__global__ void stage(const float *re, const float *im, const float *wr, const float *wi, float *outr, float *outi, int lg, int groups) {
  int i = blockIdx.x * 128 + threadIdx.x, half = 1 << lg;
  if (i >= groups * half) return;
  int j = i % half, a = i / half * 2 * half + j, b = a + half;
  float tr = wr[j] * re[b] - wi[j] * im[b], ti = wr[j] * im[b] + wi[j] * re[b];
  outr[a] = re[a] + tr;
  outi[a] = im[a] + ti;
  outr[b] = re[a] - tr;
  outi[b] = im[a] - ti;
}
