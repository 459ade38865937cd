// Complex numbers as pairs, and types that headers of the libraries for linear algebra and transforms bring along.

typedef float2 cuFloatComplex; typedef float2 cuComplex; typedef double2 cuDoubleComplex;
typedef float cufftReal; typedef float2 cufftComplex; typedef double cufftDoubleReal; typedef double2 cufftDoubleComplex;
typedef int cufftHandle; typedef int cufftResult;
typedef struct cublasContext* cublasHandle_t; typedef struct cusparseContext* cusparseHandle_t; typedef struct cusolverDnContext* cusolverDnHandle_t;
enum cudaDataType_t { CUDA_R_16F = 2, CUDA_C_16F = 6, CUDA_R_16BF = 14, CUDA_C_16BF = 15, CUDA_R_32F = 0, CUDA_C_32F = 4, CUDA_R_64F = 1, CUDA_C_64F = 5,
  CUDA_R_8I = 3, CUDA_C_8I = 7, CUDA_R_8U = 8, CUDA_C_8U = 9, CUDA_R_32I = 10, CUDA_C_32I = 11, CUDA_R_32U = 12, CUDA_C_32U = 13, CUDA_R_64I = 24 };
typedef cudaDataType_t cudaDataType;

#define __SPMD_COMPLEX(C, R, F, S, MAX) \
  __spmd_in R cuCreal##F(C a) { return a.x; } \
  __spmd_in R cuCimag##F(C a) { return a.y; } \
  __spmd_in C cuConj##F(C a) { return C{a.x, -a.y}; } \
  __spmd_in C cuCadd##F(C a, C b) { return C{a.x + b.x, a.y + b.y}; } \
  __spmd_in C cuCsub##F(C a, C b) { return C{a.x - b.x, a.y - b.y}; } \
  __spmd_in C cuCmul##F(C a, C b) { return C{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; } \
  __spmd_in C cuCfma##F(C a, C b, C c) { R x = a.x * b.x + c.x, y = b.x * a.y + c.y; return C{-(b.y * a.y) + x, a.x * b.y + y}; } \
  __spmd_in C cuCdiv##F(C a, C b) { \
    R by = (R)1 / (fabs##S(b.x) + fabs##S(b.y)), p = a.x * by, q = a.y * by, r = b.x * by, t = b.y * by, over = (R)1 / (r * r + t * t); \
    return C{(p * r + q * t) * over, (q * r - p * t) * over}; \
  } \
  __spmd_in R cuCabs##F(C a) { \
    R p = fabs##S(a.x), q = fabs##S(a.y), high = p > q ? p : q, low = p > q ? q : p, share = low / high; \
    return high == (R)0 || high > (R)MAX || low > (R)MAX ? high + low : high * sqrt##S((R)1 + share * share); \
  }
__SPMD_COMPLEX(cuFloatComplex, float, f, f, 3.402823466e38f)
__SPMD_COMPLEX(cuDoubleComplex, double, , , 1.79769313486231570e+308)
__spmd_in cuFloatComplex make_cuFloatComplex(float x, float y) { return cuFloatComplex{x, y}; }
__spmd_in cuFloatComplex make_cuComplex(float x, float y) { return cuFloatComplex{x, y}; }
__spmd_in cuDoubleComplex make_cuDoubleComplex(double x, double y) { return cuDoubleComplex{x, y}; }
__spmd_in cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return cuFloatComplex{(float)a.x, (float)a.y}; }
__spmd_in cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return cuDoubleComplex{(double)a.x, (double)a.y}; }
