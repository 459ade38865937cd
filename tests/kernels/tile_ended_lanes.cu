// expect: race-free=proved order-free=unknown
// spmd: block=32
// Lanes have ended that an operation of the whole warp needs.
#include <stdint.h>
__global__ void k(float *c, const uint16_t *a) {
  __shared__ __align__(16) uint16_t s[16 * 16];
  int t = threadIdx.x;
  for (int i = 0; i < 8; i++) s[i * 32 + t] = a[blockIdx.x * 256 + i * 32 + t];
  __syncthreads();
  uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(&s[(t % 16) * 16 + t / 16 * 8]));
  uint32_t r0, r1, r2, r3;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3) : "r"(at));
  if (t > 3) return;
  float d[4] = {0, 0, 0, 0};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(r0), "r"(r1), "r"(r2), "r"(r3), "r"(r0), "r"(r2));
  for (int i = 0; i < 4; i++) c[blockIdx.x * 128 + i * 32 + t] = d[i];
}
