// Kernels of the machine's benchmark; `kernels.cl` and `sequential.c` say the same for PoCL and for a C compiler.

__global__ void vector_add(const float *a, const float *b, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + b[i];
}

__global__ void strided_copy(const float *in, float *out, int stride, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int at = i * stride; at < (i + 1) * stride; at++)
        if (at < n) out[at] = in[at];
}

__global__ void matrix_multiply(const float *a, const float *b, float *out, int n) {
    __shared__ float left[16][16], right[16][16];
    int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    float sum = 0.0f;
    for (int tile = 0; tile < n / 16; tile++) {
        left[y][x] = a[row * n + tile * 16 + x];
        right[y][x] = b[(tile * 16 + y) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; k++) sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    out[row * n + column] = sum;
}

__global__ void transpose(const float *in, float *out, int n) {
    __shared__ float tile[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[(blockIdx.y * 16 + y) * n + blockIdx.x * 16 + x];
    __syncthreads();
    out[(blockIdx.x * 16 + y) * n + blockIdx.y * 16 + x] = tile[x][y];
}

__global__ void reduction(const int *in, int *out) {
    __shared__ int part[256];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

__global__ void scan(const int *in, int *out) {
    __shared__ int part[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    part[t] = in[i];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        int before = t >= step ? part[t - step] : 0;
        __syncthreads();
        part[t] += before;
        __syncthreads();
    }
    out[i] = part[t];
}

__global__ void stencil(const float *in, float *out, int n) {
    __shared__ float row[256 + 2 * 3];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    row[t + 3] = in[i];
    if (t < 3) {
        row[t] = i >= 3 ? in[i - 3] : 0.0f;
        row[t + 259] = i + 256 < n ? in[i + 256] : 0.0f;
    }
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 7; k++) sum += row[t + k];
    out[i] = sum;
}

__global__ void histogram(const unsigned char *in, unsigned *out) {
    __shared__ unsigned bins[256];
    int t = threadIdx.x, i = blockIdx.x * 1024 + t;
    bins[t] = 0;
    __syncthreads();
    for (int k = 0; k < 4; k++) atomicAdd(&bins[in[i + 256 * k]], 1u);
    __syncthreads();
    atomicAdd(&out[t], bins[t]);
}

__global__ void bodies(const float *px, const float *py, const float *mass, float *out, int n) {
    __shared__ float x[128], y[128], m[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    float mine_x = px[i], mine_y = py[i], force = 0.0f;
    for (int tile = 0; tile < n; tile += 128) {
        x[t] = px[tile + t];
        y[t] = py[tile + t];
        m[t] = mass[tile + t];
        __syncthreads();
        for (int k = 0; k < 128; k++) {
            float dx = x[k] - mine_x, dy = y[k] - mine_y;
            float square = dx * dx + dy * dy + 0.01f;
            force += m[k] * dx / (square * sqrtf(square));
        }
        __syncthreads();
    }
    out[i] = force;
}

__global__ void collatz(int *out, int limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, rounds = 0;
    unsigned value = i + 1;
    while (value != 1u && rounds < limit) {
        value = (value & 1u) ? 3u * value + 1u : value / 2u;
        rounds++;
    }
    out[i] = rounds;
}

__global__ void black_scholes(const float *price, const float *strike, const float *years, float *call, float *put) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = price[i], x = strike[i], t = years[i], root = sqrtf(t);
    float d1 = (logf(s / x) + (0.02f + 0.5f * 0.3f * 0.3f) * t) / (0.3f * root), d2 = d1 - 0.3f * root;
    float n1 = 0.5f * erfcf(-d1 * 0.70710678f), n2 = 0.5f * erfcf(-d2 * 0.70710678f), discounted = x * expf(-0.02f * t);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}

__global__ void shared_reversal(int *out) {
    __shared__ int tile[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    tile[255 - t] = i;
    __syncthreads();
    out[i] = tile[t];
}
