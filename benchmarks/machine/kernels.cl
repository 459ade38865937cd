// The kernels of `kernels.cu`, for PoCL.

__kernel void vector_add(__global const float *a, __global const float *b, __global float *out, int n) {
    int i = get_global_id(0);
    if (i < n) out[i] = a[i] + b[i];
}

__kernel void strided_copy(__global const float *in, __global float *out, int stride, int n) {
    int i = get_global_id(0);
    for (int at = i * stride; at < (i + 1) * stride; at++)
        if (at < n) out[at] = in[at];
}

__kernel void matrix_multiply(__global const float *a, __global const float *b, __global float *out, int n) {
    __local float left[16][16], right[16][16];
    int x = get_local_id(0), y = get_local_id(1), column = get_group_id(0) * 16 + x, row = get_group_id(1) * 16 + y;
    float sum = 0.0f;
    for (int tile = 0; tile < n / 16; tile++) {
        left[y][x] = a[row * n + tile * 16 + x];
        right[y][x] = b[(tile * 16 + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++) sum += left[y][k] * right[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[row * n + column] = sum;
}

__kernel void transpose(__global const float *in, __global float *out, int n) {
    __local float tile[16][17];
    int x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = in[(get_group_id(1) * 16 + y) * n + get_group_id(0) * 16 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(0) * 16 + y) * n + get_group_id(1) * 16 + x] = tile[x][y];
}

__kernel void reduction(__global const int *in, __global int *out) {
    __local int part[256];
    int t = get_local_id(0);
    part[t] = in[get_group_id(0) * 256 + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_ = 128; half_ > 0; half_ /= 2) {
        if (t < half_) part[t] += part[t + half_];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) out[get_group_id(0)] = part[0];
}

__kernel void scan(__global const int *in, __global int *out) {
    __local int part[256];
    int t = get_local_id(0), i = get_group_id(0) * 256 + t;
    part[t] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < 256; step *= 2) {
        int before = t >= step ? part[t - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        part[t] += before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = part[t];
}

__kernel void stencil(__global const float *in, __global float *out, int n) {
    __local float row[256 + 2 * 3];
    int t = get_local_id(0), i = get_group_id(0) * 256 + t;
    row[t + 3] = in[i];
    if (t < 3) {
        row[t] = i >= 3 ? in[i - 3] : 0.0f;
        row[t + 259] = i + 256 < n ? in[i + 256] : 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int k = 0; k < 7; k++) sum += row[t + k];
    out[i] = sum;
}

__kernel void histogram(__global const uchar *in, __global uint *out) {
    __local uint bins[256];
    int t = get_local_id(0), i = get_group_id(0) * 1024 + t;
    bins[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 4; k++) atomic_add(&bins[in[i + 256 * k]], 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&out[t], bins[t]);
}

__kernel void bodies(__global const float *px, __global const float *py, __global const float *mass, __global float *out, int n) {
    __local float x[128], y[128], m[128];
    int t = get_local_id(0), i = get_group_id(0) * 128 + t;
    float mine_x = px[i], mine_y = py[i], force = 0.0f;
    for (int tile = 0; tile < n; tile += 128) {
        x[t] = px[tile + t];
        y[t] = py[tile + t];
        m[t] = mass[tile + t];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 128; k++) {
            float dx = x[k] - mine_x, dy = y[k] - mine_y;
            float square = dx * dx + dy * dy + 0.01f;
            force += m[k] * dx / (square * sqrt(square));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = force;
}

__kernel void collatz(__global int *out, int limit) {
    int i = get_global_id(0), rounds = 0;
    uint value = i + 1;
    while (value != 1u && rounds < limit) {
        value = (value & 1u) ? 3u * value + 1u : value / 2u;
        rounds++;
    }
    out[i] = rounds;
}

__kernel void black_scholes(__global const float *price, __global const float *strike, __global const float *years,
                            __global float *call, __global float *put) {
    int i = get_global_id(0);
    float s = price[i], x = strike[i], t = years[i], root = sqrt(t);
    float d1 = (log(s / x) + (0.02f + 0.5f * 0.3f * 0.3f) * t) / (0.3f * root), d2 = d1 - 0.3f * root;
    float n1 = 0.5f * erfc(-d1 * 0.70710678f), n2 = 0.5f * erfc(-d2 * 0.70710678f), discounted = x * exp(-0.02f * t);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}
