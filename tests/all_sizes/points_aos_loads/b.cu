struct Point {
  float x, y, z;
};
// spmd: block=128 grid=(n+127)/128 p[3*n] q[3*k] out[n] require n > 0, n <= 100000, k >= 0, k <= 100000
__global__ void potential_points(const float *p, const float *q, float *out, int n, int k) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  const Point *ps = reinterpret_cast<const Point *>(p), *qs = reinterpret_cast<const Point *>(q);
  Point mine = ps[i];
  float sum = 0.0f;
  for (int c = 0; c < k; c++) {
    Point other = qs[c];
    float dx = mine.x - other.x, dy = mine.y - other.y, dz = mine.z - other.z;
    sum += dx * dx + dy * dy + dz * dz;
  }
  out[i] = sum;
}
