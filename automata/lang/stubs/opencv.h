// What kernels on OpenCV's matrices are passed (opencv2/core/cuda_types.hpp, before version 3 core/cuda_devptrs.hpp): a pointer, the
// bytes from row to row, and the size. In OpenCV these classes are built on each other; here each has its members itself. Before them
// what declarations of OpenCV are marked with, and its classes of the host by name alone.

#define CV_EXPORTS
#define CV_EXPORTS_W
#define CV_EXPORTS_W_SIMPLE
#define CV_EXPORTS_W_MAP
#define CV_EXPORTS_AS(name)
#define CV_WRAP
#define CV_WRAP_AS(name)
#define CV_OUT
#define CV_IN_OUT
#define CV_PROP
#define CV_PROP_RW
#define CV_INLINE static inline
#define CV_OVERRIDE override
#define CV_FINAL final
#define CV_NOEXCEPT noexcept
#define CV_DEPRECATED
#define CV_Func __func__
#define CV_UNUSED(name) (void)name
#define CV_Assert(...)
#define CV_DbgAssert(...)
#define CV_StaticAssert(condition, reason) static_assert((condition), reason)
#define CV_PI 3.1415926535897932384626433832795
#define CV_LOG2 0.69314718055994530941723212145818

namespace cv {
typedef unsigned char uchar; typedef signed char schar; typedef unsigned short ushort; typedef long long int64;
typedef unsigned long long uint64;
class Mat; class Algorithm;
class _InputArray; class _OutputArray; class _InputOutputArray;
typedef const _InputArray &InputArray; typedef const _OutputArray &OutputArray; typedef const _InputOutputArray &InputOutputArray;
namespace cuda { class Stream { public: static Stream &Null(); }; class GpuMat; class HostMem; class Event; }
}

#define __SPMD_ROWS \
  __host__ __spmd_in T *ptr(int y = 0) { return __spmd_row(y); } \
  __host__ __spmd_in const T *ptr(int y = 0) const { return __spmd_row(y); } \
  __host__ __spmd_in T &operator()(int y, int x) { return __spmd_row(y)[x]; } \
  __host__ __spmd_in const T &operator()(int y, int x) const { return __spmd_row(y)[x]; } \
  __host__ __spmd_in T *__spmd_row(int y) const { \
    if constexpr (sizeof(T) > 1) __spmd_whole_rows(); \
    return data + y * (step / sizeof(T)); \
  }

namespace cv { namespace cuda {
template<class T> struct DevPtr {
  typedef T elem_type; typedef int index_type;
  enum { elem_size = sizeof(T) };
  T *data;
  __host__ __spmd_in DevPtr() : data(0) {}
  __host__ __spmd_in DevPtr(T *data_) : data(data_) {}
  __host__ __spmd_in size_t elemSize() const { return elem_size; }
  __host__ __spmd_in operator T *() { return data; }
  __host__ __spmd_in operator const T *() const { return data; }
};
template<class T> struct PtrSz {
  typedef T elem_type; typedef int index_type;
  T *data; size_t size;
  __host__ __spmd_in PtrSz() : data(0), size(0) {}
  __host__ __spmd_in PtrSz(T *data_, size_t size_) : data(data_), size(size_) {}
  __host__ __spmd_in operator T *() { return data; }
  __host__ __spmd_in operator const T *() const { return data; }
};
template<class T> struct PtrStep {
  typedef T elem_type; typedef int index_type;
  T *data; size_t step;
  __host__ __spmd_in PtrStep() : data(0), step(0) {}
  __host__ __spmd_in PtrStep(T *data_, size_t step_) : data(data_), step(step_) {}
  __host__ __spmd_in operator T *() { return data; }
  __host__ __spmd_in operator const T *() const { return data; }
  __SPMD_ROWS
};
template<class T> struct PtrStepSz {
  typedef T elem_type; typedef int index_type;
  T *data; size_t step; int cols, rows;
  __host__ __spmd_in PtrStepSz() : data(0), step(0), cols(0), rows(0) {}
  __host__ __spmd_in PtrStepSz(int rows_, int cols_, T *data_, size_t step_) : data(data_), step(step_), cols(cols_), rows(rows_) {}
  __host__ __spmd_in operator PtrStep<T>() const { return PtrStep<T>(data, step); }
  __host__ __spmd_in operator T *() { return data; }
  __host__ __spmd_in operator const T *() const { return data; }
  __SPMD_ROWS
};
typedef PtrStepSz<unsigned char> PtrStepSzb; typedef PtrStepSz<unsigned short> PtrStepSzus; typedef PtrStepSz<float> PtrStepSzf; typedef PtrStepSz<int> PtrStepSzi;
typedef PtrStep<unsigned char> PtrStepb; typedef PtrStep<unsigned short> PtrStepus; typedef PtrStep<float> PtrStepf; typedef PtrStep<int> PtrStepi;
namespace device { __host__ __spmd_in int divUp(int total, int grain) { return (total + grain - 1) / grain; } }
using device::divUp;
}
namespace gpu { using namespace cuda; }
}
