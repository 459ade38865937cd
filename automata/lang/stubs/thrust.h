// What device code uses of Thrust: complex numbers, pairs, tuples and function objects, as nvidia.github.io/cccl/thrust describes them; of the
// host's side, its vectors and pointers as far as launches name them. It stands behind the CUDA stub where a text asks for such a header and
// the program does not hold it. Algorithms and the transcendental functions of complex numbers are left out: a kernel that calls one is refused.

#define THRUST_VERSION 200700
#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 7
namespace thrust {
template<class A, class B = A> using __both = typename std::common_type<A, B>::type;
template<class A, class B = A> using __numbers = typename std::enable_if<__is_arithmetic(A) && __is_arithmetic(B), __both<A, B>>::type;

template<class T> struct complex {
  using value_type = T;
  struct alignas(2 * sizeof(T)) __parts { T x, y; } data;
  complex() = default;
  __spmd_in complex(const T &real) : data{real, T()} {}
  __spmd_in complex(const T &real, const T &imag) : data{real, imag} {}
  template<class U> __spmd_in complex(const complex<U> &z) : data{T(z.real()), T(z.imag())} {}
  __spmd_in complex &operator=(const T &real) { data.x = real; data.y = T(); return *this; }
  template<class U> __spmd_in complex &operator=(const complex<U> &z) { data.x = T(z.real()); data.y = T(z.imag()); return *this; }
  __spmd_in T real() const { return data.x; }
  __spmd_in T imag() const { return data.y; }
  __spmd_in T real() const volatile { return data.x; }
  __spmd_in T imag() const volatile { return data.y; }
  __spmd_in void real(T x) { data.x = x; }
  __spmd_in void imag(T y) { data.y = y; }
  template<class U> __spmd_in complex &operator+=(const U &z) { *this = *this + z; return *this; }
  template<class U> __spmd_in complex &operator-=(const U &z) { *this = *this - z; return *this; }
  template<class U> __spmd_in complex &operator*=(const U &z) { *this = *this * z; return *this; }
  template<class U> __spmd_in complex &operator/=(const U &z) { *this = *this / z; return *this; }
};
#define __SPMD_OF_COMPLEX(OP, BOTH, RIGHT, LEFT) \
  template<class A, class B> __spmd_in complex<__both<A, B>> operator OP(const complex<A> &x, const complex<B> &y) { using T = __both<A, B>; BOTH } \
  template<class A, class B> __spmd_in complex<__numbers<A, B>> operator OP(const complex<A> &x, const B &y) { using T = __both<A, B>; RIGHT } \
  template<class A, class B> __spmd_in complex<__numbers<A, B>> operator OP(const A &x, const complex<B> &y) { using T = __both<A, B>; LEFT }
__SPMD_OF_COMPLEX(+, return complex<T>(x.real() + y.real(), x.imag() + y.imag());, return complex<T>(x.real() + y, x.imag());,
                  return complex<T>(x + y.real(), y.imag());)
__SPMD_OF_COMPLEX(-, return complex<T>(x.real() - y.real(), x.imag() - y.imag());, return complex<T>(x.real() - y, x.imag());,
                  return complex<T>(x - y.real(), -y.imag());)
__SPMD_OF_COMPLEX(*, return complex<T>(x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real());,
                  return complex<T>(x.real() * y, x.imag() * y);, return complex<T>(x * y.real(), x * y.imag());)
// The divisor is scaled by the sum of its parts' sizes first.
template<class T> __spmd_in complex<T> __quotient(complex<T> x, complex<T> y) {
  T scale = T(1) / (::fabs(y.real()) + ::fabs(y.imag()));
  T a = x.real() * scale, b = x.imag() * scale, c = y.real() * scale, d = y.imag() * scale, square = T(1) / (c * c + d * d);
  return complex<T>((a * c + b * d) * square, (b * c - a * d) * square);
}
__SPMD_OF_COMPLEX(/, return __quotient(complex<T>(x), complex<T>(y));, return complex<T>(x.real() / y, x.imag() / y);,
                  return __quotient(complex<T>(x), complex<T>(y));)
template<class T> __spmd_in complex<T> operator+(const complex<T> &z) { return z; }
template<class T> __spmd_in complex<T> operator-(const complex<T> &z) { return z * -T(1); }
template<class A, class B> __spmd_in bool operator==(const complex<A> &x, const complex<B> &y) { return x.real() == y.real() && x.imag() == y.imag(); }
template<class A, class B> __spmd_in bool operator!=(const complex<A> &x, const complex<B> &y) { return !(x == y); }
template<class A, class B> __spmd_in bool operator==(const complex<A> &x, const B &y) { return x.real() == y && x.imag() == 0; }
template<class A, class B> __spmd_in bool operator!=(const complex<A> &x, const B &y) { return !(x == y); }
template<class T> __spmd_in T abs(const complex<T> &z) { return ::hypot(z.real(), z.imag()); }
template<class T> __spmd_in T arg(const complex<T> &z) { return ::atan2(z.imag(), z.real()); }
template<class T> __spmd_in complex<T> conj(const complex<T> &z) { return complex<T>(z.real(), -z.imag()); }
template<class A, class B = A> __spmd_in complex<__both<A, B>> polar(const A &m, const B &angle = B()) { return complex<__both<A, B>>(m * ::cos(angle), m * ::sin(angle)); }
// Parts so small that their squares vanish are scaled first.
template<class T> __spmd_in T norm(const complex<T> &z) {
  T least = ::sqrt(std::numeric_limits<T>::min()), x = z.real(), y = z.imag();
  if (::fabs(x) < least && ::fabs(y) < least) return (x * T(4) * (x * T(4)) + y * T(4) * (y * T(4))) / T(16);
  return x * x + y * y;
}

template<class A, class B> struct pair {
  using first_type = A; using second_type = B;
  A first; B second;
  __spmd_in constexpr pair() : first(), second() {}
  __spmd_in constexpr pair(const A &a, const B &b) : first(a), second(b) {}
  template<class U, class V> __spmd_in constexpr pair(const pair<U, V> &p) : first(p.first), second(p.second) {}
  template<class U, class V> __spmd_in constexpr pair(const std::pair<U, V> &p) : first(p.first), second(p.second) {}
};
template<class A, class B> __spmd_in constexpr pair<A, B> make_pair(A a, B b) { return pair<A, B>(a, b); }
__SPMD_RELATION(==, x.first == y.first && x.second == y.second) __SPMD_RELATION(!=, !(x == y))
__SPMD_RELATION(<, x.first < y.first || (!(y.first < x.first) && x.second < y.second)) __SPMD_RELATION(>, y < x)
__SPMD_RELATION(<=, !(y < x)) __SPMD_RELATION(>=, !(x < y))

// Of one to four elements, which lie one behind the other.
template<class... T> struct tuple;
template<class A> struct tuple<A> {
  A e0;
  tuple() = default;
  __spmd_in constexpr tuple(const A &a) : e0(a) {}
  template<class W> __spmd_in constexpr tuple(const tuple<W> &t) : e0(t.e0) {}
  template<class W> __spmd_in tuple &operator=(const tuple<W> &t) { e0 = t.e0; return *this; }
};
template<class A, class B> struct tuple<A, B> {
  A e0; B e1;
  tuple() = default;
  __spmd_in constexpr tuple(const A &a, const B &b) : e0(a), e1(b) {}
  template<class W, class X> __spmd_in constexpr tuple(const tuple<W, X> &t) : e0(t.e0), e1(t.e1) {}
  template<class W, class X> __spmd_in tuple &operator=(const tuple<W, X> &t) { e0 = t.e0; e1 = t.e1; return *this; }
  template<class X, class Y> __spmd_in tuple &operator=(const pair<X, Y> &p) { e0 = p.first; e1 = p.second; return *this; }
};
template<class A, class B, class C> struct tuple<A, B, C> {
  A e0; B e1; C e2;
  tuple() = default;
  __spmd_in constexpr tuple(const A &a, const B &b, const C &c) : e0(a), e1(b), e2(c) {}
  template<class W, class X, class Y> __spmd_in constexpr tuple(const tuple<W, X, Y> &t) : e0(t.e0), e1(t.e1), e2(t.e2) {}
  template<class W, class X, class Y> __spmd_in tuple &operator=(const tuple<W, X, Y> &t) { e0 = t.e0; e1 = t.e1; e2 = t.e2; return *this; }
};
template<class A, class B, class C, class D> struct tuple<A, B, C, D> {
  A e0; B e1; C e2; D e3;
  tuple() = default;
  __spmd_in constexpr tuple(const A &a, const B &b, const C &c, const D &d) : e0(a), e1(b), e2(c), e3(d) {}
  template<class W, class X, class Y, class Z> __spmd_in constexpr tuple(const tuple<W, X, Y, Z> &t) : e0(t.e0), e1(t.e1), e2(t.e2), e3(t.e3) {}
  template<class W, class X, class Y, class Z> __spmd_in tuple &operator=(const tuple<W, X, Y, Z> &t) { e0 = t.e0; e1 = t.e1; e2 = t.e2; e3 = t.e3; return *this; }
};
template<size_t N, class T> __spmd_in constexpr auto &__at(T &t) {
  if constexpr (N == 0) return t.e0;
  else if constexpr (N == 1) return t.e1;
  else if constexpr (N == 2) return t.e2;
  else return t.e3;
}
template<size_t N, class T> struct tuple_element;
template<class T, class... U> struct tuple_element<0, tuple<T, U...>> { using type = T; };
template<size_t N, class T, class... U> struct tuple_element<N, tuple<T, U...>> : tuple_element<N - 1, tuple<U...>> {};
template<class A, class B> struct tuple_element<0, pair<A, B>> { using type = A; };
template<class A, class B> struct tuple_element<1, pair<A, B>> { using type = B; };
template<size_t N, class T> using tuple_element_t = typename tuple_element<N, T>::type;
template<class T> struct tuple_size;
template<class... T> struct tuple_size<tuple<T...>> : std::integral_constant<size_t, sizeof...(T)> {};
template<class A, class B> struct tuple_size<pair<A, B>> : std::integral_constant<size_t, 2> {};
template<size_t N, class... T> __spmd_in constexpr tuple_element_t<N, tuple<T...>> &get(tuple<T...> &t) { return __at<N>(t); }
template<size_t N, class... T> __spmd_in constexpr const tuple_element_t<N, tuple<T...>> &get(const tuple<T...> &t) { return __at<N>(t); }
template<size_t N, class A, class B> __spmd_in constexpr auto &get(pair<A, B> &p) { if constexpr (N == 0) return p.first; else return p.second; }
template<size_t N, class A, class B> __spmd_in constexpr const auto &get(const pair<A, B> &p) { if constexpr (N == 0) return p.first; else return p.second; }
template<class... T> __spmd_in constexpr tuple<__decay(T)...> make_tuple(const T &...t) { return tuple<__decay(T)...>(t...); }
template<class... T> __spmd_in tuple<T &...> tie(T &...t) { return tuple<T &...>(t...); }

#define __SPMD_FUNCTION(NAME, RESULT, EXPRESSION) \
  template<class T = void> struct NAME { \
    using first_argument_type = T; using second_argument_type = T; \
    __spmd_in constexpr RESULT operator()(const T &a, const T &b) const { return EXPRESSION; } }; \
  template<> struct NAME<void> { template<class T, class U> __spmd_in constexpr auto operator()(const T &a, const U &b) const { return EXPRESSION; } };
__SPMD_FUNCTION(plus, T, a + b) __SPMD_FUNCTION(minus, T, a - b) __SPMD_FUNCTION(multiplies, T, a * b) __SPMD_FUNCTION(divides, T, a / b)
__SPMD_FUNCTION(modulus, T, a % b) __SPMD_FUNCTION(bit_and, T, a & b) __SPMD_FUNCTION(bit_or, T, a | b) __SPMD_FUNCTION(bit_xor, T, a ^ b)
__SPMD_FUNCTION(maximum, T, a < b ? b : a) __SPMD_FUNCTION(minimum, T, a < b ? a : b)
__SPMD_FUNCTION(equal_to, bool, a == b) __SPMD_FUNCTION(not_equal_to, bool, a != b) __SPMD_FUNCTION(less, bool, a < b)
__SPMD_FUNCTION(greater, bool, a > b) __SPMD_FUNCTION(less_equal, bool, a <= b) __SPMD_FUNCTION(greater_equal, bool, a >= b)
__SPMD_FUNCTION(logical_and, bool, a && b) __SPMD_FUNCTION(logical_or, bool, a || b)
template<class T = void> struct negate { __spmd_in constexpr T operator()(const T &a) const { return -a; } };
template<class T = void> struct identity { __spmd_in constexpr const T &operator()(const T &a) const { return a; } };
template<class T = void> struct square { __spmd_in constexpr T operator()(const T &a) const { return a * a; } };
template<class T> __spmd_in void swap(T &a, T &b) { T c = a; a = b; b = c; }

// A pointer of the host's side that device code may follow. What it refers to is a reference of its own: `auto r = *p; r = 1;` writes there.
template<class T> struct device_ptr;
#define __SPMD_UPDATE(OP) __spmd_in device_reference operator OP(const value_type &x) const { *__p OP x; return *this; }
template<class T> struct device_reference {
  using value_type = __remove_cv(T);
  T *__p;
  __spmd_in explicit device_reference(const device_ptr<T> &p) : __p(p.__p) {}
  __spmd_in device_reference(const device_reference &r) : __p(r.__p) {}
  __spmd_in operator value_type() const { return *__p; }
  __spmd_in device_ptr<T> operator&() const { return device_ptr<T>(__p); }
  __spmd_in device_reference operator=(const value_type &x) const { *__p = x; return *this; }
  __spmd_in device_reference operator=(const device_reference &r) const { *__p = *r.__p; return *this; }
  __spmd_in device_reference &operator=(const device_reference &r) { *__p = *r.__p; return *this; }
  __SPMD_UPDATE(+=) __SPMD_UPDATE(-=) __SPMD_UPDATE(*=) __SPMD_UPDATE(/=) __SPMD_UPDATE(%=) __SPMD_UPDATE(&=) __SPMD_UPDATE(|=) __SPMD_UPDATE(^=)
  __SPMD_UPDATE(<<=) __SPMD_UPDATE(>>=)
  __spmd_in device_reference operator++() const { ++*__p; return *this; }
  __spmd_in device_reference operator--() const { --*__p; return *this; }
  __spmd_in value_type operator++(int) const { return (*__p)++; }
  __spmd_in value_type operator--(int) const { return (*__p)--; }
};
template<class T> struct device_ptr {
  using value_type = __remove_cv(T);
  T *__p;
  __spmd_in device_ptr() : __p(nullptr) {}
  __spmd_in explicit device_ptr(T *p) : __p(p) {}
  template<class U, class = typename std::enable_if<std::is_same_v<const U, T>>::type> __spmd_in device_ptr(const device_ptr<U> &p) : __p(p.__p) {}
  __spmd_in T *get() const { return __p; }
  __spmd_in device_reference<T> operator*() const { return device_reference<T>(*this); }
  __spmd_in device_reference<T> operator[](long at) const { return device_reference<T>(*this + at); }
  __spmd_in device_ptr operator+(long n) const { return device_ptr(__p + n); }
  __spmd_in device_ptr operator-(long n) const { return device_ptr(__p - n); }
  __spmd_in device_ptr &operator+=(long n) { __p += n; return *this; }
  __spmd_in device_ptr &operator++() { ++__p; return *this; }
};
template<class T> __spmd_in T *raw_pointer_cast(T *p) { return p; }
template<class T> __spmd_in T &raw_reference_cast(const device_reference<T> &r) { return *r.__p; }
template<class T> __spmd_in T *raw_pointer_cast(const device_ptr<T> &p) { return p.get(); }
template<class T> __spmd_in device_ptr<T> device_pointer_cast(T *p) { return device_ptr<T>(p); }

// -- the host's side --------------------------------------------------------------------------------------------------

template<class T, class A = void> struct host_vector : std::vector<T> { using std::vector<T>::vector; template<class V> host_vector(const V &); };
template<class T, class A = void> struct device_vector {
  using value_type = T; using iterator = device_ptr<T>;
  device_vector(); explicit device_vector(size_t); device_vector(size_t, const T &); template<class I> device_vector(I, I);
  template<class V> device_vector(const V &); template<class V> device_vector &operator=(const V &); device_ptr<T> data(); device_ptr<const T> data() const;
  size_t size() const; bool empty() const; T &operator[](size_t); const T &operator[](size_t) const; void resize(size_t); void clear(); void push_back(const T &);
  device_ptr<T> begin(); device_ptr<T> end(); void assign(size_t, const T &); T &back(); T &front(); void swap(device_vector &); void reserve(size_t);
};
struct __policy { __policy on(cudaStream_t) const; }; extern const __policy device, host, seq;
namespace cuda { extern const __policy par; }
}
