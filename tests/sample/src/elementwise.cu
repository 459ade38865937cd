#include "../include/common.cuh"

__global__ void scale(float *x, int n) {
    int i = global_index();
    if (i < n) x[i] = GAIN * x[i];
}

__global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = global_index();
    if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void relu(const float *x, float *y, int n) {
    int i = global_index();
    if (i < n) y[i] = x[i] > 0.0f ? x[i] : 0.0f;
}

__global__ void clamp(const float *x, float *y, float low, float high, int n) {
    int i = global_index();
    if (i < n) y[i] = bounded(x[i], low, high);
}

__global__ void square(const float *x, float *y, int n) {
    int i = global_index();
    if (i < n) y[i] = x[i] * x[i];
}

__global__ void lerp(const float *a, const float *b, float *y, float t, int n) {
    int i = global_index();
    if (i < n) y[i] = mixed(a[i], b[i], t);
}

void run_saxpy(float a, const float *x, float *y, int n) {
    saxpy<<<(n + 255) / 256, 256>>>(a, x, y, n);
}

void run_square(const float *x, float *y, int n) {
    square<<<(n + 255) / 256, 256>>>(x, y, n);
}
