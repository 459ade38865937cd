// What extensions of PyTorch use of its headers (torch, ATen, c10), as far as their kernels and launches need it: the types of
// elements, the macros that choose one, tensors as the host sees them, accessors as kernels do (pytorch.org/cppdocs). It stands
// behind the CUDA stub where a text asks for such a header and the program does not hold it.

namespace c10 {
// The 16-bit types are classes, as PyTorch's are: a number of the device, and `x`, its bits.
#define __SPMD_FLOAT16(NAME, KIND, EXPLICIT) struct alignas(2) NAME { \
  union { KIND __value; unsigned short x; }; \
  struct from_bits_t {}; \
  __host__ __spmd_in static constexpr from_bits_t from_bits() { return from_bits_t(); } \
  NAME() = default; \
  __host__ __spmd_in constexpr NAME(unsigned short bits, from_bits_t) : x(bits) {} \
  __host__ __spmd_in constexpr NAME(float value) : __value((KIND)value) {} \
  template<class T, class = std::enable_if_t<std::is_same_v<T, KIND>>> __host__ __spmd_in constexpr NAME(T value) : __value(value) {} \
  __host__ __spmd_in constexpr operator float() const { return (float)__value; } \
  template<class T, class = std::enable_if_t<std::is_same_v<T, KIND>>> __host__ __spmd_in constexpr EXPLICIT operator T() const { return __value; } \
};
#define __SPMD_FLOAT16_BY(NAME, OP) \
__host__ __spmd_in NAME operator OP(NAME a, NAME b) { return NAME(a.__value OP b.__value); } \
__host__ __spmd_in float operator OP(NAME a, float b) { return (float)a OP b; } \
__host__ __spmd_in float operator OP(float a, NAME b) { return a OP (float)b; } \
__host__ __spmd_in double operator OP(NAME a, double b) { return (double)(float)a OP b; } \
__host__ __spmd_in double operator OP(double a, NAME b) { return a OP (double)(float)b; } \
template<class I, class = std::enable_if_t<std::is_integral_v<I>>> __host__ __spmd_in NAME operator OP(NAME a, I b) { return a OP NAME((float)b); } \
template<class I, class = std::enable_if_t<std::is_integral_v<I>>> __host__ __spmd_in NAME operator OP(I a, NAME b) { return NAME((float)a) OP b; } \
__host__ __spmd_in NAME &operator OP##=(NAME &a, NAME b) { a = a OP b; return a; } \
__host__ __spmd_in float &operator OP##=(float &a, NAME b) { a = a OP b; return a; }
#define __SPMD_FLOAT16_WITH(NAME, KIND, EXPLICIT) __SPMD_FLOAT16(NAME, KIND, EXPLICIT) \
__SPMD_FLOAT16_BY(NAME, +) __SPMD_FLOAT16_BY(NAME, -) __SPMD_FLOAT16_BY(NAME, *) __SPMD_FLOAT16_BY(NAME, /) \
__host__ __spmd_in NAME operator-(NAME a) { return NAME(-a.__value); }
__SPMD_FLOAT16_WITH(Half, __half, )
__SPMD_FLOAT16_WITH(BFloat16, __nv_bfloat16, explicit)
#define __SPMD_FLOAT8(NAME, KIND) struct NAME { \
  uint8_t x; \
  struct from_bits_t {}; \
  __host__ __spmd_in static constexpr from_bits_t from_bits() { return from_bits_t(); } \
  NAME() = default; \
  __host__ __spmd_in constexpr NAME(uint8_t bits, from_bits_t) : x(bits) {} \
  __host__ __spmd_in NAME(float value) : x(__spmd_to_##KIND##_open(value)) {} \
  __host__ __spmd_in operator float() const { return __spmd_from_##KIND(x); } \
}; \
__host__ __spmd_in NAME operator-(const NAME &a) { return -(float)a; }
__SPMD_FLOAT8(Float8_e4m3fn, e4m3) __SPMD_FLOAT8(Float8_e5m2, e5m2)
enum class ScalarType : signed char { Byte, Char, Short, Int, Long, Half, Float, Double, ComplexHalf, ComplexFloat, ComplexDouble, Bool, QInt8, QUInt8,
  QInt32, BFloat16, QUInt4x2, QUInt2x4, Bits1x8, Bits2x4, Bits4x2, Bits8, Bits16, Float8_e5m2, Float8_e4m3fn, Undefined };
#define __SPMD_NAMES(ROW) ROW(Byte) ROW(Char) ROW(Short) ROW(Int) ROW(Long) ROW(Half) ROW(Float) ROW(Double) ROW(ComplexHalf) ROW(ComplexFloat) \
  ROW(ComplexDouble) ROW(Bool) ROW(QInt8) ROW(QUInt8) ROW(QInt32) ROW(BFloat16) ROW(Float8_e5m2) ROW(Float8_e4m3fn)
#define __SPMD_NAME(name) constexpr ScalarType k##name = ScalarType::name;
__SPMD_NAMES(__SPMD_NAME)
constexpr ScalarType kUInt8 = kByte, kInt8 = kChar, kInt16 = kShort, kInt32 = kInt, kInt64 = kLong, kFloat16 = kHalf, kFloat32 = kFloat, kFloat64 = kDouble;

template<class T> struct alignas(2 * sizeof(T)) complex {
  T real_, imag_;
  complex() = default;
  __host__ __spmd_in complex(T real, T imag = T()) : real_(real), imag_(imag) {}
  __host__ __spmd_in T real() const { return real_; }
  __host__ __spmd_in T imag() const { return imag_; }
  __host__ __spmd_in complex &operator+=(complex b) { real_ += b.real_; imag_ += b.imag_; return *this; }
  __host__ __spmd_in complex &operator-=(complex b) { real_ -= b.real_; imag_ -= b.imag_; return *this; }
  __host__ __spmd_in complex &operator*=(complex b) { T real = real_; real_ = real * b.real_ - imag_ * b.imag_; imag_ = real * b.imag_ + imag_ * b.real_; return *this; }
};
template<class T> __host__ __spmd_in complex<T> operator+(complex<T> a, complex<T> b) { return a += b; }
template<class T> __host__ __spmd_in complex<T> operator-(complex<T> a, complex<T> b) { return a -= b; }
template<class T> __host__ __spmd_in complex<T> operator*(complex<T> a, complex<T> b) { return a *= b; }

namespace impl {
template<ScalarType S> struct ScalarTypeToCPPType;
#define __SPMD_ELEMENT(name, T) template<> struct ScalarTypeToCPPType<ScalarType::name> { typedef T type; };
__SPMD_ELEMENT(Byte, uint8_t) __SPMD_ELEMENT(Char, int8_t) __SPMD_ELEMENT(Short, int16_t) __SPMD_ELEMENT(Int, int) __SPMD_ELEMENT(Long, int64_t)
__SPMD_ELEMENT(Half, c10::Half) __SPMD_ELEMENT(Float, float) __SPMD_ELEMENT(Double, double) __SPMD_ELEMENT(ComplexFloat, c10::complex<float>)
__SPMD_ELEMENT(ComplexDouble, c10::complex<double>) __SPMD_ELEMENT(Bool, bool) __SPMD_ELEMENT(BFloat16, c10::BFloat16)
__SPMD_ELEMENT(Float8_e5m2, c10::Float8_e5m2) __SPMD_ELEMENT(Float8_e4m3fn, c10::Float8_e4m3fn)
template<ScalarType S> using ScalarTypeToCPPTypeT = typename ScalarTypeToCPPType<S>::type;
}
template<class T> struct CppTypeToScalarType { static constexpr ScalarType value = ScalarType::Undefined; };

// -- the host's side --------------------------------------------------------------------------------------------------

template<class T> struct ArrayRef {
  const T *first; size_t count;
  ArrayRef(); ArrayRef(const T &); ArrayRef(const T *, size_t); ArrayRef(const std::vector<T> &); ArrayRef(std::initializer_list<T>);
  size_t size() const; const T &operator[](size_t) const; const T *begin() const; const T *end() const; const T *data() const; std::vector<T> vec() const;
};
typedef ArrayRef<int64_t> IntArrayRef;
typedef IntArrayRef IntList;
using std::optional;
struct nullopt_t { template<class T> operator std::optional<T>() const; };
inline constexpr nullopt_t nullopt{};
enum class DeviceType : signed char { CPU, CUDA, Meta };
constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA;
typedef signed char DeviceIndex;
struct Device { Device(DeviceType, DeviceIndex = -1); DeviceType type() const; DeviceIndex index() const; bool is_cuda() const; bool is_cpu() const; };
bool operator==(Device, Device); bool operator!=(Device, Device);
enum class MemoryFormat : signed char { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
enum Layout : signed char { kStrided, kSparse };
struct Scalar { template<class T> Scalar(T); template<class T> T to() const; double toDouble() const; float toFloat() const; int64_t toLong() const; int toInt() const; };
struct TensorOptions {
  TensorOptions(); TensorOptions(ScalarType); TensorOptions(Device); TensorOptions(DeviceType); TensorOptions dtype(ScalarType) const;
  TensorOptions device(Device) const; TensorOptions device(DeviceType, int = -1) const; TensorOptions layout(Layout) const;
  TensorOptions requires_grad(bool) const; TensorOptions memory_format(MemoryFormat) const;
};
struct Storage { void *data() const; int64_t nbytes() const; };
}

namespace std {
#define __SPMD_LIMITS8(NAME, MOST, LEAST, SMALL) template<> struct numeric_limits<c10::NAME> { \
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false; \
  __host__ __spmd_in static constexpr c10::NAME max() { return c10::NAME(MOST, c10::NAME::from_bits()); } \
  __host__ __spmd_in static constexpr c10::NAME lowest() { return c10::NAME(LEAST, c10::NAME::from_bits()); } \
  __host__ __spmd_in static constexpr c10::NAME min() { return c10::NAME(SMALL, c10::NAME::from_bits()); } };
__SPMD_LIMITS8(Float8_e4m3fn, 0x7E, 0xFE, 0x08) __SPMD_LIMITS8(Float8_e5m2, 0x7B, 0xFB, 0x04)
__SPMD_LIMITS(c10::Half, (c10::Half)-65504.0f, (c10::Half)65504.0f, (c10::Half)0x1p-14f, (c10::Half)0x1p-10f, (c10::Half)INFINITY, (c10::Half)NAN, 11, true, false)
__SPMD_LIMITS(c10::BFloat16, (c10::BFloat16)-0x1.fep127f, (c10::BFloat16)0x1.fep127f, (c10::BFloat16)0x1p-126f, (c10::BFloat16)0x1p-7f, (c10::BFloat16)INFINITY, (c10::BFloat16)NAN, 8, true, false)
}

namespace at {
using namespace c10;
using c10::complex; using c10::optional; using c10::Half; using c10::BFloat16; using c10::Float8_e4m3fn; using c10::Float8_e5m2;
struct DeprecatedTypeProperties { operator ScalarType() const; ScalarType scalarType() const; bool is_cuda() const; };

// A tensor in a kernel: a pointer and sizes. It is taken to be contiguous, so that strides are products of sizes.
template<class T> struct DefaultPtrTraits { typedef T *PtrType; };
template<class T> struct RestrictPtrTraits { typedef T *PtrType; };
template<class I, size_t N> struct __spmd_shape {
  I extent; __spmd_shape<I, N - 1> inner;
  __host__ __spmd_in I size(int at) const { return at == 0 ? extent : inner.size(at - 1); }
  __host__ __spmd_in I whole() const { return extent * inner.whole(); }
  __host__ __spmd_in I stride(int at) const { return at == 0 ? inner.whole() : inner.stride(at - 1); }
};
template<class I> struct __spmd_shape<I, 1> {
  I extent;
  __host__ __spmd_in I size(int) const { return extent; }
  __host__ __spmd_in I whole() const { return extent; }
  __host__ __spmd_in I stride(int) const { return 1; }
};
#define __SPMD_ACCESSOR \
  T *data_; __spmd_shape<I, N> shape_; \
  __host__ __spmd_in I size(int at) const { return shape_.size(at); } \
  __host__ __spmd_in I stride(int at) const { __spmd_contiguous(); return shape_.stride(at); } \
  __host__ __spmd_in T *data() const { return data_; }
template<class T, size_t N, template<class> class P = DefaultPtrTraits, class I = int64_t> struct TensorAccessor {
  __SPMD_ACCESSOR
  __host__ __spmd_in TensorAccessor<T, N - 1, P, I> operator[](I at) const { return TensorAccessor<T, N - 1, P, I>{data_ + shape_.inner.whole() * at, shape_.inner}; }
};
template<class T, template<class> class P, class I> struct TensorAccessor<T, 1, P, I> {
  static constexpr size_t N = 1;
  __SPMD_ACCESSOR
  __host__ __spmd_in T &operator[](I at) const { return data_[at]; }
};
template<class T, size_t N, template<class> class P = DefaultPtrTraits, class I = int64_t> struct GenericPackedTensorAccessor {
  __SPMD_ACCESSOR
  __spmd_in TensorAccessor<T, N - 1, P, I> operator[](I at) const {
    __spmd_contiguous();
    return TensorAccessor<T, N - 1, P, I>{data_ + shape_.inner.whole() * at, shape_.inner};
  }
};
template<class T, template<class> class P, class I> struct GenericPackedTensorAccessor<T, 1, P, I> {
  static constexpr size_t N = 1;
  __SPMD_ACCESSOR
  __spmd_in T &operator[](I at) const { __spmd_contiguous(); return data_[at]; }
};
// What classes of a program are built on: the members are PyTorch's, the constructors have no bodies here.
template<class T, size_t N, template<class> class P = DefaultPtrTraits, class I = int64_t> struct TensorAccessorBase {
  typedef typename P<T>::PtrType PtrType;
  PtrType data_; const I *sizes_, *strides_;
  __host__ __spmd_in TensorAccessorBase(PtrType, const I *, const I *);
};
template<class T, size_t N, template<class> class P = DefaultPtrTraits, class I = int64_t> struct GenericPackedTensorAccessorBase {
  typedef typename P<T>::PtrType PtrType;
  PtrType data_; I sizes_[N], strides_[N];
  __host__ GenericPackedTensorAccessorBase(PtrType, const I *, const I *);
  __host__ __spmd_in I size(I at) const { return sizes_[at]; }
  __host__ __spmd_in I stride(I at) const { return strides_[at]; }
  __host__ __spmd_in PtrType data() const { return data_; }
};
template<class T, size_t N, template<class> class P = DefaultPtrTraits> using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, P, int>;
template<class T, size_t N, template<class> class P = DefaultPtrTraits> using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, P, int64_t>;
template<class T, size_t N, template<class> class P = DefaultPtrTraits, class I = int64_t> using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, P, I>;

struct Tensor {
  Tensor();
  template<class T> T *data_ptr() const; template<class T> T *mutable_data_ptr() const; template<class T> const T *const_data_ptr() const;
  template<class T> T *data() const; void *data_ptr() const; void *mutable_data_ptr() const; const void *const_data_ptr() const; Storage storage() const;
  template<class T, size_t N, template<class> class P = DefaultPtrTraits, class I = int64_t> GenericPackedTensorAccessor<T, N, P, I> packed_accessor() const;
  template<class T, size_t N, template<class> class P = DefaultPtrTraits> GenericPackedTensorAccessor<T, N, P, int> packed_accessor32() const;
  template<class T, size_t N, template<class> class P = DefaultPtrTraits> GenericPackedTensorAccessor<T, N, P, int64_t> packed_accessor64() const;
  template<class T, size_t N> TensorAccessor<T, N> accessor() const;
  template<class T> T item() const; Scalar item() const;
  int64_t size(int64_t) const; int64_t stride(int64_t) const; int64_t dim() const; int64_t ndimension() const; int64_t numel() const; int64_t nbytes() const;
  int64_t element_size() const; int64_t itemsize() const; int64_t storage_offset() const; IntArrayRef sizes() const; IntArrayRef strides() const;
  ScalarType scalar_type() const; ScalarType dtype() const; DeprecatedTypeProperties type() const; Device device() const; int64_t get_device() const;
  TensorOptions options() const; bool defined() const; bool is_cuda() const; bool is_cpu() const; bool is_contiguous(MemoryFormat = MemoryFormat::Contiguous) const;
  bool requires_grad() const; bool is_floating_point() const; bool has_storage() const; bool is_same(const Tensor &) const;
  Tensor contiguous(MemoryFormat = MemoryFormat::Contiguous) const; Tensor cuda() const; Tensor cpu() const; Tensor clone() const; Tensor detach() const;
  Tensor to(ScalarType) const; Tensor to(Device) const; Tensor to(DeviceType) const; Tensor to(TensorOptions) const; Tensor view(IntArrayRef) const; Tensor reshape(IntArrayRef) const;
  Tensor permute(IntArrayRef) const; Tensor transpose(int64_t, int64_t) const; Tensor t() const; Tensor select(int64_t, int64_t) const; Tensor slice(int64_t, int64_t, int64_t, int64_t = 1) const;
  Tensor narrow(int64_t, int64_t, int64_t) const; Tensor unsqueeze(int64_t) const; Tensor squeeze() const; Tensor squeeze(int64_t) const; Tensor expand(IntArrayRef) const; Tensor flatten(int64_t = 0, int64_t = -1) const;
  Tensor sum() const; Tensor sum(IntArrayRef, bool = false) const; Tensor max() const; Tensor min() const; Tensor mean() const; Tensor toType(ScalarType) const;
  Tensor view_as(const Tensor &) const; Tensor expand_as(const Tensor &) const; Tensor index_select(int64_t, const Tensor &) const; Tensor new_empty(IntArrayRef) const; Tensor new_zeros(IntArrayRef) const;
  Tensor operator[](int64_t) const; Tensor &zero_(); Tensor &fill_(Scalar); Tensor &copy_(const Tensor &); Tensor &resize_(IntArrayRef); Tensor &add_(const Tensor &); Tensor &mul_(const Tensor &);
};
typedef Tensor TensorBase;
Tensor operator+(const Tensor &, const Tensor &); Tensor operator-(const Tensor &, const Tensor &); Tensor operator*(const Tensor &, const Tensor &); Tensor operator/(const Tensor &, const Tensor &);
Tensor operator+(const Tensor &, Scalar); Tensor operator-(const Tensor &, Scalar); Tensor operator*(const Tensor &, Scalar); Tensor operator/(const Tensor &, Scalar);
#define __SPMD_FACTORY(name) Tensor name(IntArrayRef, TensorOptions = {});
__SPMD_FACTORY(empty) __SPMD_FACTORY(zeros) __SPMD_FACTORY(ones) __SPMD_FACTORY(rand) __SPMD_FACTORY(randn)
Tensor full(IntArrayRef, Scalar, TensorOptions = {}); Tensor arange(Scalar, TensorOptions = {}); Tensor arange(Scalar, Scalar, TensorOptions = {}); Tensor from_blob(void *, IntArrayRef, TensorOptions = {});
Tensor empty_like(const Tensor &, TensorOptions = {}); Tensor zeros_like(const Tensor &, TensorOptions = {}); Tensor ones_like(const Tensor &, TensorOptions = {});
Tensor full_like(const Tensor &, Scalar, TensorOptions = {}); Tensor cat(const std::vector<Tensor> &, int64_t = 0); Tensor stack(const std::vector<Tensor> &, int64_t = 0);
Tensor matmul(const Tensor &, const Tensor &); Tensor mm(const Tensor &, const Tensor &); Tensor sum(const Tensor &); Tensor max(const Tensor &); Tensor min(const Tensor &);
TensorOptions dtype(ScalarType); TensorOptions device(Device); TensorOptions device(DeviceType, int = -1);
struct TensorArg { TensorArg(const Tensor &, const char *, int); };
struct IValue {};
using ScalarType = c10::ScalarType;
namespace cuda {
struct CUDAStream { operator cudaStream_t() const; cudaStream_t stream() const; void synchronize() const; };
CUDAStream getCurrentCUDAStream(int = -1); CUDAStream getStreamFromPool(bool = false, int = -1); cudaDeviceProp *getCurrentDeviceProperties(); cudaDeviceProp *getDeviceProperties(int);
template<class T> __host__ __spmd_in T ATenCeilDiv(T a, T b) { return (a + b - 1) / b; }
namespace detail {
// A tensor of up to 25 dimensions as a kernel gets it by value: where it lies, and in rows of which sizes.
template<class T, class I> struct TensorInfo {
  T *data; I sizes[25]; I strides[25]; int dims;
  TensorInfo(); TensorInfo(T *, int, I[25], I[25]);
  void reduceDim(int); int collapseDims(const int = -1);
  __host__ __spmd_in bool isContiguous() const { return dims == 1 && strides[0] == 1; }
};
// Where the element of a number lies: the last dimension runs fastest. D: how many dimensions, -1 where the tensor says.
template<class T, class I, int D> struct IndexToOffset {
  static __host__ __spmd_in I get(I number, const TensorInfo<T, I> &info) {
    I at = 0;
    for (int dim = (D < 0 ? info.dims : D) - 1; dim > 0; --dim) { at += number % info.sizes[dim] * info.strides[dim]; number /= info.sizes[dim]; }
    return at + number * info.strides[0];
  }
};
template<class T, class I> TensorInfo<T, I> getTensorInfo(const Tensor &);
bool canUse32BitIndexMath(const Tensor &, int64_t = 2147483647);
}
int warp_size(); bool is_available(); int current_device();
}
template<class T> __host__ __spmd_in T ceil_div(T a, T b) { return (a + b - 1) / b; }
template<class T, bool is_cuda> struct AccumulateType { typedef int64_t type; };
template<bool is_cuda> struct AccumulateType<float, is_cuda> { typedef float type; };
template<> struct AccumulateType<float, false> { typedef double type; };
template<bool is_cuda> struct AccumulateType<double, is_cuda> { typedef double type; };
template<bool is_cuda> struct AccumulateType<_Float16, is_cuda> { typedef float type; };
template<bool is_cuda> struct AccumulateType<c10::Half, is_cuda> { typedef float type; };
template<bool is_cuda> struct AccumulateType<__bf16, is_cuda> { typedef float type; };
template<bool is_cuda> struct AccumulateType<c10::BFloat16, is_cuda> { typedef float type; };
template<bool is_cuda> struct AccumulateType<bool, is_cuda> { typedef bool type; };
template<class T, bool is_cuda> using acc_type = typename AccumulateType<T, is_cuda>::type;
template<class T> struct OpMathType { typedef T type; };
template<> struct OpMathType<_Float16> { typedef float type; };
template<> struct OpMathType<c10::Half> { typedef float type; };
template<> struct OpMathType<__bf16> { typedef float type; };
template<> struct OpMathType<c10::BFloat16> { typedef float type; };
template<class T> using opmath_type = typename OpMathType<T>::type;
}

namespace c10 { namespace cuda {
struct CUDAGuard { CUDAGuard(Device); CUDAGuard(DeviceIndex); CUDAGuard(int64_t); };
struct OptionalCUDAGuard { OptionalCUDAGuard(); OptionalCUDAGuard(Device); OptionalCUDAGuard(std::optional<Device>); };
using at::cuda::CUDAStream; using at::cuda::getCurrentCUDAStream; using at::cuda::getStreamFromPool;
int current_device(); int device_count();
namespace CUDACachingAllocator { void *raw_alloc(size_t); void raw_delete(void *); }
} 
struct DeviceGuard { DeviceGuard(Device); };
}
namespace at { namespace cuda { using c10::cuda::CUDAGuard; using c10::cuda::OptionalCUDAGuard; } using c10::DeviceGuard; inline Device device_of(const Tensor &); }
namespace torch {
using namespace at;
using at::Tensor; using at::TensorAccessor; using at::PackedTensorAccessor; using at::PackedTensorAccessor32; using at::PackedTensorAccessor64;
using at::RestrictPtrTraits; using at::DefaultPtrTraits; using c10::ScalarType; using c10::TensorOptions; using c10::Device; using c10::IntArrayRef; using c10::optional; using c10::nullopt;
using at::empty; using at::zeros; using at::ones; using at::dtype; using at::device; using at::max; using at::min; using at::sum;
using Dtype = c10::ScalarType;
constexpr ScalarType kUInt8 = c10::kUInt8, kInt8 = c10::kInt8, kInt16 = c10::kInt16, kInt32 = c10::kInt32, kInt64 = c10::kInt64, kFloat16 = c10::kFloat16,
  kFloat32 = c10::kFloat32, kFloat64 = c10::kFloat64;
namespace cuda { using namespace at::cuda; void synchronize(int64_t = -1); }
namespace autograd { typedef std::vector<Tensor> variable_list; struct AutogradContext; }
struct Library { template<class... A> Library &def(A...); template<class... A> Library &impl(A...); };
}
namespace pybind11 { struct module_ { template<class... A> module_ &def(A...); const char *&doc(); }; typedef module_ module; struct object {}; struct arg { arg(const char *); template<class T> arg &operator=(T); }; }
namespace py = pybind11;
typedef struct THCState THCState;

// Functions of the types of 16 bits are those of float.
#define __SPMD_ONE_IN_FLOAT(name, T) __spmd_in float name(T x) { return name((float)x); }
#define __SPMD_TWO_IN_FLOAT(name, T) __spmd_in float name(T x, T y) { return name((float)x, (float)y); }
#define __SPMD_IN_FLOAT(name) __SPMD_ONE_IN_FLOAT(name, c10::Half) __SPMD_ONE_IN_FLOAT(name, c10::BFloat16) __SPMD_ONE_IN_FLOAT(name, _Float16) __SPMD_ONE_IN_FLOAT(name, __bf16)
#define __SPMD_BOTH_IN_FLOAT(name) __SPMD_TWO_IN_FLOAT(name, c10::Half) __SPMD_TWO_IN_FLOAT(name, c10::BFloat16) __SPMD_TWO_IN_FLOAT(name, _Float16) __SPMD_TWO_IN_FLOAT(name, __bf16)
#define __SPMD_FUNCTIONS(ROW) ROW(exp) ROW(exp2) ROW(expm1) ROW(log) ROW(log2) ROW(log10) ROW(log1p) ROW(sqrt) ROW(rsqrt) ROW(cbrt) ROW(sin) ROW(cos) ROW(tan) ROW(asin) \
  ROW(acos) ROW(atan) ROW(sinh) ROW(cosh) ROW(tanh) ROW(asinh) ROW(acosh) ROW(atanh) ROW(erf) ROW(erfc) ROW(floor) ROW(ceil) ROW(trunc) ROW(round) ROW(rint) ROW(fabs) ROW(lgamma)
#define __SPMD_OF_TWO(ROW) ROW(pow) ROW(fmod) ROW(atan2) ROW(hypot) ROW(fmax) ROW(fmin)
__SPMD_FUNCTIONS(__SPMD_IN_FLOAT) __SPMD_OF_TWO(__SPMD_BOTH_IN_FLOAT)
#define __SPMD_AS_STD(name) using ::name;
namespace std { __SPMD_FUNCTIONS(__SPMD_AS_STD) __SPMD_OF_TWO(__SPMD_AS_STD) }

__spmd_in c10::Half __ldg(const c10::Half *at) { return __ldg((const __half *)at); }
__spmd_in c10::BFloat16 __ldg(const c10::BFloat16 *at) { return __ldg((const __nv_bfloat16 *)at); }
__spmd_in c10::Half gpuAtomicAdd(c10::Half *at, c10::Half v) { return atomicAdd((__half *)at, (__half)v); }
__spmd_in c10::BFloat16 gpuAtomicAdd(c10::BFloat16 *at, c10::BFloat16 v) { return atomicAdd((__nv_bfloat16 *)at, (__nv_bfloat16)v); }
__spmd_in c10::Half atomicAdd(c10::Half *at, c10::Half v) { return gpuAtomicAdd(at, v); }
__spmd_in c10::BFloat16 atomicAdd(c10::BFloat16 *at, c10::BFloat16 v) { return gpuAtomicAdd(at, v); }
// Atomic additions for all types of elements, and shuffles with the mask of all lanes.
template<class T> __spmd_in T gpuAtomicAdd(T *at, T v) { return atomicAdd(at, v); }
__spmd_in int64_t gpuAtomicAdd(int64_t *at, int64_t v) { return (int64_t)atomicAdd((unsigned long long *)at, (unsigned long long)v); }
template<class T> __spmd_in void gpuAtomicAddNoReturn(T *at, T v) { gpuAtomicAdd(at, v); }
namespace at { namespace native { template<class T, class I> __spmd_in void fastAtomicAdd(T *tensor, I index, const I, T v, bool) { gpuAtomicAdd(tensor + index, v); }
  template<class T> __spmd_in T WARP_SHFL_DOWN_ALL(T v, unsigned by) { return __shfl_down_sync(0xffffffffu, v, by); } } }
template<class T> __spmd_in T WARP_SHFL(T v, int from, int width = 32, unsigned mask = 0xffffffffu) { return __shfl_sync(mask, v, from, width); }
template<class T> __spmd_in T WARP_SHFL_UP(T v, unsigned by, int width = 32, unsigned mask = 0xffffffffu) { return __shfl_up_sync(mask, v, by, width); }
template<class T> __spmd_in T WARP_SHFL_DOWN(T v, unsigned by, int width = 32, unsigned mask = 0xffffffffu) { return __shfl_down_sync(mask, v, by, width); }
template<class T> __spmd_in T WARP_SHFL_XOR(T v, int by, int width = 32, unsigned mask = 0xffffffffu) { return __shfl_xor_sync(mask, v, by, width); }
__spmd_in unsigned WARP_BALLOT(int test, unsigned mask = 0xffffffffu) { return __ballot_sync(mask, test); }
template<class T> __host__ __spmd_in T THCCeilDiv(T a, T b) { return (a + b - 1) / b; }

#define C10_HOST __host__
#define C10_DEVICE __device__
#define C10_HOST_DEVICE __host__ __device__
#define C10_ALWAYS_INLINE inline
#define C10_RESTRICT __restrict__
#define C10_WARP_SIZE 32
#define C10_LIKELY(test) (test)
#define C10_UNLIKELY(test) (test)
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__(threads)
#define C10_LAUNCH_BOUNDS_2(threads, blocks) __launch_bounds__(threads, blocks)
#define CUDA_KERNEL_ASSERT(test) __spmd_assert(test)
#define CUDA_KERNEL_LOOP_TYPE(i, n, type) for (type i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += (type)(blockDim.x * gridDim.x))
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)
#define TORCH_EXTENSION_NAME extension
#define TORCH_API
#define TORCH_CUDA_API
#define TORCH_CHECK(...) ((void)0)
#define TORCH_CHECK_EQ(...) ((void)0)
#define TORCH_INTERNAL_ASSERT(...) ((void)0)
#define TORCH_WARN(...) ((void)0)
#define TORCH_WARN_ONCE(...) ((void)0)
#define AT_ASSERT(...) ((void)0)
#define AT_ASSERTM(...) ((void)0)
#define AT_CHECK(...) ((void)0)
#define AT_ERROR(...) ((void)0)
#define AT_CUDA_CHECK(call) ((void)(call))
#define C10_CUDA_CHECK(call) ((void)(call))
#define THCudaCheck(call) ((void)(call))
#define C10_CUDA_KERNEL_LAUNCH_CHECK() ((void)cudaGetLastError())
#define TORCH_CUDA_KERNEL_LAUNCH_CHECK() ((void)cudaGetLastError())
#define PYBIND11_MODULE(name, m) static void __spmd_module_of(pybind11::module_ &m)
#define TORCH_LIBRARY(name, m) static void __spmd_library_##name(torch::Library &m)
#define TORCH_LIBRARY_FRAGMENT(name, m) static void __spmd_fragment_##name(torch::Library &m)
#define TORCH_LIBRARY_IMPL(name, key, m) static void __spmd_library_##name##_##key(torch::Library &m)
#define TORCH_FN(function) function

// Which type of elements code runs for: each of a row of types, as `scalar_t`. Launches in host code are read through these, too.
#define AT_DISPATCH_SWITCH(type, name, ...) [&] { switch ((c10::ScalarType)(type)) { __VA_ARGS__ default: break; } }()
#define AT_PRIVATE_CASE_TYPE_USING_HINT(each, name, ...) case each: { using name = c10::impl::ScalarTypeToCPPTypeT<each>; __VA_ARGS__(); break; }
#define AT_DISPATCH_CASE(each, ...) AT_PRIVATE_CASE_TYPE_USING_HINT(each, scalar_t, __VA_ARGS__)
#define AT_PRIVATE_ELEMENT(each, T, ...) case c10::ScalarType::each: { using scalar_t = T; __VA_ARGS__(); break; }
#define AT_PRIVATE_INDEX(each, T, ...) case c10::ScalarType::each: { using index_t = T; __VA_ARGS__(); break; }
#define AT_DISPATCH_CASE_FLOATING_TYPES(...) AT_PRIVATE_ELEMENT(Double, double, __VA_ARGS__) AT_PRIVATE_ELEMENT(Float, float, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND_HALF(...) AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) AT_PRIVATE_ELEMENT(Half, c10::Half, __VA_ARGS__)
#define AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(...) AT_PRIVATE_ELEMENT(Half, c10::Half, __VA_ARGS__) AT_PRIVATE_ELEMENT(BFloat16, c10::BFloat16, __VA_ARGS__)
#define AT_DISPATCH_CASE_COMPLEX_TYPES(...) AT_PRIVATE_ELEMENT(ComplexDouble, c10::complex<double>, __VA_ARGS__) AT_PRIVATE_ELEMENT(ComplexFloat, c10::complex<float>, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(...) AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...) AT_PRIVATE_ELEMENT(Byte, uint8_t, __VA_ARGS__) AT_PRIVATE_ELEMENT(Char, int8_t, __VA_ARGS__) AT_PRIVATE_ELEMENT(Int, int, __VA_ARGS__) AT_PRIVATE_ELEMENT(Long, int64_t, __VA_ARGS__) AT_PRIVATE_ELEMENT(Short, int16_t, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...) AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(...) AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)
#define AT_PRIVATE_AND1(row, a, ...) row(__VA_ARGS__) AT_DISPATCH_CASE(a, __VA_ARGS__)
#define AT_PRIVATE_AND2(row, a, b, ...) row(__VA_ARGS__) AT_DISPATCH_CASE(a, __VA_ARGS__) AT_DISPATCH_CASE(b, __VA_ARGS__)
#define AT_PRIVATE_AND3(row, a, b, c, ...) AT_PRIVATE_AND2(row, a, b, __VA_ARGS__) AT_DISPATCH_CASE(c, __VA_ARGS__)
#define AT_PRIVATE_AND4(row, a, b, c, d, ...) AT_PRIVATE_AND3(row, a, b, c, __VA_ARGS__) AT_DISPATCH_CASE(d, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND(a, ...) AT_PRIVATE_AND1(AT_DISPATCH_CASE_FLOATING_TYPES, a, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND2(a, b, ...) AT_PRIVATE_AND2(AT_DISPATCH_CASE_FLOATING_TYPES, a, b, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND(a, ...) AT_PRIVATE_AND1(AT_DISPATCH_CASE_ALL_TYPES, a, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND2(a, b, ...) AT_PRIVATE_AND2(AT_DISPATCH_CASE_ALL_TYPES, a, b, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND3(a, b, c, ...) AT_PRIVATE_AND3(AT_DISPATCH_CASE_ALL_TYPES, a, b, c, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES_AND(a, ...) AT_PRIVATE_AND1(AT_DISPATCH_CASE_INTEGRAL_TYPES, a, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES(type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_DISPATCH_CASE_FLOATING_TYPES_AND_HALF(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND(a, type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_PRIVATE_AND1(AT_DISPATCH_CASE_FLOATING_TYPES, a, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(a, b, type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_PRIVATE_AND2(AT_DISPATCH_CASE_FLOATING_TYPES, a, b, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND3(a, b, c, type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_PRIVATE_AND3(AT_DISPATCH_CASE_FLOATING_TYPES, a, b, c, __VA_ARGS__))
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_COMPLEX_TYPES(type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND1(a, type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_PRIVATE_AND1(AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES, a, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(a, b, type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_PRIVATE_AND2(AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES, a, b, __VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES_AND(a, type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_PRIVATE_AND1(AT_DISPATCH_CASE_INTEGRAL_TYPES, a, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_HALF(type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_PRIVATE_AND1(AT_DISPATCH_CASE_ALL_TYPES, c10::ScalarType::Half, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(a, type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_PRIVATE_AND1(AT_DISPATCH_CASE_ALL_TYPES, a, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND2(a, b, type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_PRIVATE_AND2(AT_DISPATCH_CASE_ALL_TYPES, a, b, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND3(a, b, c, type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_PRIVATE_AND3(AT_DISPATCH_CASE_ALL_TYPES, a, b, c, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX(type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND(a, type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_PRIVATE_AND1(AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX, a, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(a, b, type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_PRIVATE_AND2(AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX, a, b, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(a, b, c, type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_PRIVATE_AND3(AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX, a, b, c, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND4(a, b, c, d, type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_PRIVATE_AND4(AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX, a, b, c, d, __VA_ARGS__))
#define AT_DISPATCH_INDEX_TYPES(type, name, ...) AT_DISPATCH_SWITCH(type, name, AT_PRIVATE_INDEX(Int, int, __VA_ARGS__) AT_PRIVATE_INDEX(Long, int64_t, __VA_ARGS__))
