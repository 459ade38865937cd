// spmd: block=32 grid=(n+31)/32 require n > 0, n <= 2000
// Each thread goes its own way: trip counts from data, early returns, switches, breaks and continues.
__kernel void halving(__global const uint *start, __global int *steps, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  uint value = start[i] % 97 + 1;
  int count = 0;
  while (value != 1) {
    value = value & 1 ? 3 * value + 1 : value / 2;
    count++;
  }
  steps[i] = count;
}

__kernel void early(__global const int *a, __global int *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  if (a[i] < 0) {
    out[i] = -1;
    return;
  }
  for (int k = 0; k < 8; k++)
    if ((a[i] >> k & 7) == 5) {
      out[i] = k;
      return;
    }
  out[i] = a[i] % 10;
}

__kernel void switched(__global const uchar *code, __global int *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int found = 0;
  switch (code[i] % 9) {
    case 0: found = 10; break;
    case 1: found = 20;
    case 2: found += 3; break;
    case 5:
    case 6: {
      int k = i;
      do { found += k; k -= 3; } while (k > 0);
      break;
    }
    case 7: return;
    default: found = -code[i];
  }
  switch ((char)code[i]) {
    case -1: found ^= 255; break;
    case 64: found |= 1 << 20;
  }
  out[i] = found;
}

__kernel void nested(__global const int *a, __global int *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int sum = 0, rounds = 0;
  for (int x = 0; x < (a[i] & 7); x++) {
    if (x == 3) continue;
    for (int y = x; ; y++) {
      rounds++;
      if (y * x > 20 || y > 9) break;
      if ((y ^ x) & 1) continue;
      sum += y * 10 + x;
    }
    if (sum > 200) break;
  }
  out[2 * i] = sum;
  out[2 * i + 1] = rounds;
}

int greatest_divisor(uint a, uint b) {
  while (b) {
    uint rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

float horner(float x, __constant float *c, int degree) {
  float sum = c[degree];
  while (degree-- > 0) sum = sum * x + c[degree];
  return sum;
}

__kernel void helpers(__global const uint *a, __global const float *x, __constant float *c, __global int *out,
                      __global float *f, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[i] = greatest_divisor(a[i] & 0xffff, a[i] >> 16) + (i & 1 && out[i] > 0 ? greatest_divisor(i, 12) : 0);
  f[i] = horner(x[i], c, 4) + horner(0.5f, c, i % 3);
}

__kernel void side_effects(__global const int *a, __global int *out, int n) {
  int i = get_global_id(0), k = 0;
  if (i >= n) return;
  int v = a[i] & 15, seen = 0;
  seen = v++ * 2;
  seen += v > 4 && k++ < 1;
  seen -= v & 1 || ++k;
  out[3 * i + k] = seen;
  v = (k += 2, k * v) ? k-- : -k;
  out[3 * i + (k > 2 ? 2 : 0)] += v <<= 2;
}

__kernel void loops(__global const int *a, __global int *out, int n) {
  int i = get_global_id(0), k = 0, s = 0;
  if (i >= n) return;
  for (uint down = 5; down-- > 0;) s = s * 3 + (int)down;
  do {
    k++;
    if (k & 1) continue;
    s += k;
    if (s > (a[i] & 1023)) break;
  } while (k < 9);
  for (float f = 0.0f; f < 1.0f; f += 0.3f) s += 2;
  for (int x = 0, y = 10; x < y; x++, y -= 2) {
    switch (a[i] >> x & 3) {
      case 0: continue;
      case 1: s++; break;
      default: s -= y;
    }
    s ^= x;
  }
  out[i] = s;
}

void ordered(int *a, int *b, bool really) {
  if (really && *a > *b) {
    int kept = *a;
    *a = *b;
    *b = kept;
  }
}

int sum_of(const int *p, int count) {
  int s = 0;
  while (count--) s = s * 2 + *p++;
  return s;
}

__kernel void pointers(__global const int *a, __global int *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int x = a[i], y = a[i + 1], own[4] = {x, y, 3};
  ordered(&x, &y, true);
  ordered(own, own + 2, x < 0);
  __global const int *p = a + i;
  __global const int *q = x & 1 ? p + 2 : a;
  out[2 * i] = x - *q + p[1];
  out[2 * i + 1] = y + (q == a) + own[2];
}

__kernel void moving_pointer(__global const int *a, __global int *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int own[4] = {a[i], 1, 2, 3};
  __global const int *p = a + i;
  int first = *p++;
  out[i] = sum_of(own + (i & 1), 3) - first + *p;
}
