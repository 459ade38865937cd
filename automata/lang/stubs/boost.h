// Of Boost what device code is chosen by: enable_if, the numbers and choices of MPL, and its questions about types, which are those of
// the C++ library. It stands behind the CUDA stub where a text asks for such a header and the program does not hold it.

namespace boost {
template<bool B, class T = void> struct enable_if_c { typedef T type; };
template<class T> struct enable_if_c<false, T> {};
template<bool B, class T = void> struct disable_if_c : enable_if_c<!B, T> {};
template<class C, class T = void> struct enable_if : enable_if_c<C::value, T> {};
template<class C, class T = void> struct disable_if : enable_if_c<!C::value, T> {};
template<bool B, class T> struct lazy_enable_if_c { typedef typename T::type type; };
template<class T> struct lazy_enable_if_c<false, T> {};
template<class C, class T> struct lazy_enable_if : lazy_enable_if_c<C::value, T> {};
template<class C, class T> struct lazy_disable_if : lazy_enable_if_c<!C::value, T> {};
using std::is_same; using std::is_integral; using std::is_floating_point; using std::is_arithmetic; using std::is_convertible;
using std::is_pointer; using std::is_const; using std::is_signed; using std::is_unsigned; using std::is_base_of; using std::is_void;
using std::remove_const; using std::remove_reference; using std::remove_pointer; using std::remove_cv; using std::make_unsigned;
using std::add_const; using std::integral_constant; using std::true_type; using std::false_type;
namespace mpl {
template<class T, T N> struct integral_c { static constexpr T value = N; typedef T value_type; typedef integral_c type; };
template<int N> struct int_ { static constexpr int value = N; typedef int value_type; typedef int_ type; };
template<bool B> struct bool_ { static constexpr bool value = B; typedef bool value_type; typedef bool_ type; };
typedef bool_<true> true_; typedef bool_<false> false_;
template<bool C, class T, class F> struct if_c { typedef T type; };
template<class T, class F> struct if_c<false, T, F> { typedef F type; };
template<class C, class T, class F> struct if_ : if_c<C::value, T, F> {};
template<bool C, class T, class F> struct eval_if_c { typedef typename T::type type; };
template<class T, class F> struct eval_if_c<false, T, F> { typedef typename F::type type; };
template<class C, class T, class F> struct eval_if : eval_if_c<C::value, T, F> {};
template<class... C> struct and_ : bool_<(C::value && ...)> {};
template<class... C> struct or_ : bool_<(C::value || ...)> {};
template<class C> struct not_ : bool_<!C::value> {};
template<class A, class B> struct equal_to : bool_<(A::value == B::value)> {};
template<class A, class B> struct greater : bool_<(A::value > B::value)> {};
template<class A, class B> struct less : bool_<(A::value < B::value)> {};
}
}
