// A blocked exclusive prefix sum: a sweep up and down in each block, then the sums of the blocks before are added.
// spmd: block=4 grid=2 n=13 require n > 0
__global__ void scan_blocks(const int *in, int *out, int *sums, int n) {
  __shared__ int s[8];
  int t = threadIdx.x;
  int length = 2 * blockDim.x;
  int first = blockIdx.x * length + 2 * t;
  s[2 * t] = first < n ? in[first] : 0;
  s[2 * t + 1] = first + 1 < n ? in[first + 1] : 0;
  int offset = 1;
  for (int active = length / 2; active > 0; active /= 2) {
    __syncthreads();
    if (t < active) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) {
    sums[blockIdx.x] = s[length - 1];
    s[length - 1] = 0;
  }
  for (int active = 1; active < length; active *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < active) {
      int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
      int held = s[left];
      s[left] = s[right];
      s[right] += held;
    }
  }
  __syncthreads();
  if (first < n) out[first] = s[2 * t];
  if (first + 1 < n) out[first + 1] = s[2 * t + 1];
}

// spmd: block=4 grid=2 n=13 require n > 0
__global__ void add_sums(int *out, const int *sums, int n) {
  __shared__ int before;
  if (threadIdx.x == 0) {
    before = 0;
    for (int b = 0; b < blockIdx.x; b++) before += sums[b];
  }
  __syncthreads();
  int length = 2 * blockDim.x;
  for (int i = threadIdx.x; i < length; i += blockDim.x) {
    int at = blockIdx.x * length + i;
    if (at < n) out[at] += before;
  }
}
