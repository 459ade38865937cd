// The order in which C++17 evaluates, computed by a C++ compiler and by this tool (test_closures.py). A kernel fills sixteen cells a
// thread.
struct Digit {
  int v;
  __device__ Digit& operator=(const Digit& o) { v = o.v * 10; return *this; }
  __device__ Digit& operator+=(int k) { v += k; return *this; }
  __device__ Digit& operator<<(int k) { v = v * 10 + k; return *this; }
  __device__ int get(int k) const { return v * 10 + k; }
  __device__ int operator()(int k) const { return v * 10 + k; }
  __device__ int& operator[](int k) { v = v * 10 + k; return v; }
};
__device__ Digit& operator-=(Digit& d, int k) { d.v -= k; return d; }
struct Plain { int a[3]; };
struct Pair { int x, y; };
__device__ int& put(int* p, int& i, int v) { return p[i++] = v; }
__device__ int& stepped(int& x) { return ++x; }
__device__ int& set(int& x, int v) { x = v; return x; }

__global__ void objects_before_arguments(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  Digit a[3] = {{1}, {2}, {3}};
  int i = 0;
  out[0] = a[i].get(i++);
  out[1] = i;
  i = 0;
  out[2] = a[i](i++);
  Digit* p = a;
  out[3] = p->get((p++, 7));
  out[4] = p->v;
  i = 1;
  out[5] = a[i].get(t) + a[i + 1](t);
  i = 0;
  out[6] = a[i++][i];
  out[7] = a[0].v * 100 + a[1].v;
  auto f = [t](int k) { return t * 10 + k; };
  decltype(f) g[2] = {f, f};
  i = 0;
  out[8] = g[i](++i);
  out[9] = g[i - 1](i = 0);
  i = 0;
  out[10] = a[i].operator()(++i);
}

__global__ void assignments_from_the_right(int* out) {
  out += 16 * threadIdx.x;
  Digit a[3] = {{1}, {2}, {3}};
  int i = 0;
  a[i++] = Digit{i + 5};
  out[0] = a[0].v, out[1] = a[1].v;
  i = 0;
  a[i++] += i;
  out[2] = a[0].v, out[3] = a[1].v;
  i = 0;
  a[i] += i++;
  out[4] = a[0].v, out[5] = a[1].v;
  i = 1;
  a[i] -= i++;
  out[6] = a[1].v, out[7] = a[2].v;
  i = 0;
  a[i++] << i << i++ << i;
  out[8] = a[0].v;
  i = 0;
  a[i].operator+=(i++);
  out[9] = a[0].v, out[10] = a[1].v;
  a[1] = a[2];
  a[1] += 3;
  out[11] = a[1].v;
  int m[3] = {1, 2, 3};
  i = 0;
  m[i] = i++ + 7;
  out[12] = m[0] * 100 + m[1];
}

__global__ void arrays_before_subscripts(int* out) {
  out += 16 * threadIdx.x;
  int m[2][3] = {{1, 2, 3}, {4, 5, 6}}, i = 0;
  out[0] = m[i][++i];
  i = 0;
  auto f = [&] { return ++i; };
  out[1] = m[i][f()];
  Plain s[2] = {{{7, 8, 9}}, {{10, 11, 12}}};
  i = 0;
  out[2] = s[i].a[++i];
  i = 0;
  m[i][++i] = 50;
  out[3] = m[0][1] * 100 + m[1][1];
  i = 0;
  out[4] = m[i++][i];
  out[5] = m[1][2] + s[1].a[i];
}

__global__ void assignments_as_places(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  int a[4] = {1, 2, 3, 4}, i = 0, x = t;
  (x = 5) += 2;
  out[0] = x;
  (a[i++] += 2) = 7;
  out[1] = a[0] * 10 + i;
  int& r = (a[i++] = 5);
  r++;
  out[2] = a[1] * 10 + i;
  set(++a[i++], 9);
  out[3] = a[2] * 10 + i;
  int* p = a;
  (*p++ = 5) += 1;
  out[4] = a[0] * 10 + *p;
  i = 0;
  put(a, i, 5) += 1;
  out[5] = a[0] * 10 + i;
  stepped(stepped(a[0]));
  out[6] = a[0];
  Pair s[3] = {{1, 2}, {3, 4}, {5, 6}};
  i = 0;
  (s[i++] = s[2]).x = 4;
  out[7] = s[0].x * 100 + s[0].y * 10 + i;
  Pair& q = s[i++] = {8, 9};
  q.y = 1;
  out[8] = s[1].x * 100 + s[1].y * 10 + i;
  i = 0;
  (a[i] = i++ + 7) += 1;
  out[9] = a[0] * 100 + a[1];
  (a[a[0] = 1] = 3)++;
  out[10] = a[0] * 100 + a[1];
  ++(++x);
  out[11] = x;
}

struct Stack {
  int d[8];
  int n = 0;
  __device__ int& push(int v) { return d[n++] = v; }
  __device__ int pop() { return d[--n]; }
  __device__ Stack& operator<<(int v) { d[n++] = v; return *this; }
};
__global__ void a_stack(int* out) {
  out += 16 * threadIdx.x;
  Stack b;
  b.push(1);
  b.push(threadIdx.x) += 2;
  b << 3 << 4;
  out[0] = b.n;
  int s = 0;
  while (b.n) s = s * 10 + b.pop();
  out[1] = s;
  out[2] = b.n;
}

__device__ int by_default(int& r, int x = (3, 5)) { return r + x; }
__device__ constexpr int sets(int& n) { return (n = 5, 3); }
__device__ constexpr int square(int n) { return n * n; }
__device__ constexpr int larger(const int& a, const int& b) { return a < b ? b : a; }
__device__ constexpr int factorial(const int& n) { return n ? n * factorial(n - 1) : 1; }
__global__ void effects_of_constants(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  out[0] = by_default(t);
  out[1] = sets(t) * 10 + t;
  out[2] = square(5) + square(t);
  const int k = (t++, 4);
  out[3] = k * 10 + t;
  out[4] = larger(2, 5) * 10 + larger(t, 2) + factorial(5);
}
