// Values and the places they are copied from, computed by a C++ compiler and by this tool (test_closures.py). A kernel fills sixteen
// cells a thread.
struct Count { int v; __device__ int next() { return ++v; } __device__ Count& add(int k) { v += k; return *this; } };
__device__ int spoil(Count&& c) { c.v = -5; return 1; }
__device__ int seen(const Count& c, Count& other) { other.v = 33; return c.v; }
__device__ int keep(const int& a, int& b) { b = 77; return a; }
__device__ int through(int&& a, int& b) { a += 2; return a * 100 + b; }
__device__ Count passed(Count c) { c.v *= 2; return c; }
__device__ Count& same(Count& c) { return c; }

__global__ void plain_copies(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  Count a{t}, b = a, c(b);
  b.next();
  out[0] = a.v * 100 + b.v * 10 + c.v;
  const Count& r = a;
  a.v = 9;
  out[1] = r.v;
  out[2] = passed(a).v * 10 + a.v;
  same(a).next();
  out[3] = a.v;
  Count d = same(a);
  d.next();
  out[4] = a.v * 100 + d.v;
  int x = t;
  const int& y = x;
  auto&& z = (x);
  x = 5;
  out[5] = y * 10 + z;
  out[6] = keep(x, x);
}

__global__ void copies_are_objects(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  Count q{t};
  out[0] = Count(q).next();
  out[1] = Count(q).add(5).v * 100 + q.v;
  out[2] = Count{q}.next() * 100 + q.v;
  const Count& r = Count(q);
  q.v = 50;
  out[3] = r.v;
  auto&& z = Count{q};
  q.v = 60;
  out[4] = z.v;
  out[5] = static_cast<Count>(q).next() * 100 + q.v;
  out[6] = ((Count)q).next() * 100 + q.v;
  Count w{9};
  out[7] = (t > 1 ? q : Count(w)).next();
  out[8] = q.v * 100 + w.v;
  out[9] = (t > 1 ? q : w).next();
  out[10] = q.v * 100 + w.v;
  out[11] = passed(q).next() * 1000 + q.v;
}

__global__ void copies_bound_to_references(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  Count q{t};
  spoil(Count(q));
  out[0] = q.v;
  out[1] = seen(Count(q), q);
  q.v = t;
  spoil(static_cast<Count&&>(q));
  out[2] = q.v;
  q.v = t;
  out[3] = seen(q, q);
  int x = t;
  out[4] = through(int(x), x);
  out[5] = through(static_cast<int&&>(x), x);
  out[6] = through(+x, x) * 10 + x;
  out[7] = through(t ? x : 3, x) * 10 + x;
}

__global__ void values_bound_to_references(int* out) {
  out += 16 * threadIdx.x;
  int x = threadIdx.x, y = 50;
  bool c = x > 1;
  auto&& r = +x;
  const int& a = (int)x;
  const int& b = static_cast<int>(x);
  const int& d = int(x);
  const int& e = c ? x : +y;
  const int& f = c ? x : y;
  auto&& g = (0, +x);
  auto&& h = int{x};
  const float& i = x;
  const int& j = x, &k = -x;
  x = 15;
  y = 51;
  out[0] = r, out[1] = a, out[2] = b, out[3] = d, out[4] = e, out[5] = f, out[6] = g, out[7] = h, out[8] = i, out[9] = j, out[10] = k;
  int p = 1;
  out[11] = keep(+p, p) * 100 + p;
  p = 1;
  out[12] = keep((int)p, p);
  p = 1;
  out[13] = keep(p + 0, p);
  p = 1;
  out[14] = keep(int(p), p);
}

__global__ void choices_as_places(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  int a = 1, b = 2;
  const int c = 4;
  (t > 1 ? a : b) = 9;
  out[0] = a * 10 + b;
  const int& r = t > 1 ? a : 5;
  const int& y = t > 1 ? c : a;
  const int& z = t > 1 ? a : c;
  out[1] = keep(t > 1 ? c : a, a);
  a = 66;
  out[2] = r * 100 + y;
  out[3] = z;
  out[4] = (t > 1 ? c : a) + (t ? c : 3);
  int& q = t & 1 ? a : b;
  q = 7;
  out[5] = a + b;
  int m[2] = {1, 2}, n[2] = {3, 4};
  out[6] = (t > 1 ? m : n)[1];
  auto&& x = t > 1 ? (int&&)a : (int&&)b;
  x = 55;
  out[7] = a + b;
}

__global__ void copies_of_closures(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  auto f = [n = t]() mutable { return ++n; };
  out[0] = decltype(f)(f)();
  out[1] = f();
  auto&& g = decltype(f)(f);
  g();
  g();
  out[2] = f();
  auto h = decltype(f)(f);
  h();
  out[3] = f();
  out[4] = (t ? f : decltype(f)(f))();
  out[5] = f();
}

#define BITS(x) reinterpret_cast<int&>(x)
using IntRef = int&;
template <class T> __device__ int bits_via(float f) { return reinterpret_cast<T>(f); }
__global__ void casts_to_references(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  float f = t + 1.5f;
  out[0] = reinterpret_cast<int&>(f);
  out[1] = BITS(f);
  out[2] = reinterpret_cast<IntRef>(f);
  out[3] = (IntRef)f;
  out[4] = reinterpret_cast<decltype(t)&>(f);
  out[5] = (decltype(t)&)f;
  out[6] = bits_via<int&>(f);
  out[7] = IntRef(f);
  out[8] = static_cast<const int&>(f);
  out[9] = (const int&)t;
  BITS(f) = 0x40400000;
  out[10] = (int)f;
  ((unsigned&)t) += 7u;
  out[11] = t;
  static_cast<int&>(t)++;
  out[12] = t;
  const int& c = t;
  const_cast<int&>(c) = 99;
  out[13] = t;
  float row[2] = {f, 1.0f};
  out[14] = reinterpret_cast<int(&)[2]>(row)[1];
}

struct Refers { int& r; const int& c; int v; };
__global__ void references_in_objects(int* out) {
  out += 16 * threadIdx.x;
  int x = threadIdx.x, y = 2;
  float f = 3.5f;
  Refers a{x, y, 3};
  a.r = 9;
  y = 7;
  out[0] = x * 100 + a.c * 10 + a.v;
  Refers b{x, x + 1, 0};
  x = 0;
  out[1] = b.c * 10 + b.r;
  Refers c{y, +y, 1};
  y = 55;
  out[2] = c.c * 100 + c.r;
  Refers d{y, f};
  f = 8;
  out[3] = d.c * 10 + d.v;
}

struct First { int a; };
struct Second { int b; __device__ int twice() { return 2 * b; } };
struct Both : First, Second { int c; };
template <class T> struct Counted { int n = 0; __device__ T& inc() { n++; return static_cast<T&>(*this); } };
struct Start { int q; __device__ Start() : q(1) {} };
struct Counter : Start, Counted<Counter> { int k = 4; __device__ Counter& more() { k++; return *this; } };
__global__ void bases_at_a_distance(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  Both x{{1}, {2}, 3};
  Second* p = &x;
  Second& r = x;
  out[0] = static_cast<Both*>(p)->c;
  out[1] = static_cast<Both&>(r).a;
  out[2] = static_cast<Both*>(p) == &x;
  out[3] = ((Both*)p)->b;
  out[4] = x.twice() + p->twice() + r.twice();
  out[5] = reinterpret_cast<Second*>(&x)->b;
  out[6] = reinterpret_cast<Second&>(x).b;
  p->b = 7 + t;
  out[7] = x.b;
  Both* n = t > 1 ? &x : nullptr;
  Second* m = n;
  out[8] = m == nullptr;
  out[9] = m ? m->b : -1;
  Both* none = nullptr;
  Second* nothing = none;
  out[10] = (nothing == nullptr) * 2 + !nothing;
  Counter j;
  j.inc().more().inc();
  out[11] = j.n * 100 + j.k * 10 + j.q;
  First* q = &x;
  out[12] = static_cast<Both*>(q)->c + ((Both*)q)->b;
}
