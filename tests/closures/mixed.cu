// The same with code of other kinds: functions referred to, functors, lambdas in members, loops and templates.
typedef int (*Map)(int);
typedef int (*Bin)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int sub(int a, int b) { return a - b; }
__device__ int mul(int a, int b) { return a * b; }
__device__ Bin pick(int k) { switch (k) { case 0: return add; case 1: return sub; case 2: return mul; } return nullptr; }
__global__ void function_references(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  Bin f = pick(t);
  out[0] = f ? f(7, 3) : -1;
  Bin fs[] = {add, sub, mul};
  int acc = 1;
  for (auto g : fs) acc = g(acc, t + 2);
  out[1] = acc;
  for (int i = 2; i >= 0; --i) acc = fs[i](acc, i);
  out[2] = acc;
  auto&& r = add;
  out[3] = r(t, 1);
  Bin& s = fs[t % 3];
  out[4] = s(9, 4);
  s = mul;
  out[5] = fs[0](2, 3) + fs[1](2, 3) * 10;
  out[6] = (t ? add : sub)(5, 6);
  out[7] = (*add)(1, 2) + (&sub)(4, 2) + (**fs[2])(3, 3);
  using Fn = int(int, int);
  Fn* q = &add;
  out[8] = q == add;
  out[9] = *q == *fs;
  bool any = false;
  for (Bin g : fs) any |= g == sub;
  out[10] = any;
  int (&ref)(int, int) = mul;
  out[11] = ref(4, 5) + (ref == mul);
  out[12] = !pick(3) + !!pick(0) * 2;
  if (Bin h = pick(t)) out[13] = h(1, 1);
  else out[13] = 99;
  Bin last = nullptr;
  int steps = 0;
  for (int i = 0; i < 4; i++) { Bin cur = pick(i); if (last && cur && last != cur) steps++; last = cur; } out[14] = steps;
  Map m = [](int x) { return x - 1; };
  while (Map(steps ? m : nullptr)) { steps = m(steps); } out[15] = steps;
}
struct Op { Bin f = add; int k = 1;
  __device__ int operator()(int x) const { return f ? f(x, k) : x; }
  __device__ explicit operator bool() const { return f != nullptr; } };
template <Bin F> struct Static { static
  __device__ int call(int x) { return F(x, 2); } static constexpr bool some = F != nullptr; };
template <class F> __device__ int twice(F f, int x) { return f(f(x)); }
__device__ int dflt(int x, Bin f = nullptr, int k = 4) { if (!f) return -x; return f(x, k); }
__global__ void functions_in_objects(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  Op a, b{sub, 3}, c = {nullptr};
  out[0] = a(t) + b(t) * 10 + c(t) * 100;
  out[1] = (a ? 1 : 0) + (c ? 2 : 0);
  Op d = b;
  d.f = t > 1 ? mul : d.f;
  out[2] = d(5);
  out[3] = twice(b, t) + twice(Static<mul>::call, t);
  out[4] = Static<mul>::some;
  out[5] = dflt(t) + dflt(t, add) + dflt(t, sub, 1);
  Op* p = &a;
  p->f = mul;
  p->k = 6;
  out[6] = a(t) + (*p)(1);
  out[7] = p->f == mul && a.f != add;
  Op arr[3];
  arr[1].f = nullptr;
  int n = 0;
  for (const Op& o : arr) n += o.f ? 1 : 10;
  out[8] = n;
  for (Op& o : arr) o.f = o.f ? sub : mul;
  out[9] = arr[0](9) * 100 + arr[1](9);
  Bin* pf = &arr[2].f;
  *pf = nullptr;
  out[10] = arr[2](4);
  Bin** ppf = &pf;
  out[11] = **ppf == 0;
  int k = 0;
  for (Bin f = add; f; f = f == add ? sub : f == sub ? mul : nullptr) k = k * 10 + f(4, 2);
  out[12] = k;
}
template <class F> struct Task { F run; int uses = 0;
  __device__ Task(F f) : run(f) {}
  __device__ auto operator()(int x) { uses++; return run(x); } };
template <class F> __device__ auto task(F f) { return Task<F>(f); }
struct Acc { int total = 0; int calls = 0; __device__ void operator()(int x) { total += x; calls++; } };
struct Lazy { mutable int hits = 0; int base;
  __device__ Lazy(int b) : base(b) {}
  __device__ int operator()(int x) const { hits++; return base + x * hits; } };
template <class F> __device__ F each(int n, F f) { for (int i = 0; i < n; i++) f(i); return f; }
template <class F> __device__ void each_ref(int n, F&& f) { for (int i = 0; i < n; i++) f(i); }
__global__ void functors_and_their_state(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  Acc acc;
  Acc done = each(4, acc);
  out[0] = done.total * 10 + done.calls;
  out[1] = acc.total;
  each_ref(3, acc);
  out[2] = acc.total * 10 + acc.calls;
  auto r = each(5, [s = 0](int x) mutable { s += x; return s; });
  out[3] = r(0);
  each_ref(2, r);
  out[4] = r(0);
  Lazy z(t);
  const Lazy& cz = z;
  cz(1);
  out[5] = z(1) + z.hits;
  auto lz = [z](int x) { return z(x); };
  lz(1);
  out[6] = lz(1);
  out[7] = z(1);
  auto tk = task([n = t](int x) mutable { n += x; return n; });
  tk(1);
  auto tk2 = tk;
  out[8] = tk(1) * 100 + tk2(5);
  out[9] = tk.uses + tk2.uses * 10;
  out[10] = task(tk.run).run.operator()(4) * 100 + tk(0);
  int data[6] = {5, 3, 1, 4, 2, 0};
  auto sorted = [&data](auto less) { for (int i = 0; i < 6; i++) for (int j = 0; j + 1 < 6; j++) if (less(data[j + 1], data[j])) { int x = data[j]; data[j] = data[j + 1]; data[j + 1] = x; } };
  sorted([](int a, int b) { return a < b; });
  out[11] = data[0] * 10 + data[5];
  sorted([t](int a, int b) { return (a ^ t) < (b ^ t); });
  out[12] = data[0] * 10 + data[5];
  int* p = data;
  auto step = [&p](int by) -> int& { p += by; return *p; };
  step(2) = 77;
  step(1)++;
  out[13] = data[2] * 100 + data[3];
  out[14] = *p;
  auto swap = [](auto& a, auto& b) { auto c = a; a = b; b = c; };
  int u = t, v = 9;
  swap(u, v);
  out[15] = u * 10 + v;
}
struct Node { int v; int w;
  template <class F> __device__ void visit(F f) { f(v); f(w); }
  template <class F> __device__ auto map(F f) const { return Node{f(v), f(w)}; } };
struct Matrix { int a[2][2];
  __device__ int& at(int i, int j) { return a[i][j]; }
  __device__ void fill() { auto put = [this](int i, int j) { return [this, i, j](int v) { at(i, j) = v; }; }; for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) put(i, j)(i * 2 + j); }
  __device__ int trace() const { auto diag = [=](int i) { return a[i][i]; }; return diag(0) + diag(1) * 10; } };
struct Made { int x, y; int (*f)(int) = [](int v) { return v * 3; };
  __device__ Made(int n) : x([n] { return n + 1; }()), y([this, n](int k) { return x * k + n; }(2)) {} };
__global__ void lambdas_over_fields(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  Node n{t, 5};
  int s = 0;
  n.visit([&s](int x) { s = s * 10 + x; });
  out[0] = s;
  n.visit([](int& x) { x *= 2; });
  out[1] = n.v * 100 + n.w;
  Node m = n.map([&](int x) { return x + s; });
  out[2] = m.v - m.w;
  Matrix q;
  q.fill();
  out[3] = q.trace();
  auto get = [q](int i) { return q.a[i][1]; };
  q.at(0, 1) = 50;
  out[4] = get(0) * 100 + q.at(0, 1);
  Matrix q2 = q;
  auto set = [&q2](int v) { q2.at(1, 1) = v; };
  set(8);
  out[5] = q2.trace() * 1000 + q.trace();
  Made d(t);
  out[6] = d.x * 1000 + d.y * 10 + d.f(1);
  Made e = d;
  e.f = [](int v) { return v - 1; };
  out[7] = e.f(t) * 10 + d.f(t);
  int i = 0;
  auto seq = [&i] { return i++; };
  int vals[3] = {seq(), seq(), seq()};
  out[8] = vals[0] * 100 + vals[1] * 10 + vals[2];
  Node nn{seq(), seq()};
  out[9] = nn.v * 10 + nn.w;
  auto curry = [](auto f, auto... a) { return [=](auto... b) { return f(a..., b...); }; };
  out[10] = curry([](int a, int b, int c) { return a * 100 + b * 10 + c; }, 1, t)(3);
  out[11] = curry(curry(sub, 10), t)();
  auto fix = [](auto f) { return [f](int x) { return f(x) + f(x + 1); }; };
  out[12] = fix(fix([t](int x) { return x * t; }))(2);
  { int x = 1; { auto f = [x = x + 1] { return [x = x + 1, y = x] { return x * 10 + y; }(); }; x = 50; out[13] = f() + x; } }
  const auto c = [k = 3]() mutable { return ++k; };
  auto c2 = c;
  out[14] = c2() + c2();
  const int& cr = i;
  auto cc = [cr, &cr2 = cr] { return cr * 100 + cr2; };
  i = 42;
  out[15] = cc();
}
__global__ void lambdas_in_loops(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  int n = 0;
  for (int i = 0; i < 3; i++) { auto f = [i, &n] { n += i; return [=] { return n * 10 + i; }; }; auto g = f(); n++; out[i] = g(); }
  auto pairs = [&](auto&& self) -> int { return n; };
  out[3] = pairs(pairs);
  struct Local { int v; __device__ int go() { return [this] { return v++; }() + v; } } l{t};
  out[4] = l.go() * 10 + l.v;
  auto gen = [l]() mutable { return l.go(); };
  gen();
  out[5] = gen() * 100 + l.v;
  decltype(gen) gens[2] = {gen, gen};
  for (int i = 0; i < 4; i++) gens[i % 2]();
  out[6] = gens[0]() * 100 + gens[1]();
  for (auto& g : gens) g();
  for (auto g : gens) g();
  out[7] = gens[t % 2]();
  int x = 10;
  auto lv = [&x](int k) mutable -> int& { return k ? x : x; };
  out[8] = (lv(1) += 5, x);
  auto f = [x](int d) { return x % d; };
  switch (f(4)) { case 3: { auto g = [f] { return f(10); }; out[9] = g(); break; } default: out[9] = -1; }
  out[10] = [&]() -> decltype(auto) { return (x); }()++;
  out[11] = x;
  do { auto h = [=, m = x--] { return m > 12; }; if (!h()) break; n++; } while (true);
  out[12] = n * 100 + x;
  bool side = false;
  auto mark = [&side](bool v) { side = true; return v; };
  bool both = mark(false) && mark(true);
  out[13] = both * 10 + side;
  side = false;
  (void)(true || mark(true));
  out[14] = side;
  out[15] = [](int a, auto... r) { return (a + ... + r); }(t, 1, 2) + [n = t](int k) mutable { while (k--) n *= 2; return n; }(3);
}
namespace ns { template <class T> struct Box { T v;
  __device__ auto get() const { return [*this](T by) { return v + by; }; }
  __device__ auto put() { return [this](T by) -> Box& { v += by; return *this; }; } };
  __device__ auto global_like = [](int x) { return x + 100; }; constexpr auto cubed = [](int x) { return x * x * x; }; }
struct Base { int b = 1;
  __device__ Base() {}
  __device__ int up(int k) { auto f = [this, k] { b += k; return b; }; return f(); } };
struct Derived : Base { int d = 2; int (*m)(int, int) = nullptr;
  __device__ int both(int k) { auto f = [=] { return up(k) * 10 + d; }; d++; return f() + [&, self = this] { return self->d + b; }(); } };
template <class T, int N> struct Vec { T data[N];
  template <class F> __device__ Vec map(F f) const { Vec r; for (int i = 0; i < N; i++) r.data[i] = f(data[i], i); return r; }
  template <class F> __device__ T fold(T s, F&& f) const { for (auto x : data) s = f(s, x); return s; } };
__global__ void templates_and_bases(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  ns::Box<int> b{t};
  auto g = b.get();
  auto p = b.put();
  p(3).v *= 2;
  out[0] = g(1) * 100 + b.v;
  ns::Box<int> c = p(1);
  c.put()(5);
  out[1] = b.v * 100 + c.v;
  out[2] = ns::cubed(t) + ns::cubed(3);
  Derived d;
  out[3] = d.both(4);
  out[4] = d.b * 100 + d.d;
  out[5] = d.m ? 1 : 2;
  Vec<int, 3> v{{1, 2, 3}};
  int k = 10;
  auto w = v.map([k, n = 0](int x, int i) mutable { n += x; return n * k + i; });
  out[6] = w.data[0] + w.data[1] * 2 + w.data[2] * 3;
  out[7] = w.fold(0, [&k](int s, int x) { k++; return s + x; }) * 100 + k;
  auto outer = [v](auto f) { return v.map(f).fold(0, [](int a, int b) { return a * 2 + b; }); };
  v.data[0] = 99;
  out[8] = outer([t](int x, int) { return x + t; });
  int arr[2][2] = {{1, 2}, {3, 4}};
  auto row = [arr](int i) { return [r = arr[i]] { return r[0] * 10 + r[1]; }(); };
  arr[1][0] = 9;
  out[9] = row(1) * 100 + row(0);
  auto ra = [&arr](int i) -> int (&)[2] { return arr[i]; };
  ra(0)[1] = 7;
  out[10] = arr[0][1];
}
__global__ void kinds_of_values(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  float f = 1.5f * t;
  double dd = 2.25;
  unsigned char uc = 250;
  short sh = -3;
  long long ll = 1LL << 40;
  bool bb = t & 1;
  char cc = 'a' + t;
  auto all = [f, dd, uc, sh, ll, bb, cc]() mutable { uc += 10; f += dd; ll >>= 38; return (int)(f * 4) + uc * 100 + sh + (int)ll + bb * 7 + cc; };
  f = 0;
  dd = 0;
  uc = 0;
  bb = !bb;
  cc = 0;
  out[0] = all();
  out[1] = all();
  enum class E { A = 3, B };
  E e = E::B;
  auto en = [e] { return (int)e; };
  e = E::A;
  out[2] = en() * 10 + (int)e;
  int x = 5;
  int* px = &x;
  int** ppx = &px;
  auto ptr = [px, &qx = px, ppx] { return *px + *qx * 10 + **ppx * 100; };
  int y = 7;
  px = &y;
  x = 6;
  out[3] = ptr();
  const char* s = "abc";
  auto cs = [s] { return s != nullptr; };
  out[4] = cs();
  int local[4];
  for (int i = 0; i < 4; i++) { auto w = [i, p = local + i](int v) { *p = v * i; }; w(t + 1); } out[5] = local[1] + local[2] * 10 + local[3] * 100;
  auto cnt = [c = 0]() mutable { return c++; };
  auto use = [](auto f) { f(); f(); return f; };
  auto c2 = use(cnt);
  out[6] = c2() * 10 + cnt();
  auto c3 = use(use(c2));
  out[7] = c3() * 10 + c2();
  struct Agg { int a; decltype(cnt) c; int b; };
  Agg ag{1, cnt, 2};
  ag.c();
  Agg ah = ag;
  ah.c();
  out[8] = ag.c() * 10 + ah.c();
  Agg* pa = &ag;
  out[9] = pa->c() + pa->c() * 10;
  Agg many[2] = {ag, ah};
  many[0].c();
  many[1] .c();
  out[10] = many[t & 1].c();
  out[11] = many[0].c() * 10 + many[1].c();
  auto cond = t & 1 ? ag : ah;
  out[12] = cond.c();
  out[13] = (t & 1 ? ag : ah).c();
  out[14] = ag.c() * 10 + ah.c();
  auto&& rr = use(cnt);
  out[15] = rr() + rr() * 10;
}
__global__ void order_of_effects(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  int i = t;
  out[0] = [i](int j) { return i * j; }(i = 4);
  out[1] = [&i](int j) { return i * j; }(i = 5);
  out[2] = (i++, [=](int a) { return a - i; })(i + 10);
  auto mk = [&i](int k) { i += k; return [=](int z) { return i * 10 + z; }; };
  out[3] = mk(1)(2) - mk(2)(3);
  int arr[3];
  int at = 0;
  arr[at++] = [&] { return at; }();
  arr[at++] = [=] { return at; }();
  arr[at] = 9;
  out[4] = arr[0] * 100 + arr[1] * 10 + arr[2];
  i = 0;
  int r = 0;
  for (auto f = [&i] { return i < 5; }; f(); i++) r += [=] { return i * i; }();
  out[5] = r;
  i = 0;
  while ([=]() mutable { return i++ < 3; }()) { i++; } out[6] = i;
  auto ternary = t > 1 ? +[](int a) { return a; } : +[](int a) { return -a; };
  out[7] = ternary(6);
  i = 3;
  bool q = i == 3 && [=] { return i == 3; }() && (i = 4) && [=] { return i == 4; }();
  out[8] = q * 10 + i;
  switch ([=] { return i + t; }()) { case 4: out[9] = 40; break; case 5: { auto z = [i] { return i; }; i = 1; out[9] = z(); break; } default: out[9] = [] { return 1; }(); }
  out[10] = [n = i, m = (i = 70, i)] { return n * 100 + m; }();
  out[11] = i;
  int z = 1;
  z += [&] { z = 5; return 2; }();
  out[12] = z > 0;
  auto a1 = [z = 10, w = z] { return z + w; };
  out[13] = a1() > 0;
  int u = 2;
  u = [=] { return u * 3; }();
  u = [&] { u++; return u * 2; }();
  out[14] = u;
  out[15] = [u] { return [=] { return [=] { return u; }(); }(); }();
}
template <class F> struct Ref { F& f; __device__ Ref(F& g) : f(g) {} __device__ int operator()() { return f(); } };
template <class F> struct CRef { const F& f; int k; __device__ int operator()() const { return f() + k; } };
template <class F, class... A>
  __device__ decltype(auto) call(F&& f, A&&... a) { return static_cast<F&&>(f)(static_cast<A&&>(a)...); }
template <class F> __device__ int many(F f) { int s = 0; for (int i = 0; i < 3; i++) s = s * 10 + f(); return s; }
template <class F> __device__ auto memo(F f) { return [f, known = false, v = 0](int x) mutable { if (!known) { v = f(x); known = true; } return v; }; }
__global__ void references_to_closures(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  auto c = [n = t]() mutable { return n++; };
  Ref<decltype(c)> r(c);
  r();
  out[0] = r() * 10 + c();
  Ref<decltype(c)> r2 = r;
  out[1] = r2() * 10 + r();
  out[2] = many(r) * 10 + c();
  out[3] = many(c) * 10 + c();
  int k = 3;
  auto d = [&k] { return k; };
  CRef<decltype(d)> cr{d, 5};
  k = 4;
  out[4] = cr();
  auto cw = [cr, &k] { k++; return cr(); };
  out[5] = cw() * 10 + k;
  int v = 1;
  call([](int& x, int y) { x += y; }, v, 5);
  out[6] = v;
  call([&v](auto&&... xs) { ((v = v * 2 + xs), ...); }, 1, 2, t);
  out[7] = v;
  int& rv = call([&v]() -> int& { return v; });
  rv = 8;
  out[8] = v;
  auto m = memo([&v](int x) { v++; return x * v; });
  out[9] = m(2);
  out[10] = m(9) + v * 100;
  auto mm = memo(m);
  out[11] = mm(5) + m(1);
  auto m3 = memo([t](int x) { return x + t; });
  auto m4 = m3;
  m3(1);
  out[12] = m3(7) * 100 + m4(7);
  auto deep = [x = 1](auto f) mutable { x++; return f(x); };
  out[13] = deep([&](int& y) { y *= 10; return y; }) + deep([](int y) { return y; }) * 1000;
  auto lazy = [&, t](int by) { return [&, by] { v += by; return v * 10 + t; }; };
  auto l1 = lazy(1), l2 = lazy(2);
  l1();
  out[14] = l2() + l1();
  out[15] = v;
}
