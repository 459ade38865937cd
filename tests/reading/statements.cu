// Heads of statements, computed by a C++ compiler and by this tool (test_closures.py). A kernel fills sixteen cells a thread.
#define INC t++;
#define WHEN(test) if (test)
#define FOREVER for (;;)
#define UPTO(n) for (int i = 0; i < n; i++)
__global__ void heads_of_if(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x, x = 0, z = 0;
  if (x = 5; t == 2) z = 1; else z = 2;
  out[0] = z * 10 + x;
  if (int y = t + 1; y > 2) z = y; else z = -y;
  out[1] = z;
  if (int y = t) z = y + 5; else z = 100 + y;
  out[2] = z;
  if (x = 5 + t; int y = x - 5) z = y; else z = 100 + y;
  out[3] = z * 10 + x;
  if (int k = t; int y = k - 1) z = y + k; else z = 100 + y + k;
  out[4] = z;
  if (x = 1'0; t * 10 == 1'0) z = 5; else z = 6;
  out[5] = z * 100 + x;
  if (x = 1'1; t * 10 == 1'0) z = 7;
  out[6] = z * 100 + x;
  if (; t == 1) z = 8;
  out[7] = z;
  WHEN(t == 1) t == 2; else z = 9;
  out[8] = z;
  if (INC t == 2) z = 5; else z = 6;
  out[9] = z * 10 + t;
  if (INC t == 3) z = 7;
  out[10] = z * 10 + t;
  if constexpr (sizeof(int) == 4) z = 1; else z = 2;
  out[11] = z;
  if (char c = ';'; c == t) z = 3;
  out[12] = z;
}

__global__ void heads_of_for(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x, s = 0, i = 0;
  for (; i < 3;) s += i++;
  out[0] = s;
  for (i = 1'0;; i++) if (i > 1'2) break; else s += i;
  out[1] = s;
  for (;; i++) if (i > 15) break; else s += t;
  out[2] = s;
  for (; i < 1'8; i += 1'0) s++;
  out[3] = s * 100 + i;
  FOREVER { if (s++ > 70) break; }
  out[4] = s;
  UPTO(3) s += i;
  out[5] = s;
  for (i = 0; i < 2; i++) s += 2;
  out[6] = s;
  for (i = 3; ; ) { s++; break; }
  out[7] = s * 10 + i;
  switch (t) { case 0: s = 1; break; case 1: s = 2; default: s += 3; }
  out[8] = s;
}

struct Twice { int v; __device__ Twice(int x) : v(x * 2) {} };
struct Marked { int v; __device__ Marked(int x = 0) : v(x) {} __device__ Marked(const Marked& o) : v(o.v + 100) {} };
typedef int Three[3];
__device__ Three& counted(Three& a, int& n) { n++; return a; }
struct Row { int a[3]; __device__ int sum() const { int s = 0; for (int x : a) s += x; return s; } };
__global__ void range_of_plain_arrays(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  float f[3] = {1.5f, 2.5f, (float)t};
  int s = 0, a[4] = {1, 2, 3, t};
  for (float v : f) s += (int)(2 * v);
  out[0] = s;
  for (int& v : a) v++;
  for (auto v : a) s += v;
  out[1] = s;
  for (const auto& v : a) { if (v == 3) continue; if (v == 4) break; s = s * 2 + v; }
  out[2] = s;
  for (const int v : a) s += v;
  out[3] = s;
  int m[2][2] = {{1, 2}, {3, t}};
  for (auto& row : m) for (int v : row) s = s * 3 + v;
  out[4] = s;
  Row r[2] = {{{1, 2, 3}}, {{4, 5, t}}};
  for (Row x : r) { x.a[0] = 0; s += x.sum(); }
  for (Row& x : r) x.a[0] = 7;
  out[5] = s * 100 + r[0].sum() + r[1].sum();
}

__global__ void range_variables(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x, s = 0;
  float a[2] = {1.5f, 2.7f};
  for (int x : a) s += x;
  out[0] = s;
  unsigned char u[2] = {200, 100};
  for (char c : u) s += c;
  out[1] = s;
  int b[2] = {-1, 300};
  for (unsigned char c : b) s += c;
  for (bool q : b) s += q;
  out[2] = s;
  for (Twice w : b) s += w.v;
  for (const Twice& w : b) s += w.v;
  out[3] = s;
  s = 0;
  for (const int& x : a) { a[0] = 9; a[1] = 7; s = s * 100 + x; }
  out[4] = s;
  for (auto&& x : a) x += t;
  out[5] = a[0] * 100 + a[1];
  Marked m[2];
  m[0].v = t, m[1].v = 5;
  s = 0;
  for (Marked x : m) s += x.v;
  out[6] = s;
  for (auto& x : m) s += x.v;
  out[7] = s;
  for (const auto& x : m) s += x.v;
  for (auto x : m) s += x.v;
  out[8] = s;
}

__global__ void ranges_are_looked_up_once(int* out) {
  out += 16 * threadIdx.x;
  int a[3] = {1, 2, 3}, b[3] = {10, 20, 30}, n = 0, s = 0, i = 0;
  for (int x : counted(a, n)) s += x;
  out[0] = s * 10 + n;
  for (int x : (n++, a)) s += x;
  out[1] = s * 10 + n;
  int(*p)[3] = &a;
  for (int x : *p) { s += x; p = &b; }
  out[2] = s;
  int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
  s = 0;
  for (int x : m[i]) { s = s * 10 + x; i = 1; }
  out[3] = s;
  for (int x : m[i++]) s += x;
  out[4] = s * 10 + i;
  for (int x : Row{{7, 8, i}}.a) s += x;
  out[5] = s;
}
