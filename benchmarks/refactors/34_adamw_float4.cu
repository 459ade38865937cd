// equality: bitwise. X: the second moment is corrected with beta1_correction instead of beta2_correction.
#include <cuda_runtime.h>

#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))

__global__ void adamw_a(float *params, const float *grads, float *m_memory, float *v_memory, int num_parameters,
                        float lr, float beta1, float beta2, float beta1_correction, float beta2_correction, float eps,
                        float weight_decay) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= num_parameters) return;
  float grad = grads[i];
  float m = beta1 * m_memory[i] + (1.0f - beta1) * grad;
  float v = beta2 * v_memory[i] + (1.0f - beta2) * grad * grad;
  m_memory[i] = m;
  v_memory[i] = v;
  float m_hat = m / beta1_correction;
  float v_hat = v / beta2_correction;
  params[i] -= lr * (m_hat / (sqrtf(v_hat) + eps) + weight_decay * params[i]);
}

__device__ __forceinline__ void adamw_update(float &p, float g, float &m, float &v, float lr, float beta1, float beta2,
                                             float c1, float c2, float eps, float wd) {
  m = beta1 * m + (1.0f - beta1) * g;
  v = beta2 * v + (1.0f - beta2) * g * g;
  float m_hat = m / c1;
  float v_hat = v / c2;
  p -= lr * (m_hat / (sqrtf(v_hat) + eps) + wd * p);
}

__global__ void adamw_b(float *params, const float *grads, float *m_memory, float *v_memory, int num_parameters,
                        float lr, float beta1, float beta2, float beta1_correction, float beta2_correction, float eps,
                        float weight_decay) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 4 <= num_parameters) {
    float4 p = *reinterpret_cast<float4 *>(params + i);
    float4 g = *reinterpret_cast<const float4 *>(grads + i);
    float4 m = *reinterpret_cast<float4 *>(m_memory + i);
    float4 v = *reinterpret_cast<float4 *>(v_memory + i);
    adamw_update(p.x, g.x, m.x, v.x, lr, beta1, beta2, beta1_correction, beta2_correction, eps, weight_decay);
    adamw_update(p.y, g.y, m.y, v.y, lr, beta1, beta2, beta1_correction, beta2_correction, eps, weight_decay);
    adamw_update(p.z, g.z, m.z, v.z, lr, beta1, beta2, beta1_correction, beta2_correction, eps, weight_decay);
    adamw_update(p.w, g.w, m.w, v.w, lr, beta1, beta2, beta1_correction, beta2_correction, eps, weight_decay);
    *reinterpret_cast<float4 *>(params + i) = p;
    *reinterpret_cast<float4 *>(m_memory + i) = m;
    *reinterpret_cast<float4 *>(v_memory + i) = v;
  } else {
    for (; i < num_parameters; i++) {
      adamw_update(params[i], grads[i], m_memory[i], v_memory[i], lr, beta1, beta2, beta1_correction, beta2_correction,
                   eps, weight_decay);
    }
  }
}

__global__ void adamw_x(float *params, const float *grads, float *m_memory, float *v_memory, int num_parameters,
                        float lr, float beta1, float beta2, float beta1_correction, float beta2_correction, float eps,
                        float weight_decay) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 4 <= num_parameters) {
    float4 p = *reinterpret_cast<float4 *>(params + i);
    float4 g = *reinterpret_cast<const float4 *>(grads + i);
    float4 m = *reinterpret_cast<float4 *>(m_memory + i);
    float4 v = *reinterpret_cast<float4 *>(v_memory + i);
    adamw_update(p.x, g.x, m.x, v.x, lr, beta1, beta2, beta1_correction, beta1_correction, eps, weight_decay);
    adamw_update(p.y, g.y, m.y, v.y, lr, beta1, beta2, beta1_correction, beta1_correction, eps, weight_decay);
    adamw_update(p.z, g.z, m.z, v.z, lr, beta1, beta2, beta1_correction, beta1_correction, eps, weight_decay);
    adamw_update(p.w, g.w, m.w, v.w, lr, beta1, beta2, beta1_correction, beta1_correction, eps, weight_decay);
    *reinterpret_cast<float4 *>(params + i) = p;
    *reinterpret_cast<float4 *>(m_memory + i) = m;
    *reinterpret_cast<float4 *>(v_memory + i) = v;
  } else {
    for (; i < num_parameters; i++) {
      adamw_update(params[i], grads[i], m_memory[i], v_memory[i], lr, beta1, beta2, beta1_correction, beta1_correction,
                   eps, weight_decay);
    }
  }
}

void run_adamw_a(float *params, const float *grads, float *m_memory, float *v_memory, int num_parameters, float lr,
                 float beta1, float beta2, float beta1_correction, float beta2_correction, float eps,
                 float weight_decay) {
  const int block_size = 512;
  adamw_a<<<CEIL_DIV(num_parameters, block_size), block_size>>>(params, grads, m_memory, v_memory, num_parameters, lr, beta1, beta2, beta1_correction, beta2_correction, eps, weight_decay);
}

void run_adamw_b(float *params, const float *grads, float *m_memory, float *v_memory, int num_parameters, float lr,
                 float beta1, float beta2, float beta1_correction, float beta2_correction, float eps,
                 float weight_decay) {
  const int block_size = 128;
  adamw_b<<<CEIL_DIV(num_parameters, block_size * 4), block_size>>>(params, grads, m_memory, v_memory, num_parameters, lr, beta1, beta2, beta1_correction, beta2_correction, eps, weight_decay);
}

void run_adamw_x(float *params, const float *grads, float *m_memory, float *v_memory, int num_parameters, float lr,
                 float beta1, float beta2, float beta1_correction, float beta2_correction, float eps,
                 float weight_decay) {
  const int block_size = 128;
  adamw_x<<<CEIL_DIV(num_parameters, block_size * 4), block_size>>>(params, grads, m_memory, v_memory, num_parameters, lr, beta1, beta2, beta1_correction, beta2_correction, eps, weight_decay);
}
