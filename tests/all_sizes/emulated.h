// CUDA's words for a C++ compiler: each thread of a block is a context of its own that runs until it waits.
//
// Blocks run one after the other, threads in an order that a seed decides: 0 upwards, 1 downwards, else shuffled anew each
// time. Shared memory is filled with rubbish before each block. A wait that never ends gives status 1.
#include <ucontext.h>

#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#define __global__ static
#define __device__ static
#define __host__
#define __forceinline__ inline
#define __restrict__
#define __launch_bounds__(...)
#define __shared__ static __attribute__((section("shared_memory")))
#define __constant__ static

struct Size { unsigned x, y, z; };
static Size threadIdx, blockIdx, blockDim, gridDim;
static const int warpSize = 32;

struct int2 { int x, y; };
struct int4 { int x, y, z, w; };
struct uchar4 { unsigned char x, y, z, w; };
struct char4 { signed char x, y, z, w; };
struct float2 { float x, y; };
struct float4 { float x, y, z, w; };
struct double2 { double x, y; };
struct double4 { double x, y, z, w; };
static inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
static inline float2 make_float2(float x, float y) { return {x, y}; }
static inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
static inline double2 make_double2(double x, double y) { return {x, y}; }
static inline double4 make_double4(double x, double y, double z, double w) { return {x, y, z, w}; }

static inline double expf(double x) { return exp(x); }
static inline double logf(double x) { return log(x); }
static inline double sqrtf(double x) { return sqrt(x); }
static inline double tanhf(double x) { return tanh(x); }
static inline double sinf(double x) { return sin(x); }
static inline double cosf(double x) { return cos(x); }
static inline double fabsf(double x) { return fabs(x); }
static inline double fmaxf(double x, double y) { return fmax(x, y); }
static inline double fminf(double x, double y) { return fmin(x, y); }
static inline double fmaf(double x, double y, double z) { return x * y + z; }
static inline double powf(double x, double y) { return pow(x, y); }
static inline double rsqrtf(double x) { return 1 / sqrt(x); }
static inline float rsqrtf(float x) { return 1 / sqrtf(x); }
static inline int min(int x, int y) { return x < y ? x : y; }
static inline int max(int x, int y) { return x > y ? x : y; }

template <typename T> static T atomicAdd(T *p, T v) { T old = *p; *p += v; return old; }
template <typename T> static T atomicMax(T *p, T v) { T old = *p; if (v > old) *p = v; return old; }
template <typename T> static T atomicMin(T *p, T v) { T old = *p; if (v < old) *p = v; return old; }

enum State { READY, AT_BLOCK, AT_WARP, DONE };
static const int MOST = 1024, STACK = 1 << 15;
static ucontext_t scheduler, contexts[MOST];
static State states[MOST];
static unsigned waits_for[MOST];
static Size places[MOST];
static int now;
static char stacks[MOST][STACK];
static uint64_t slots[MOST];
static void (*body)(void **);
static void **arguments;
static unsigned random_state;

static unsigned draw() {
  random_state = random_state * 1664525u + 1013904223u;
  return random_state >> 8;
}
static void thread_main() {
  body(arguments);
  states[now] = DONE;
  swapcontext(&contexts[now], &scheduler);
}
static void wait_as(State state) {
  states[now] = state;
  swapcontext(&contexts[now], &scheduler);
}
static void __syncthreads() { wait_as(AT_BLOCK); }
static void __syncwarp(unsigned mask = 0xffffffffu) {
  waits_for[now] = mask;
  wait_as(AT_WARP);
}

template <typename T> static T exchanged(unsigned mask, T v, int lane) {
  static_assert(sizeof(T) <= 8, "one slot");
  int me = now, base = me / 32 * 32;
  memcpy(&slots[me], &v, sizeof v);
  __syncwarp(mask);
  T got;
  memcpy(&got, &slots[base + lane], sizeof got);
  __syncwarp(mask);
  return got;
}
template <typename T> static T __shfl_sync(unsigned mask, T v, int lane, int width = 32) {
  int me = now % 32;
  return exchanged(mask, v, me / width * width + lane % width);
}
template <typename T> static T __shfl_xor_sync(unsigned mask, T v, int d, int width = 32) {
  int me = now % 32, other = me ^ d;
  return exchanged(mask, v, other / width > me / width ? me : other);
}
template <typename T> static T __shfl_down_sync(unsigned mask, T v, int d, int width = 32) {
  int me = now % 32;
  return exchanged(mask, v, me % width + d < width ? me + d : me);
}
template <typename T> static T __shfl_up_sync(unsigned mask, T v, int d, int width = 32) {
  int me = now % 32;
  return exchanged(mask, v, me % width >= d ? me - d : me);
}

extern "C" char __start_shared_memory[] __attribute__((weak, visibility("hidden")));
extern "C" char __stop_shared_memory[] __attribute__((weak, visibility("hidden")));

static bool release(int count) {
  bool all_at_block = true, is_any = false;
  for (int t = 0; t < count; t++) all_at_block = all_at_block && (states[t] == AT_BLOCK || states[t] == DONE);
  for (int t = 0; t < count; t++) {
    if (states[t] == AT_BLOCK && all_at_block) { states[t] = READY; is_any = true; }
    if (states[t] != AT_WARP) continue;
    bool all_here = true;
    for (int lane = 0; lane < 32; lane++) {
      int other = t / 32 * 32 + lane;
      if (other < count && waits_for[t] >> lane & 1) all_here = all_here && (states[other] == AT_WARP || states[other] == DONE);
    }
    if (!all_here) continue;
    for (int lane = 0; lane < 32; lane++) {
      int other = t / 32 * 32 + lane;
      if (other < count && waits_for[t] >> lane & 1 && states[other] == AT_WARP) { states[other] = READY; is_any = true; }
    }
  }
  return is_any;
}

static int run_block(int count, unsigned seed) {
  for (char *p = __start_shared_memory; p < __stop_shared_memory; p++) *p = (char)(0x7f - draw() % 4);
  for (int t = 0; t < count; t++) {
    places[t] = {t % blockDim.x, t / blockDim.x % blockDim.y, t / blockDim.x / blockDim.y};
    getcontext(&contexts[t]);
    contexts[t].uc_stack.ss_sp = stacks[t];
    contexts[t].uc_stack.ss_size = STACK;
    contexts[t].uc_link = &scheduler;
    makecontext(&contexts[t], thread_main, 0);
    states[t] = READY;
  }
  int order[MOST];
  for (int t = 0; t < count; t++) order[t] = seed == 1 ? count - 1 - t : t;
  for (;;) {
    if (seed > 1)
      for (int t = count - 1; t > 0; t--) {
        int other = draw() % (t + 1), kept = order[t];
        order[t] = order[other];
        order[other] = kept;
      }
    bool is_done = true;
    for (int at = 0; at < count; at++) {
      now = order[at];
      threadIdx = places[now];
      if (states[now] == READY) swapcontext(&scheduler, &contexts[now]);
    }
    for (int t = 0; t < count; t++) is_done = is_done && states[t] == DONE;
    if (is_done) return 0;
    bool is_ready = false;
    for (int t = 0; t < count; t++) is_ready = is_ready || states[t] == READY;
    if (!release(count) && !is_ready) return 1;
  }
}

static int launch(void (*kernel)(void **), void **args, const unsigned *sizes, unsigned seed) {
  body = kernel;
  arguments = args;
  random_state = seed * 77 + 5;
  gridDim = {sizes[0], sizes[1], sizes[2]};
  blockDim = {sizes[3], sizes[4], sizes[5]};
  int blocks = gridDim.x * gridDim.y * gridDim.z;
  for (int at = 0; at < blocks; at++) {
    unsigned b = seed == 1 ? blocks - 1 - at : at;
    blockIdx = {b % gridDim.x, b / gridDim.x % gridDim.y, b / gridDim.x / gridDim.y};
    if (run_block(blockDim.x * blockDim.y * blockDim.z, seed)) return 1;
  }
  return 0;
}
