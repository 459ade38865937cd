// Closures and function values, computed by a C++ compiler and by this tool (test_closures.py). A kernel fills sixteen cells a thread.
typedef int (*Map)(int);
__device__ int twice(int x) { return 2 * x; }
__device__ int next_of(int x) { return x + 1; }
__device__ int half_of(int x) { return x / 2; }
template <class F> __device__ int apply(F f) { return f(); }
template <class F> __device__ int apply_ref(F& f) { return f(); }
template <class F> __device__ int apply_const(const F& f) { return f(); }
template <class F> __device__ int forward(F&& f, int x) { return f(x); }
template <class F> __device__ int apply_to(F f, int x) { return f(x); }
template <class F> __device__ F pass(F f) { return f; }
template <class F> __device__ int count_twice(F f) { f(); return f(); }

// -- functions as values ---------------------------------------------------------------------------

__device__ int or_else(Map f, int x) { return f ? f(x) : -x; }
__global__ void function_truth(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  Map f = half_of, none = nullptr, zero = 0;
  out[0] = or_else(half_of, t) * 100 + or_else(none, t);
  out[1] = f ? 1 : 2;
  out[2] = none ? 1 : 2;
  if (f) out[3] = 1; else out[3] = 2;
  out[4] = !f;
  out[5] = !none;
  out[6] = f && t;
  out[7] = none || t;
  out[8] = f == nullptr;
  out[9] = nullptr != f;
  out[10] = zero == none;
  bool b = f, c = none;
  out[11] = b * 2 + c;
  out[12] = f == half_of;
  out[13] = f == twice;
  out[14] = (f != none) + 2 * (none == 0) + 4 * static_cast<bool>(f) + 8 * bool(none);
  out[15] = half_of ? 5 : 6;
}

template <Map F> __device__ int by_argument(int x) { return F ? F(x) : x; }
template <Map F> __device__ int by_constant(int x) { if constexpr (F != nullptr) return F(x); else return x; }
__global__ void function_as_template_argument(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x + 3;
  out[0] = by_argument<half_of>(t);
  out[1] = by_argument<twice>(t);
  out[2] = by_argument<nullptr>(t);
  out[3] = by_constant<next_of>(t) * 100 + by_constant<nullptr>(t);
}

struct Stage { Map map; int by; };
struct Chain { Stage stages[3]; };
__device__ int run_chain(const Chain& c, int x) {
  for (int i = 0; i < 3 && c.stages[i].map; i++) x = c.stages[i].map(x) + c.stages[i].by;
  return x;
}
__global__ void functions_in_structs_and_arrays(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  Stage s = {half_of, 3}, e = {};
  out[0] = s.map ? s.map(t) + s.by : -1;
  out[1] = e.map ? 1 : -1;
  Map table[4] = {half_of, twice, nullptr};
  int sum = 0;
  for (int i = 0; i < 4; i++) sum = sum * 10 + (table[i] ? table[i](t) : 7);
  out[2] = sum;
  Chain chain = {{{twice, 1}, {half_of, 2}, {nullptr, 100}}};
  out[3] = run_chain(chain, t);
  chain.stages[2].map = next_of;
  out[4] = run_chain(chain, t);
  Stage copy = s;
  copy.map = nullptr;
  out[5] = (s.map != nullptr) * 2 + (copy.map != nullptr);
  out[6] = (table[t % 4] == half_of) + 2 * (table[t % 4] == nullptr);
}

__global__ void functions_swapped_in_a_loop(int* out) {
  out += 16 * threadIdx.x;
  Map a = half_of, b = twice;
  int x = threadIdx.x + 1;
  for (int i = 0; i < 5; i++) {
    x = a(x) + 1;
    Map t = a; a = b; b = t;
  }
  out[0] = x;
  Map c = half_of;
  int rounds = 0;
  while (c) { rounds++; c = c == half_of ? twice : c == twice ? next_of : nullptr; }
  out[1] = rounds;
  Map d = nullptr;
  do { d = d ? nullptr : half_of; rounds += 10; } while (d);
  out[2] = rounds;
  for (Map f = half_of; f; f = nullptr) rounds += 100;
  out[3] = rounds;
  Map e = threadIdx.x % 2 ? half_of : nullptr;
  out[4] = e ? e(8) : 1;
  Map* p = &e;
  *p = twice;
  out[5] = e(3) + (*p)(4) + (**p)(5);
  Map& r = e;
  r = next_of;
  out[6] = e(3) + r(3);
}

__global__ void lambdas_as_functions(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  auto square = [](int x) { return x * x; };
  Map f = square, g = +[](int x) { return x + 5; };
  constexpr auto thrice = [](int x) constexpr { return 3 * x; };
  Map h = thrice;
  out[0] = f(t) + g(t) * 10 + h(t) * 100;
  out[1] = f ? 1 : 0;
  out[2] = or_else([](int x) { return x - 9; }, t);
  out[3] = f == g;
  out[4] = or_else(+square, t) + or_else(square, t);
  Map k[2] = {[](int x) { return x + 1; }, [](int x) { return x + 2; }};
  out[5] = k[t % 2](10);
  constexpr int nine = thrice(3);
  int room[nine];
  room[t] = 4;
  out[6] = nine + room[t];
  void (*store)(int*, int) = [](int* at, int v) { *at = v; };
  store(out + 7, 42 + t);
}

// -- copies of closures ----------------------------------------------------------------------------

__global__ void mutable_copies(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  auto next = [n = t]() mutable { return n++; };
  next();
  auto copy = next;
  out[0] = copy() * 100 + copy();
  out[1] = next();
  out[2] = apply(next) * 100 + next();
  out[3] = count_twice(next) * 100 + next();
  out[4] = apply_ref(next) * 100 + next();
  auto& same = next;
  out[5] = same() * 100 + next();
  auto moved = pass(next);
  out[6] = moved() * 100 + next();
  auto inner = [next]() mutable { return next(); };
  out[7] = inner() * 1000 + inner() * 100 + next();
  auto shared = [&next] { return next(); };
  out[8] = shared() * 1000 + shared() * 100 + next();
  auto both = [&next, next2 = next]() mutable { return next() * 100 + next2(); };
  out[9] = both() + both();
  out[10] = next();
  auto last = both;
  out[11] = last() - both();
}

template <class F> struct Holder { F f; int n; __device__ int operator()() { return f() + n; } };
template <class F> __device__ Holder<F> hold(F f, int n) { return {f, n}; }
template <class F> struct Pair { F a, b; };
__global__ void closures_in_structs(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  auto next = [n = t]() mutable { return ++n; };
  Holder<decltype(next)> one{next, 100};
  auto two = one;
  out[0] = one() + one();
  out[1] = two();
  out[2] = next();
  auto three = hold(one, 1000);
  out[3] = three() + one();
  Pair<decltype(next)> pair = {next, next};
  pair.a(); pair.a();
  out[4] = pair.a() * 100 + pair.b();
  auto other = pair;
  other.b();
  out[5] = other.b() * 100 + pair.b();
  decltype(next) several[3] = {next, next, next};
  several[1](); several[1]();
  out[6] = several[0]() + 10 * several[1]() + 100 * several[2]();
  several[t % 3]();
  out[7] = several[0]() + 10 * several[1]() + 100 * several[2]();
  auto* p = &several[0];
  (*p)();
  out[8] = several[0]();
  auto around = [=]() mutable { return several[1]() + pair.a(); };
  out[9] = around() * 1000 + around();
  out[10] = several[1]() + pair.a();
}

template <class T> __device__ auto counter(T from, int step) { return [=]() mutable { from += step; return from; }; }
template <class F, class G> __device__ auto compose(F f, G g) { return [f, g](int x) { return g(f(x)); }; }
__device__ auto adder(int n) { return [n](int x) { return x + n; }; }
__device__ auto by_reference(int& n) { return [&n](int x) { n += x; return n; }; }
__device__ auto curried(int a) { return [a](int b) { return [a, b](int c) { return a * 100 + b * 10 + c; }; }; }
__device__ auto early(int n) { auto f = [n](int x) { return x * n; }; if (n > 1) return f; auto g = f; return g; }
__global__ void closures_returned(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  auto one = counter(t, 2), two = counter(10, 3);
  auto three = counter(2.5, t);
  out[0] = one() * 100 + one();
  out[1] = two() * 100 + one();
  out[2] = (int)(three() * 2);
  auto f = compose(adder(1), adder(t));
  auto g = compose(f, [](int x) { return x * x; });
  out[3] = f(5) * 1000 + g(3);
  int sum = 0;
  auto add = by_reference(sum);
  add(3); add(t);
  out[4] = sum * 100 + add(1);
  out[5] = curried(1)(t)(3);
  out[6] = adder(5)(t);
  auto fs = early(t);
  out[7] = fs(7);
  auto a1 = adder(1), a2 = adder(20);
  out[8] = a1(t) * 100 + a2(t);
  auto chosen = t % 2 ? a1 : a2;
  out[9] = chosen(0);
  int total = 0;
  for (int i = 0; i < 3; i++) { auto a = adder(i); total = total * 10 + a(t); }
  out[10] = total;
}

// -- when captures are taken -----------------------------------------------------------------------

__device__ int second(int, int b) { return b; }
template <class F, class G> __device__ int both(F f, G g) { return f() * 10 + g(); }
__global__ void captures_taken_where_evaluated(int* out) {
  out += 16 * threadIdx.x;
  int i = 5 + threadIdx.x;
  if (i = 0, apply([=] { return i; }) == 0) out[0] = 1; else out[0] = 2;
  switch (i = 3, apply([i] { return i; })) { case 3: out[1] = 1; break; default: out[1] = 2; }
  int rounds = 0;
  i = 0;
  while (apply([=] { return i < 3; })) { i++; rounds++; }
  out[2] = rounds;
  for (i = 0; apply([=] { return i < 4; }); apply([&] { return ++i; })) rounds++;
  out[3] = rounds;
  do rounds++; while (apply([i, rounds] { return rounds < 10; }));
  out[4] = rounds;
  i = 1;
  out[5] = (i = 0, true) && apply([=] { return i == 0; });
  out[6] = (i = 2) != 2 || apply([=] { return i == 2; });
  out[7] = (i = 7) ? apply([=] { return i; }) : 0;
  i = 4;
  out[8] = (i++, apply([=] { return i; })) + apply([=] { return i * 100; });
  int v = (i = 9, apply([=] { return i; })), w = (i = 8, apply([i] { return i; }));
  out[9] = v * 10 + w;
  out[10] = apply([n = i++] { return n; }) * 100 + i;
  int a[3] = {i++, apply([=] { return i; }), (i += 5, apply([=] { return i; }))};
  out[11] = a[0] * 10000 + a[1] * 100 + a[2];
  Stage s = {nullptr, (i = 6, apply([=] { return i; }))};
  out[12] = s.by;
  auto late = [=] { return i; };
  i = 77;
  out[13] = late() * 100 + apply([&] { return i; });
  for (int k = 0; apply([k] { return k < 2; }); k++) rounds += apply([=] { return k * 10; });
  out[14] = rounds;
  out[15] = false && apply([n = i = 1234] { return n; }) ? 1 : i;
}

__global__ void lists_of_captures(int* out) {
  out += 16 * threadIdx.x;
  int i = threadIdx.x, m = 6, x = 1, y = 2;
  auto a = [i, y = m & i] { return i * 10 + y; };
  auto b = [y = i && m, i] { return y * 10 + i; };
  auto c = [ /* &i, */ i /* by value */ , & y // & x
             , x = (x, y) ] { y++; return i * 100 + x; };
  i += 50; m = 0;
  out[0] = a(); out[1] = b(); out[2] = c(); out[3] = y;
  i = threadIdx.x;
  auto d = [&, i] { x += i; y += i; return x; };
  auto e = [=, &x] { x++; return y + i; };
  i = 9; y = 40;
  out[4] = d(); out[5] = e(); out[6] = x; out[7] = y;
  auto f = [&r = x, &z = x, k{i}, l(m)]() mutable { r = 3; k++; l--; return z + k * 10 + l; };
  out[8] = f() + f(); out[9] = x;
  auto g = <:=, &m:> { m = i; return x; };
  i = 1; x = 2;
  out[10] = g() * 10 + m;
#define BY_VALUE i, x
#define BY_REFERENCE & y
#define MAKE(list) [list] { return i + x; }
  auto h = [BY_VALUE, BY_REFERENCE] { y = 5; return i * 10 + x; };
  auto j = MAKE(BY_VALUE);
  i = 8; x = 8; y = 0;
  out[11] = h() * 100 + j(); out[12] = y;
  int q[2] = {1, 2};
  auto l = [q, v = q[1] & 3, &w = q[0]]() mutable { q[0] += 10; w++; return q[0] * 10 + v; };
  out[13] = l() * 1000 + l(); out[14] = q[0];
  auto n = [i = i + 1, x = i] { return i * 10 + x; };
  i = 0;
  out[15] = n();
}

template <class... T> __device__ int by_value(T... xs) {
  auto f = [xs...] { return (... * xs); };
  auto g = [=] { return (xs + ... + 0); };
  int made[] = {(xs = 3)...};
  return f() * 100 + g() + (made[0] - 3);
}
template <class... T> __device__ int by_place(T&... xs) {
  auto f = [&xs...](int by) { int made[] = {(xs += by)...}; return made[0]; };
  auto g = [&](auto by) { return ((xs *= by) + ...); };
  return f(1) * 1000 + g(2);
}
__global__ void packs(int* out) {
  out += 16 * threadIdx.x;
  int a = threadIdx.x + 1, b = 2;
  long c = 5;
  out[0] = by_value(a, b, c);
  out[1] = by_place(a, b);
  out[2] = a * 100 + b;
  out[3] = by_place(c);
  out[4] = c;
}

// -- this ------------------------------------------------------------------------------------------

struct Cell {
  int v, w = 3;
  int made = [this] { return v + w; }();
  __device__ Cell(int n) : v(n) {}
  __device__ int by_this() { auto f = [this] { return ++v; }; f(); return f() * 10 + w; }
  __device__ int by_copy() { auto f = [*this]() mutable { return ++v; }; f(); return f() * 100 + v; }
  __device__ int implied() { auto f = [=] { v += 2; return v; }; auto g = [&] { return f() + w; }; return g() * 100 + v; }
  __device__ int named() { auto f = [self = *this, me = this] { me->w++; return self.w * 10 + me->w; }; return f() * 100 + w; }
  __device__ int nested() { return [this] { return [=](int k) { w = k; return [*this] { return v * 10 + w; }(); }(4); }(); }
  __device__ int method() { auto f = [this](auto k) { return add(k) + this->add(k); }; return f(1); }
  __device__ int add(int k) { return v += k; }
  __device__ auto later() { return [this](int k) { return add(k); }; }
  __device__ auto frozen() const { return [*this](int k) { return v + k; }; }
};
struct Wide : Cell { int z = 2; __device__ Wide(int n) : Cell(n) {} __device__ int sum() { return [this] { z++; v++; return v * 10 + z; }(); } };
__global__ void this_captured(int* out) {
  out += 16 * threadIdx.x;
  Cell c(threadIdx.x);
  out[0] = c.made;
  out[1] = c.by_this(); out[2] = c.by_copy(); out[3] = c.implied(); out[4] = c.named();
  out[5] = c.nested(); out[6] = c.method();
  auto f = c.later();
  auto g = c.frozen();
  f(5);
  out[7] = c.v * 100 + g(1);
  Cell d = c;
  f(1);
  out[8] = d.v * 100 + c.v;
  Wide w(4);
  out[9] = w.sum() * 1000 + w.z * 100 + w.v;
}

// -- what is captured ------------------------------------------------------------------------------

struct Point { int x, y; __device__ int sum() const { return x + y; } };
struct Tally { int n; __device__ int operator()(int k) { n += k; return n; } };
template <class F> __device__ int use_twice(F f, int k) { f(k); return f(k); }
__global__ void arrays_structs_references(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  int a[4] = {1, 2, 3, 4};
  int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
  Point p = {t, 7}, ps[2] = {{1, 2}, {3, 4}};
  int& r = a[2];
  auto f = [a, p, r, ps, grid](int k) { return a[k] * 1000 + p.sum() * 100 + r * 10 + ps[1].x + grid[1][2]; };
  auto g = [&](int k) { a[k]++; p.x++; r += 10; ps[0].y += 2; grid[k % 2][1] = 9; return a[k]; };
  a[1] = 50; p.y = 0; r = 8; ps[1].x = 70; grid[1][2] = 0;
  out[0] = f(1) - f(2);
  out[1] = f(0);
  out[2] = g(1) * 100 + g(3);
  out[3] = a[1] + a[2] + a[3] + p.x + ps[0].y * 1000 + grid[1][1];
  auto h = [a]() mutable { a[0] += 5; return a[0]; };
  auto i = h;
  h(); h();
  out[4] = h() * 100 + i();
  out[5] = a[0];
  const int* first = a;
  auto k = [first] { return first[1]; };
  a[1] = 33;
  out[6] = k();
  const int c = 4;
  constexpr int d[3] = {7, 8, 9};
  auto l = [=](int n) { return c * 10 + d[n]; };
  out[7] = l(t % 3);
  auto sum = [s = 0](int n) mutable { return s += n; };
  auto more = [sum](int n) mutable { return sum(n) + sum(n); };
  out[8] = more(1) * 100 + more(1) + sum(0);
  Tally tally{t};
  out[9] = use_twice(tally, 3) * 100 + tally(1);
  Tally other = tally;
  other(5);
  out[10] = tally.n * 100 + other.n;
  auto held = [tally](int n) mutable { return tally(n); };
  held(2);
  out[11] = held(3) * 100 + tally.n;
  auto ref = [&tally](int n) { return tally(n); };
  out[12] = ref(2) * 100 + tally.n;
  int* q = &a[3];
  auto along = [&q] { return *q--; };
  out[13] = along() * 100 + along();
  out[14] = *q;
}

__global__ void nested_and_generic(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x, n = 3;
  auto f = [n = n + t](int x) { auto g = [n, m = n * 2](int y) { return n * 100 + m * 10 + y; }; return g(x); };
  n = 9;
  out[0] = f(1);
  auto g = [&](auto x, auto... rest) { n += x; return (n + ... + rest); };
  out[1] = g(1) + g(1, 2) + g(2, 3, 4L);
  out[2] = n;
  auto h = [t](auto f, auto x) { return f(x) + t; };
  out[3] = h([n](int x) { return x * n; }, 2);
  out[4] = h([&](int x) { n = x; return n; }, 5) * 100 + n;
  auto self = [](auto me, int k) -> int { return k + (int)sizeof(me); };
  out[5] = self(self, 3);
  auto outer = [&n] { return [&n] { return [&] { n++; return n; }; }; };
  out[6] = outer()()() * 100 + n;
  auto level = [=]() mutable { auto in = [=]() mutable { n++; return n; }; in(); return in() * 100 + n++; };
  out[7] = level() - level();
  out[8] = [](int a, int b = [](int x) { return x + 1; }(3)) { return a * b; }(t);
  out[9] = forward([&](int x) { return n += x; }, 4) + n;
  auto& same = f;
  const auto& fixed = f;
  out[10] = forward(same, 2) * 1000 + forward(fixed, 3);
  auto place = [&]() -> int& { return n; };
  place() = 12;
  place()++;
  out[11] = n;
  auto lazy = [value = 0, done = false](int x) mutable { if (!done) { value = x; done = true; } return value; };
  out[12] = lazy(t + 4) * 100 + lazy(1);
  out[13] = [=, k = [n] { return n + 1; }] { return k() * n; }();
  out[14] = [&k = n](int by) { k += by; return k; }(2) * 100 + n;
  if (auto v = [t] { return t % 2; }(); v) out[15] = v; else out[15] = v - 1;
}

template <class R, class... A> struct Function {
  R (*call)(const void*, A...);
  const void* object;
  template <class F> static __device__ R invoke(const void* f, A... a) { return (*static_cast<const F*>(f))(a...); }
  template <class F> __device__ Function(const F& f) : call(invoke<F>), object(&f) {}
  __device__ R operator()(A... a) const { return call(object, a...); }
};
template <class F> struct Wrapped { F f; template <class... A> __device__ auto operator()(A... a) const { return f(a...); } };
template <class F> struct Stepper {
  F f;
  int at;
  __device__ Stepper(F given, int from) : f(given), at(from) {}
  __device__ int step() { at = f(at); return at; }
};
__global__ void wrappers(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x, n = 2;
  auto line = [n](int x, int y) { return x * n + y; };
  Wrapped<decltype(line)> w{line};
  auto v = w;
  n = 100;
  out[0] = w(t, 1) * 100 + v(t, 2);
  auto grow = [&n](int x) { n++; return x + n; };
  Stepper<decltype(grow)> s(grow, t);
  s.step();
  out[1] = s.step() * 1000 + n;
  auto r = s;
  r.step();
  out[2] = s.at * 1000 + n;
}
__global__ void erased(int* out) {
  out += 16 * threadIdx.x;
  int t = threadIdx.x;
  auto f = [t](int x) { return x + t; };
  Function<int, int> g(f);
  out[0] = g(3);
}
