// How objects are made, computed by a C++ compiler and by this tool (test_closures.py). A kernel fills sixteen cells a thread.
#define COPIED(S) struct S { int v; __device__ S(int x) : v(x) {} __device__ S(const S& o) : v(o.v + 1) {} };
#define SEVEN(S) struct S { int v; __device__ S() { v = 7; } };
#define FIELD(T, n) T n = 5
#define WHOLE struct Whole { int a = 4; int b{5}; int c = 0; };
#define NEW_PAIR Pair()
#define ALL(N) struct N { int a = 4; int b; __device__ ~N() {} __device__ N(int k) : b(k) {} __device__ N(const N& o) : a(o.a + 1), b(o.b) {} \
                          __device__ N& operator=(const N& o) { a = o.a + 10; b = o.b; return *this; } }
COPIED(FromMacro)
SEVEN(MadeByMacro)
WHOLE
ALL(Everything);
struct Fields { FIELD(int, x); int y; };
struct Pair { int x, y; };
struct Defaults { int a[2] = {1, 2}; int b = 3; int c[2]; };
__global__ void objects_of_macros(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  FromMacro a(t);
  FromMacro b = a;
  out[0] = b.v;
  MadeByMacro c;
  out[1] = c.v;
  Fields d;
  d.y = 1;
  Fields e{}, f = {};
  out[2] = d.x * 100 + (e.x + e.y) * 10 + f.x;
  Whole g, h{}, i{1};
  out[3] = (g.a + g.b * 10) * 10000 + (h.a + h.b * 10) * 100 + i.a + i.b * 10;
  Pair p = NEW_PAIR;
  out[4] = p.x + p.y;
  Everything k(t);
  Everything l = k;
  out[5] = l.a * 10 + l.b;
  l = k;
  out[6] = l.a;
  Pair q{}, r = Pair(), s = {1};
  out[7] = q.x + r.y + s.x * 10 + s.y;
  Defaults u{}, v;
  v.c[0] = t;
  out[8] = u.a[0] * 1000 + u.b * 100 + u.c[1] * 10 + v.c[0] + v.b;
}

struct Writes { __device__ Writes(int* p) { *p += 3; } };
struct Kept : Writes { int y; __device__ Kept(int* p) : Writes(p), y(*p) {} };
struct None {};
struct OnNone : None { int y, z; };
struct Before { int a; };
struct Mixed : Before, None { int y; };
template <int N> struct Sized { int p, q; };
struct OfSized : Sized<3> { int r; __device__ OfSized(int k) : Sized<3>{k, 2}, r(1) {} };
struct OfCall : Pair { int r; __device__ static Pair made(int k) { return {k, k + 1}; } __device__ OfCall(int k) : Pair(made(k)), r(y) {} };
struct Delegates { int a, b; __device__ Delegates(int x, int y) : a(x), b(y) {} __device__ Delegates(int x) : Delegates(x, x + 1) {} };
struct Derived : Delegates { int c; __device__ Derived(int x) : Delegates(x), c(b) {} };
__global__ void bases_are_made(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x, x = 1;
  Kept k(&x);
  out[0] = x * 10 + k.y;
  OnNone n{{}, 2 + t};
  out[1] = n.y * 10 + n.z;
  Mixed m{{4}, {}, t};
  out[2] = m.a * 10 + m.y;
  OfSized s(t);
  out[3] = s.p * 100 + s.q * 10 + s.r;
  OfCall c(t);
  out[4] = c.x * 100 + c.y * 10 + c.r;
  Derived d(t);
  out[5] = d.a * 100 + d.b * 10 + d.c;
}

struct Union { union { int a; float b; }; int c; __device__ Union(int k) : a(k), c(a + 1) {} };
struct Nested { int q; struct { int w; union { int e; char r[4]; }; }; };
struct Steps { int a; union { int b; float f; }; int c; __device__ Steps(int k) : a(k), b(a + 1), c(b + 1) {} };
__global__ void unnamed_members(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  Union u(t);
  out[0] = u.a * 10 + u.c;
  Nested z{1, {2, {3}}}, y;
  out[1] = z.q + z.w * 10 + z.e * 100 + z.r[0];
  y = z;
  y.e = t;
  y.w++;
  out[2] = y.r[0] * 100 + y.w * 10 + z.w;
  auto f = [y] { return y.e + y.w; };
  y.e = 9;
  out[3] = f();
  Steps s(t);
  out[4] = s.a * 100 + s.b * 10 + s.c;
}

template <class T> constexpr T pi = T(3.14159);
template <class T> constexpr int table_of[2] = {sizeof(T), 7};
struct Doubled { int v; constexpr Doubled(int x) : v(x * 2) {} constexpr int get() const { return v + 1; } };
constexpr Doubled EIGHT(4);
constexpr Whole WHOLE_ONE, WHOLE_TWO{2};
constexpr int squared(int k) { return k * k; }
constexpr Pair paired(int k) { return {k, k + 1}; }
constexpr Pair PAIR = paired(4), PAIRS[2] = {{1, 2}, paired(2)};
constexpr int SQUARES[3] = {squared(1), squared(2), squared(3)};
template <int N> struct Squares { int d[N]; constexpr Squares() : d() { for (int i = 0; i < N; i++) d[i] = i * i; } };
constexpr Squares<5> MORE;
constexpr auto plus_four = [](int x) { return x + 4; };
struct Held { decltype(plus_four) f; int k; };
constexpr Held HELD{plus_four, 3};
constexpr auto FROM_LAMBDA = [] { Whole d; d.a = 9; return d; }();
struct Static { static constexpr Doubled D{3}; static constexpr float f = 2.5f; static constexpr int a[2] = {4, 5}; };
__global__ void constants_of_the_file(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  out[0] = EIGHT.get();
  out[1] = WHOLE_ONE.a * 100 + WHOLE_ONE.b * 10 + WHOLE_TWO.a;
  out[2] = PAIR.x * 10 + PAIR.y;
  out[3] = PAIRS[1].y + PAIRS[t & 1].x;
  out[4] = SQUARES[t % 3];
  out[5] = MORE.d[t];
  out[6] = HELD.f(t) * HELD.k;
  out[7] = FROM_LAMBDA.a * 10 + FROM_LAMBDA.b;
  out[8] = Static::D.get() + (int)(Static::f * 2) + Static::a[t & 1];
  out[9] = (int)(pi<float> * 100) + pi<int>;
  out[10] = table_of<int>[t & 1] + table_of<char>[0];
  static constexpr Doubled inside(7);
  out[11] = inside.get();
}

typedef int (*Map)(int);
__device__ int one_more(int x) { return x + 1; }
__device__ int doubled(int x) { return x * 2; }
__device__ Map choose(int k) { return k & 1 ? one_more : doubled; }
template <class T> __device__ Map chosen(T k) { return k ? doubled : one_more; }
struct Table {
  Map f;
  __device__ Map get(int k) const { return k ? f : one_more; }
  __device__ Map operator[](int k) const { return k ? f : one_more; }
  __device__ static Map of(int k) { return k ? doubled : one_more; }
  __device__ operator Map() const { return f; }
};
__device__ const Map& one_of(const Map& a, const Map& b, bool c) { return c ? a : b; }
__device__ int call(const Map& p, int x) { return p(x); }
typedef Map (*Chooser)(int);
__device__ Chooser chooser() { return choose; }
__global__ void calls_of_what_calls_return(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  out[0] = choose(t)(10);
  out[1] = chosen(t)(10) * 100 + chosen<bool>(t)(10);
  out[2] = Table::of(t)(10);
  Table a{doubled};
  out[3] = a.get(t)(10);
  out[4] = a[t](10);
  out[5] = a(10);
  out[6] = chooser()(t)(10);
  auto l = [](int k) -> Map { return k ? one_more : doubled; };
  out[7] = l(t)(10);
  Map f = one_more;
  const Map g = doubled;
  out[8] = one_of(f, g, t > 1)(7);
  out[9] = call(one_of(f, g, t > 1), 7);
  out[10] = call(t > 1 ? f : g, 8);
}

struct Stage { Map f; int k; };
__global__ void functions_in_chosen_objects(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  Stage a{one_more, 1}, b{doubled, 2}, c{t > 1 ? doubled : nullptr, 3};
  out[0] = (t > 1 ? b : a).f(3);
  out[1] = (t < 9 ? c : a).f ? 1 : 2;
  Stage m[3] = {{one_more, 1}, {doubled, 2}, {nullptr, 3}};
  Stage& p = t < 2 ? m[t] : b;
  out[2] = p.f(3) * 10 + p.k;
  auto make = [](Map f) { return [f](int x) { return f(x); }; };
  auto x = make(one_more), y = make(doubled);
  out[3] = (t > 1 ? x : y)(3);
  auto& r = t > 1 ? x : y;
  out[4] = r(3);
  auto z = t > 1 ? x : y;
  out[5] = z(4);
}

struct Five { __device__ int five() const { return 5; } };
struct Copied : Five { int x; __device__ Copied(int k) : x(k) {} __device__ Copied(const Copied& o) : Five(o), x(o.x + 1) {} };
struct Assigned : Five {
  int x;
  __device__ Assigned(int k) : Five(), x(k) {}
  __device__ Assigned(const Assigned& o) : Five{o}, x(o.x + 1) {}
  __device__ Assigned& operator=(const Assigned& o) { Five::operator=(o); x = o.x + 7; return *this; }
};
struct Rooted { int r; __device__ Rooted(int k) : r(k) {} __device__ Rooted(const Rooted& o) : r(o.r + 1) {} };
struct Grown : Rooted { int g; __device__ Grown(int k) : Rooted(k), g(k) {} __device__ Grown(const Grown& o) : Rooted(o), g(o.g + 10) {} };
struct Inner { int a = 3; int b{4}; };
struct Outer { Inner i; int z; __device__ Outer() : z(2) {} };
struct OnInner : Inner { int k = a + 2; };
__device__ int five_by_value(Five f) { return f.five(); }
__device__ int five_by_reference(const Five& f) { return f.five(); }
__global__ void objects_copied_in_parts(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  Copied f(t), g = f;
  out[0] = g.x;
  Assigned h(t), i = h;
  out[1] = i.x;
  i = h;
  out[2] = i.x;
  out[3] = five_by_value(f) + five_by_reference(g) + g.five();
  static_cast<Five&>(f) = Five();
  out[4] = f.x;
  Five e = f;
  out[5] = e.five();
  Grown a(t), b = a;
  out[6] = b.r * 100 + b.g;
  Rooted r = a;
  const Rooted& s = Grown(t);
  out[7] = r.r * 10 + s.r;
  out[8] = static_cast<Rooted>(a).r * 100 + Grown(a).g;
  Outer o;
  OnInner n;
  out[9] = o.i.a * 1000 + o.i.b * 100 + o.z * 10 + n.k;
  struct Whole2 { Inner i; int z = 2; } w{}, v{{7}};
  out[10] = w.i.a * 100 + w.z * 10 + v.i.a + v.i.b;
}
