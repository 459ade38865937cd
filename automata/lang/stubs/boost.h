// Of Boost what device code is chosen by: enable_if, the numbers and choices of MPL, its questions about types, which begin as those of
// the C++ library and may be answered for a program's own types, and lists of
// numbered names. It stands behind the CUDA stub where a text asks for such a header and the program does not hold it.

#define BOOST_PP_ENUM_PARAMS(count, name) __BOOST_ENUM_##count(name)
#define __BOOST_ENUM_0(name)
#define __BOOST_ENUM_1(name) name##0
#define __BOOST_ENUM_2(name) __BOOST_ENUM_1(name), name##1
#define __BOOST_ENUM_3(name) __BOOST_ENUM_2(name), name##2
#define __BOOST_ENUM_4(name) __BOOST_ENUM_3(name), name##3
#define __BOOST_ENUM_5(name) __BOOST_ENUM_4(name), name##4
#define __BOOST_ENUM_6(name) __BOOST_ENUM_5(name), name##5
#define __BOOST_ENUM_7(name) __BOOST_ENUM_6(name), name##6
#define __BOOST_ENUM_8(name) __BOOST_ENUM_7(name), name##7
#define __BOOST_ENUM_9(name) __BOOST_ENUM_8(name), name##8
#define __BOOST_ENUM_10(name) __BOOST_ENUM_9(name), name##9
#define __BOOST_ENUM_11(name) __BOOST_ENUM_10(name), name##10
#define __BOOST_ENUM_12(name) __BOOST_ENUM_11(name), name##11
#define __BOOST_ENUM_13(name) __BOOST_ENUM_12(name), name##12
#define __BOOST_ENUM_14(name) __BOOST_ENUM_13(name), name##13
#define __BOOST_ENUM_15(name) __BOOST_ENUM_14(name), name##14
#define __BOOST_ENUM_16(name) __BOOST_ENUM_15(name), name##15
#define BOOST_STATIC_ASSERT(...) static_assert((__VA_ARGS__), #__VA_ARGS__)
namespace boost {
template<bool B, class T> struct __enabled { typedef T type; };
template<class T> struct __enabled<false, T> {};
template<auto B, class T = void> struct enable_if_c : __enabled<bool(B), T> {};
template<auto B, class T = void> struct disable_if_c : __enabled<!bool(B), T> {};
template<class C, class T = void> struct enable_if : __enabled<bool(C::value), T> {};
template<class C, class T = void> struct disable_if : __enabled<!bool(C::value), T> {};
template<bool B, class T> struct __enabled_late { typedef typename T::type type; };
template<class T> struct __enabled_late<false, T> {};
template<auto B, class T> struct lazy_enable_if_c : __enabled_late<bool(B), T> {};
template<auto B, class T> struct lazy_disable_if_c : __enabled_late<!bool(B), T> {};
template<class C, class T> struct lazy_enable_if : __enabled_late<bool(C::value), T> {};
template<class C, class T> struct lazy_disable_if : __enabled_late<!bool(C::value), T> {};
using std::integral_constant; using std::true_type; using std::false_type;
template<class T, class U> struct is_same : std::is_same<T, U> {};
template<class T> struct is_integral : std::is_integral<T> {};
template<class T> struct is_floating_point : std::is_floating_point<T> {};
template<class T> struct is_arithmetic : std::integral_constant<bool, is_integral<T>::value || is_floating_point<T>::value> {};
template<class T, class U> struct is_convertible : std::is_convertible<T, U> {};
template<class T> struct is_pointer : std::is_pointer<T> {};
template<class T> struct is_const : std::is_const<T> {};
template<class T> struct is_signed : std::is_signed<T> {};
template<class T> struct is_unsigned : std::is_unsigned<T> {};
template<class T, class U> struct is_base_of : std::is_base_of<T, U> {};
template<class T> struct is_void : std::is_void<T> {};
template<class T> struct remove_const : std::remove_const<T> {};
template<class T> struct remove_reference : std::remove_reference<T> {};
template<class T> struct remove_pointer : std::remove_pointer<T> {};
template<class T> struct remove_cv : std::remove_cv<T> {};
template<class T> struct make_unsigned : std::make_unsigned<T> {};
template<class T> struct add_const : std::add_const<T> {};
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
