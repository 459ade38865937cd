// 24 ordinary refactors, first version NAME_a, optimised version NAME_b, each with its launch below, as people keep them in one file.
// All pairs compute the same where sizes are positive (row maxima need a column) and, for what is read as float4, multiples of four.
//
//     spmd equiv benchmarks/refactors.cu:NAME_a benchmarks/refactors.cu:NAME_b
#include <cuda_runtime.h>
#include <math.h>
#include <assert.h>
#include <stdint.h>
// 1 rmsnorm  (x: N x C)
__global__ void rms_a(float* y, const float* x, const float* w, int N, int C, float eps) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= N) return;
    float s = 0.0f;
    for (int c = 0; c < C; c++) s += x[r * C + c] * x[r * C + c];
    float k = rsqrtf(s / C + eps);
    for (int c = 0; c < C; c++) y[r * C + c] = x[r * C + c] * k * w[c];
}
__global__ void rms_b(float* y, const float* x, const float* w, int N, int C, float eps) {
    __shared__ float part[32];
    int r = blockIdx.x;
    const float* xr = x + r * C;
    float s = 0.0f;
    for (int c = threadIdx.x; c < C; c += blockDim.x) { float v = xr[c]; s += v * v; }
    for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(0xffffffff, s, o);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x < 32) {
        s = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0.0f;
        for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(0xffffffff, s, o);
        if (threadIdx.x == 0) part[0] = s;
    }
    __syncthreads();
    float k = rsqrtf(part[0] / C + eps);
    for (int c = threadIdx.x; c < C; c += blockDim.x) y[r * C + c] = xr[c] * k * w[c];
}
// 2 rotary
__global__ void rope_a(float* q, const float* cs, const float* sn, int T, int H, int D) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int half = D / 2;
    if (i >= T * H * half) return;
    int d = i % half, h = (i / half) % H, t = i / (half * H);
    int base = (t * H + h) * D;
    float a = q[base + d], b = q[base + d + half];
    float c = cs[t * half + d], s = sn[t * half + d];
    q[base + d] = a * c - b * s;
    q[base + d + half] = a * s + b * c;
}
__global__ void rope_b(float* q, const float* cs, const float* sn, int T, int H, int D) {
    int t = blockIdx.x;
    int half = D / 2;
    for (int i = threadIdx.x; i < H * half; i += blockDim.x) {
        int h = i / half, d = i % half;
        float* p = q + (t * H + h) * D + d;
        float c = cs[t * half + d], s = sn[t * half + d];
        float a = p[0], b = p[half];
        p[0] = a * c - b * s;
        p[half] = a * s + b * c;
    }
}
// 3 embedding
__global__ void emb_a(float* out, const int* tok, const float* wte, const float* wpe, int B, int T, int C) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < B * T * C) {
        int bt = i / C, t = bt % T, c = i % C;
        out[i] = wte[tok[bt] * C + c] + wpe[t * C + c];
    }
}
__global__ void emb_b(float4* out, const int* tok, const float4* wte, const float4* wpe, int B, int T, int C) {
    int C4 = C / 4;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < B * T * C4) {
        int bt = i / C4, t = bt % T, c = i % C4;
        float4 a = wte[tok[bt] * C4 + c], b = wpe[t * C4 + c];
        out[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    }
}
// 4 matvec
__global__ void mv_a(float* y, const float* A, const float* x, int M, int K) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < M) {
        float s = 0.f;
        for (int k = 0; k < K; ++k) s += A[r * K + k] * x[k];
        y[r] = s;
    }
}
__global__ void mv_b(float* y, const float* A, const float* x, int M, int K) {
    int r = blockIdx.x * blockDim.y + threadIdx.y;
    if (r >= M) return;
    const float4* a4 = (const float4*)(A + r * K);
    const float4* x4 = (const float4*)x;
    float s = 0.f;
    for (int k = threadIdx.x; k < K / 4; k += 32) {
        float4 a = a4[k], b = x4[k];
        s += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    for (int m = 16; m >= 1; m /= 2) s += __shfl_xor_sync(0xffffffffu, s, m);
    if (threadIdx.x == 0) y[r] = s;
}
// 5 permute
__global__ void perm_a(float* o, const float* in, int B, int N, int H, int D) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= B * N * H * D) return;
    int d = i % D, h = i / D % H, n = i / (D * H) % N, b = i / (D * H * N);
    o[((b * H + h) * N + n) * D + d] = in[i];
}
__global__ void perm_b(float* o, const float* in, int B, int N, int H, int D) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= B * N * H * D) return;
    int b = i / (H * N * D), rest = i % (H * N * D);
    int h = rest / (N * D); rest = rest % (N * D);
    int n = rest / D, d = rest % D;
    o[i] = in[b * N * H * D + n * H * D + h * D + d];
}
// 6 maxpool 2x2
__global__ void mp_a(float* o, const float* in, int C, int H, int W) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.z;
    if (x >= W / 2 || y >= H / 2) return;
    float m = -INFINITY;
    for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) m = fmaxf(m, in[(c * H + 2 * y + i) * W + 2 * x + j]);
    o[(c * (H / 2) + y) * (W / 2) + x] = m;
}
__global__ void mp_b(float* o, const float* in, int C, int H, int W) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int oh = H / 2, ow = W / 2;
    if (i >= C * oh * ow) return;
    int x = i % ow, y = i / ow % oh, c = i / (ow * oh);
    const float* p = in + c * H * W + 2 * y * W + 2 * x;
    o[i] = fmaxf(fmaxf(p[0], p[1]), fmaxf(p[W], p[W + 1]));
}
// 7 swiglu
__global__ void sw_a(float* o, const float* g, const float* u, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { float v = g[i]; o[i] = v / (1.0f + expf(-v)) * u[i]; }
}
__global__ void sw_b(float* o, const float* g, const float* u, int n) {
    for (int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4; i < n; i += gridDim.x * blockDim.x * 4) {
        float4 a = *(const float4*)(g + i), b = *(const float4*)(u + i), r;
        r.x = a.x / (1.0f + expf(-a.x)) * b.x; r.y = a.y / (1.0f + expf(-a.y)) * b.y;
        r.z = a.z / (1.0f + expf(-a.z)) * b.z; r.w = a.w / (1.0f + expf(-a.w)) * b.w;
        *(float4*)(o + i) = r;
    }
}
// 8 batched matmul, tiles
__global__ void bmm_a(float* C, const float* A, const float* B, int M, int N, int K) {
    int n = blockIdx.x * blockDim.x + threadIdx.x, m = blockIdx.y * blockDim.y + threadIdx.y, b = blockIdx.z;
    if (m >= M || n >= N) return;
    float s = 0;
    for (int k = 0; k < K; k++) s += A[b * M * K + m * K + k] * B[b * K * N + k * N + n];
    C[b * M * N + m * N + n] = s;
}
__global__ void bmm_b(float* C, const float* A, const float* B, int M, int N, int K) {
    __shared__ float sa[16][16], sb[16][17];
    int tx = threadIdx.x, ty = threadIdx.y;
    int n = blockIdx.x * 16 + tx, m = blockIdx.y * 16 + ty;
    A += blockIdx.z * M * K; B += blockIdx.z * K * N; C += blockIdx.z * M * N;
    float s = 0;
    for (int k0 = 0; k0 < K; k0 += 16) {
        sa[ty][tx] = m < M && k0 + tx < K ? A[m * K + k0 + tx] : 0.f;
        sb[ty][tx] = k0 + ty < K && n < N ? B[(k0 + ty) * N + n] : 0.f;
        __syncthreads();
        for (int k = 0; k < 16; k++) s += sa[ty][k] * sb[k][tx];
        __syncthreads();
    }
    if (m < M && n < N) C[m * N + n] = s;
}
// 9 cross entropy
__global__ void ce_a(float* loss, const float* logits, const int* t, int N, int V) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= N) return;
    const float* p = logits + r * V;
    float m = p[0];
    for (int v = 1; v < V; v++) m = fmaxf(m, p[v]);
    float s = 0;
    for (int v = 0; v < V; v++) s += expf(p[v] - m);
    loss[r] = logf(s) + m - p[t[r]];
}
__global__ void ce_b(float* loss, const float* logits, const int* t, int N, int V) {
    int r = blockIdx.x, lane = threadIdx.x;
    const float* p = logits + r * V;
    float m = -INFINITY;
    for (int v = lane; v < V; v += 32) m = fmaxf(m, p[v]);
    for (int o = 16; o > 0; o /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
    float s = 0;
    for (int v = lane; v < V; v += 32) s += expf(p[v] - m);
    for (int o = 16; o > 0; o /= 2) s += __shfl_xor_sync(~0u, s, o);
    if (lane == 0) loss[r] = logf(s) + m - p[t[r]];
}
// 10 absmax quantise
__global__ void q_a(int8_t* q, float* scale, const float* x, int N, int C) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= N) return;
    float m = 0;
    for (int c = 0; c < C; c++) m = fmaxf(m, fabsf(x[r * C + c]));
    float s = m / 127.0f;
    scale[r] = s;
    for (int c = 0; c < C; c++) q[r * C + c] = (int8_t)rintf(x[r * C + c] / s);
}
__global__ void q_b(int8_t* q, float* scale, const float* x, int N, int C) {
    __shared__ float sm[256];
    int r = blockIdx.x, t = threadIdx.x;
    float m = 0;
    for (int c = t; c < C; c += 256) m = fmaxf(m, fabsf(x[r * C + c]));
    sm[t] = m;
    __syncthreads();
    for (int o = 128; o > 0; o >>= 1) { if (t < o) sm[t] = fmaxf(sm[t], sm[t + o]); __syncthreads(); }
    float s = sm[0] / 127.0f;
    if (t == 0) scale[r] = s;
    for (int c = t; c < C; c += 256) q[r * C + c] = (int8_t)rintf(x[r * C + c] / s);
}
// 11 depthwise conv 3x3
__global__ void dw_a(float* o, const float* in, const float* w, int C, int H, int W) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.z;
    if (x >= W || y >= H) return;
    float s = 0;
    for (int i = -1; i <= 1; i++) for (int j = -1; j <= 1; j++) {
        int yy = y + i, xx = x + j;
        if (yy >= 0 && yy < H && xx >= 0 && xx < W) s += in[(c * H + yy) * W + xx] * w[c * 9 + (i + 1) * 3 + j + 1];
    }
    o[(c * H + y) * W + x] = s;
}
__global__ void dw_b(float* o, const float* in, const float* w, int C, int H, int W) {
    __shared__ float t[18][18];
    __shared__ float sw[9];
    int tx = threadIdx.x, ty = threadIdx.y, c = blockIdx.z;
    int x0 = blockIdx.x * 16 - 1, y0 = blockIdx.y * 16 - 1;
    int id = ty * 16 + tx;
    if (id < 9) sw[id] = w[c * 9 + id];
    for (int k = id; k < 18 * 18; k += 256) {
        int yy = y0 + k / 18, xx = x0 + k % 18;
        t[k / 18][k % 18] = (yy >= 0 && yy < H && xx >= 0 && xx < W) ? in[(c * H + yy) * W + xx] : 0.f;
    }
    __syncthreads();
    int x = x0 + 1 + tx, y = y0 + 1 + ty;
    if (x < W && y < H) {
        float s = 0;
        for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) s += t[ty + i][tx + j] * sw[i * 3 + j];
        o[(c * H + y) * W + x] = s;
    }
}
// 12 column sums (bias gradient)
__global__ void cs_a(float* db, const float* dy, int N, int C) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= C) return;
    float s = 0;
    for (int r = 0; r < N; r++) s += dy[r * C + c];
    db[c] = s;
}
__global__ void cs_b(float* db, const float* dy, int N, int C) {
    __shared__ float sm[8][32];
    int c = blockIdx.x * 32 + threadIdx.x;
    float s = 0;
    if (c < C) for (int r = threadIdx.y; r < N; r += 8) s += dy[r * C + c];
    sm[threadIdx.y][threadIdx.x] = s;
    __syncthreads();
    if (threadIdx.y == 0 && c < C) {
        for (int j = 1; j < 8; j++) s += sm[j][threadIdx.x];
        db[c] = s;
    }
}
// 13 adamw
__global__ void ad_a(float* p, float* m, float* v, const float* g, float lr, float b1, float b2, float e, float wd, float c1, float c2, long n) {
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    m[i] = b1 * m[i] + (1.0f - b1) * g[i];
    v[i] = b2 * v[i] + (1.0f - b2) * g[i] * g[i];
    float mh = m[i] / c1, vh = v[i] / c2;
    p[i] -= lr * (mh / (sqrtf(vh) + e) + wd * p[i]);
}
__global__ void ad_b(float* p, float* m, float* v, const float* g, float lr, float b1, float b2, float e, float wd, float c1, float c2, long n) {
    for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x) {
        float gi = g[i], mi = m[i], vi = v[i], pi = p[i];
        mi = b1 * mi + (1.0f - b1) * gi;
        vi = b2 * vi + (1.0f - b2) * gi * gi;
        m[i] = mi; v[i] = vi;
        p[i] = pi - lr * (mi / c1 / (sqrtf(vi / c2) + e) + wd * pi);
    }
}
// 14 1d stencil with radius
__global__ void st_a(float* o, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int k = -3; k <= 3; k++) if (i + k >= 0 && i + k < n) s += in[i + k];
    o[i] = s;
}
__global__ void st_b(float* o, const float* in, int n) {
    __shared__ float t[256 + 6];
    int g = blockIdx.x * 256 + threadIdx.x, l = threadIdx.x + 3;
    t[l] = g < n ? in[g] : 0.f;
    if (threadIdx.x < 3) {
        t[l - 3] = g - 3 >= 0 && g - 3 < n ? in[g - 3] : 0.f;
        t[l + 256] = g + 256 < n ? in[g + 256] : 0.f;
    }
    __syncthreads();
    if (g < n) { float s = 0; for (int k = -3; k <= 3; k++) s += t[l + k]; o[g] = s; }
}
// 15 histogram
__global__ void hi_a(int* h, const unsigned char* d, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&h[d[i]], 1);
}
__global__ void hi_b(int* h, const unsigned char* d, int n) {
    __shared__ int s[256];
    s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&s[d[i]], 1);
    __syncthreads();
    atomicAdd(&h[threadIdx.x], s[threadIdx.x]);
}
// 16 rgb to grey
__global__ void gr_a(unsigned char* o, const unsigned char* rgb, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        int i = y * w + x;
        o[i] = (unsigned char)(0.299f * rgb[3 * i] + 0.587f * rgb[3 * i + 1] + 0.114f * rgb[3 * i + 2]);
    }
}
__global__ void gr_b(unsigned char* o, const uchar3* rgb, int w, int h) {
    int n = w * h;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        uchar3 p = rgb[i];
        o[i] = (unsigned char)(0.299f * p.x + 0.587f * p.y + 0.114f * p.z);
    }
}
// 17 causal softmax (rows of T, N x T x T)
__global__ void sm_a(float* o, const float* in, int N, int T, float scale) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * T) return;
    int t = i % T;
    const float* x = in + i * T;
    float* y = o + i * T;
    float m = -INFINITY;
    for (int j = 0; j <= t; j++) m = fmaxf(m, x[j] * scale);
    float s = 0;
    for (int j = 0; j <= t; j++) { float e = expf(x[j] * scale - m); s += e; y[j] = e; }
    for (int j = 0; j < T; j++) y[j] = j <= t ? y[j] / s : 0.f;
}
__global__ void sm_b(float* o, const float* in, int N, int T, float scale) {
    int i = blockIdx.x, lane = threadIdx.x, t = i % T;
    const float* x = in + i * T;
    float* y = o + i * T;
    float m = -INFINITY;
    for (int j = lane; j <= t; j += 32) m = fmaxf(m, x[j]);
    for (int k = 16; k; k >>= 1) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, k));
    float s = 0;
    for (int j = lane; j <= t; j += 32) s += expf(scale * (x[j] - m));
    for (int k = 16; k; k >>= 1) s += __shfl_xor_sync(0xffffffff, s, k);
    float inv = 1.0f / s;
    for (int j = lane; j < T; j += 32) y[j] = j <= t ? expf(scale * (x[j] - m)) * inv : 0.f;
}
// 18 global average pool
__global__ void gp_a(float* o, const float* in, int NC, int HW) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= NC) return;
    float s = 0;
    for (int j = 0; j < HW; j++) s += in[i * HW + j];
    o[i] = s / HW;
}
__global__ void gp_b(float* o, const float* in, int NC, int HW) {
    __shared__ float sm[128];
    float s = 0;
    for (int j = threadIdx.x; j < HW; j += blockDim.x) s += in[blockIdx.x * HW + j];
    sm[threadIdx.x] = s;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) { if (threadIdx.x < k) sm[threadIdx.x] += sm[threadIdx.x + k]; __syncthreads(); }
    if (threadIdx.x == 0) o[blockIdx.x] = sm[0] / HW;
}
// 19 argmax
__global__ void am_a(int* o, const float* x, int N, int C) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= N) return;
    int b = 0; float m = x[r * C];
    for (int c = 1; c < C; c++) if (x[r * C + c] > m) { m = x[r * C + c]; b = c; }
    o[r] = b;
}
__global__ void am_b(int* o, const float* x, int N, int C) {
    int r = blockIdx.x, l = threadIdx.x;
    float m = -INFINITY; int b = 0x7fffffff;
    for (int c = l; c < C; c += 32) { float v = x[r * C + c]; if (v > m) { m = v; b = c; } }
    for (int k = 16; k > 0; k >>= 1) {
        float om = __shfl_down_sync(~0u, m, k); int ob = __shfl_down_sync(~0u, b, k);
        if (om > m || (om == m && ob < b)) { m = om; b = ob; }
    }
    if (l == 0) o[r] = b;
}
// 20 pairwise distances
__global__ void pd_a(float* d, const float* a, const float* b, int N, int M, int D) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= N || j >= M) return;
    float s = 0;
    for (int k = 0; k < D; k++) { float t = a[i * D + k] - b[j * D + k]; s += t * t; }
    d[i * M + j] = s;
}
__global__ void pd_b(float* d, const float* a, const float* b, int N, int M, int D) {
    __shared__ float sa[16][17], sb[16][17];
    int tx = threadIdx.x, ty = threadIdx.y;
    int j = blockIdx.x * 16 + tx, i = blockIdx.y * 16 + ty, jl = blockIdx.x * 16 + ty;
    float s = 0;
    for (int k0 = 0; k0 < D; k0 += 16) {
        sa[ty][tx] = i < N && k0 + tx < D ? a[i * D + k0 + tx] : 0;
        sb[ty][tx] = jl < M && k0 + tx < D ? b[jl * D + k0 + tx] : 0;
        __syncthreads();
        #pragma unroll
        for (int k = 0; k < 16; k++) { float t = sa[ty][k] - sb[tx][k]; s += t * t; }
        __syncthreads();
    }
    if (i < N && j < M) d[i * M + j] = s;
}
// 21 rows of a sparse matrix
__global__ void sp_a(float* y, const int* ptr, const int* col, const float* val, const float* x, int n) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n) { float s = 0; for (int k = ptr[r]; k < ptr[r + 1]; k++) s += val[k] * x[col[k]]; y[r] = s; }
}
__global__ void sp_b(float* y, const int* ptr, const int* col, const float* val, const float* x, int n) {
    int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, l = threadIdx.x & 31;
    if (w < n) {
        float s = 0;
        for (int k = ptr[w] + l; k < ptr[w + 1]; k += 32) s += val[k] * x[col[k]];
        for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(0xffffffff, s, o);
        if (l == 0) y[w] = s;
    }
}
// 22 residual + bias + gelu fused, in place
__global__ void rg_a(float* x, const float* b, int N, int C) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N * C) { float v = x[i] + b[i % C]; x[i] = 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v))); }
}
__global__ void rg_b(float* x, const float* b, int N, int C) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= C) return;
    float bias = b[c];
    for (int r = blockIdx.y; r < N; r += gridDim.y) {
        float v = x[r * C + c] + bias;
        x[r * C + c] = 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
    }
}
// 23 transpose, 32x8
__global__ void tr_a(float* o, const float* in, int R, int C) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < R && c < C) o[c * R + r] = in[r * C + c];
}
__global__ void tr_b(float* o, const float* in, int R, int C) {
    __shared__ float t[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) if (x < C && y + j < R) t[threadIdx.y + j][threadIdx.x] = in[(y + j) * C + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) if (x < R && y + j < C) o[(y + j) * R + x] = t[threadIdx.x][threadIdx.y + j];
}
// 24 layernorm with one pass statistics
__global__ void ln_a(float* y, const float* x, const float* w, const float* b, int N, int C) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= N) return;
    float m = 0; for (int c = 0; c < C; c++) m += x[r * C + c]; m /= C;
    float v = 0; for (int c = 0; c < C; c++) { float d = x[r * C + c] - m; v += d * d; } v /= C;
    float s = 1.0f / sqrtf(v + 1e-5f);
    for (int c = 0; c < C; c++) y[r * C + c] = s * (x[r * C + c] - m) * w[c] + b[c];
}
__global__ void ln_b(float* y, const float* x, const float* w, const float* b, int N, int C) {
    int wid = threadIdx.x / 32, lane = threadIdx.x % 32, r = blockIdx.x * (blockDim.x / 32) + wid;
    if (r >= N) return;
    const float* p = x + r * C;
    float s1 = 0, s2 = 0;
    for (int c = lane; c < C; c += 32) { float v = p[c]; s1 += v; s2 += v * v; }
    for (int o = 16; o; o >>= 1) { s1 += __shfl_xor_sync(~0u, s1, o); s2 += __shfl_xor_sync(~0u, s2, o); }
    float m = s1 / C, v = s2 / C - m * m;
    float s = rsqrtf(v + 1e-5f);
    for (int c = lane; c < C; c += 32) y[r * C + c] = s * (p[c] - m) * w[c] + b[c];
}
static int cdiv(int a, int b) { return (a + b - 1) / b; }
void run_rms_a(float* y, const float* x, const float* w, int N, int C, float eps) { rms_a<<<cdiv(N, 256), 256>>>(y, x, w, N, C, eps); }
void run_rms_b(float* y, const float* x, const float* w, int N, int C, float eps) { rms_b<<<N, 256>>>(y, x, w, N, C, eps); }
void run_rope_a(float* q, const float* cs, const float* sn, int T, int H, int D) { rope_a<<<cdiv(T * H * (D / 2), 256), 256>>>(q, cs, sn, T, H, D); }
void run_rope_b(float* q, const float* cs, const float* sn, int T, int H, int D) { rope_b<<<T, 128>>>(q, cs, sn, T, H, D); }
void run_emb_a(float* out, const int* tok, const float* wte, const float* wpe, int B, int T, int C) { emb_a<<<cdiv(B * T * C, 256), 256>>>(out, tok, wte, wpe, B, T, C); }
void run_emb_b(float* out, const int* tok, const float* wte, const float* wpe, int B, int T, int C) { assert(C % 4 == 0); emb_b<<<cdiv(B * T * C / 4, 256), 256>>>((float4*)out, tok, (const float4*)wte, (const float4*)wpe, B, T, C); }
void run_mv_a(float* y, const float* A, const float* x, int M, int K) { mv_a<<<cdiv(M, 256), 256>>>(y, A, x, M, K); }
void run_mv_b(float* y, const float* A, const float* x, int M, int K) { assert(K % 4 == 0); mv_b<<<cdiv(M, 8), dim3(32, 8)>>>(y, A, x, M, K); }
void run_perm_a(float* o, const float* in, int B, int N, int H, int D) {  perm_a<<<cdiv(B * N * H * D, 256), 256>>>(o, in, B, N, H, D); }
void run_perm_b(float* o, const float* in, int B, int N, int H, int D) {  perm_b<<<cdiv(B * N * H * D, 256), 256>>>(o, in, B, N, H, D); }
void run_mp_a(float* o, const float* in, int C, int H, int W) { dim3 b(16, 16), g(cdiv(W / 2, 16), cdiv(H / 2, 16), C); mp_a<<<g, b>>>(o, in, C, H, W); }
void run_mp_b(float* o, const float* in, int C, int H, int W) { mp_b<<<cdiv(C * (H / 2) * (W / 2), 256), 256>>>(o, in, C, H, W); }
void run_sw_a(float* o, const float* g, const float* u, int n) { sw_a<<<cdiv(n, 256), 256>>>(o, g, u, n); }
void run_sw_b(float* o, const float* g, const float* u, int n) { assert(n % 4 == 0); sw_b<<<cdiv(n, 1024), 256>>>(o, g, u, n); }
void run_bmm_a(float* C, const float* A, const float* B, int M, int N, int K, int n) { dim3 b(16, 16), g(cdiv(N, 16), cdiv(M, 16), n); bmm_a<<<g, b>>>(C, A, B, M, N, K); }
void run_bmm_b(float* C, const float* A, const float* B, int M, int N, int K, int n) { dim3 b(16, 16), g(cdiv(N, 16), cdiv(M, 16), n); bmm_b<<<g, b>>>(C, A, B, M, N, K); }
void run_ce_a(float* l, const float* x, const int* t, int N, int V) { ce_a<<<cdiv(N, 128), 128>>>(l, x, t, N, V); }
void run_ce_b(float* l, const float* x, const int* t, int N, int V) { ce_b<<<N, 32>>>(l, x, t, N, V); }
void run_q_a(int8_t* q, float* s, const float* x, int N, int C) { q_a<<<cdiv(N, 256), 256>>>(q, s, x, N, C); }
void run_q_b(int8_t* q, float* s, const float* x, int N, int C) { q_b<<<N, 256>>>(q, s, x, N, C); }
void run_dw_a(float* o, const float* in, const float* w, int C, int H, int W) { dim3 b(16, 16), g(cdiv(W, 16), cdiv(H, 16), C); dw_a<<<g, b>>>(o, in, w, C, H, W); }
void run_dw_b(float* o, const float* in, const float* w, int C, int H, int W) { dim3 b(16, 16), g(cdiv(W, 16), cdiv(H, 16), C); dw_b<<<g, b>>>(o, in, w, C, H, W); }
void run_cs_a(float* db, const float* dy, int N, int C) { cs_a<<<cdiv(C, 256), 256>>>(db, dy, N, C); }
void run_cs_b(float* db, const float* dy, int N, int C) { cs_b<<<cdiv(C, 32), dim3(32, 8)>>>(db, dy, N, C); }
void run_ad_a(float* p, float* m, float* v, const float* g, float lr, float b1, float b2, float e, float wd, float c1, float c2, long n) { ad_a<<<(n + 255) / 256, 256>>>(p, m, v, g, lr, b1, b2, e, wd, c1, c2, n); }
void run_ad_b(float* p, float* m, float* v, const float* g, float lr, float b1, float b2, float e, float wd, float c1, float c2, long n) { ad_b<<<1024, 256>>>(p, m, v, g, lr, b1, b2, e, wd, c1, c2, n); }
void run_st_a(float* o, const float* in, int n) { st_a<<<cdiv(n, 256), 256>>>(o, in, n); }
void run_st_b(float* o, const float* in, int n) { st_b<<<cdiv(n, 256), 256>>>(o, in, n); }
void run_hi_a(int* h, const unsigned char* d, int n) { hi_a<<<cdiv(n, 256), 256>>>(h, d, n); }
void run_hi_b(int* h, const unsigned char* d, int n) { hi_b<<<64, 256>>>(h, d, n); }
void run_gr_a(unsigned char* o, const unsigned char* rgb, int w, int h) { dim3 b(16, 16), g(cdiv(w, 16), cdiv(h, 16)); gr_a<<<g, b>>>(o, rgb, w, h); }
void run_gr_b(unsigned char* o, const unsigned char* rgb, int w, int h) { gr_b<<<120, 256>>>(o, (const uchar3*)rgb, w, h); }
void run_sm_a(float* o, const float* in, int N, int T, float s) { sm_a<<<cdiv(N * T, 256), 256>>>(o, in, N, T, s); }
void run_sm_b(float* o, const float* in, int N, int T, float s) { assert(s > 0); sm_b<<<N * T, 32>>>(o, in, N, T, s); }
void run_gp_a(float* o, const float* in, int N, int H) { gp_a<<<cdiv(N, 128), 128>>>(o, in, N, H); }
void run_gp_b(float* o, const float* in, int N, int H) { gp_b<<<N, 128>>>(o, in, N, H); }
void run_am_a(int* o, const float* x, int N, int C) { am_a<<<cdiv(N, 128), 128>>>(o, x, N, C); }
void run_am_b(int* o, const float* x, int N, int C) { am_b<<<N, 32>>>(o, x, N, C); }
void run_pd_a(float* d, const float* a, const float* b, int N, int M, int D) { dim3 t(16, 16), g(cdiv(M, 16), cdiv(N, 16)); pd_a<<<g, t>>>(d, a, b, N, M, D); }
void run_pd_b(float* d, const float* a, const float* b, int N, int M, int D) { dim3 t(16, 16), g(cdiv(M, 16), cdiv(N, 16)); pd_b<<<g, t>>>(d, a, b, N, M, D); }
void run_sp_a(float* y, const int* p, const int* c, const float* v, const float* x, int n) { sp_a<<<cdiv(n, 128), 128>>>(y, p, c, v, x, n); }
void run_sp_b(float* y, const int* p, const int* c, const float* v, const float* x, int n) { sp_b<<<cdiv(n * 32, 128), 128>>>(y, p, c, v, x, n); }
void run_rg_a(float* x, const float* b, int N, int C) { rg_a<<<cdiv(N * C, 256), 256>>>(x, b, N, C); }
void run_rg_b(float* x, const float* b, int N, int C) { rg_b<<<dim3(cdiv(C, 256), 64), 256>>>(x, b, N, C); }
void run_tr_a(float* o, const float* in, int R, int C) { tr_a<<<dim3(cdiv(C, 32), cdiv(R, 32)), dim3(32, 32)>>>(o, in, R, C); }
void run_tr_b(float* o, const float* in, int R, int C) { tr_b<<<dim3(cdiv(C, 32), cdiv(R, 32)), dim3(32, 8)>>>(o, in, R, C); }
void run_ln_a(float* y, const float* x, const float* w, const float* b, int N, int C) { ln_a<<<cdiv(N, 128), 128>>>(y, x, w, b, N, C); }
void run_ln_b(float* y, const float* x, const float* w, const float* b, int N, int C) { ln_b<<<cdiv(N, 4), 128>>>(y, x, w, b, N, C); }
