// spmd: block=32 grid=(n+31)/32 require n > 0, n <= 400
// Records by value, in memory, nested and with padding.
typedef struct {
  float x, y;
} point;

struct body {
  char kind;
  point at;
  short tags[3];
  double mass;
};

typedef struct {
  int low, high;
  float factor;
} range;

point moved(point p, float by) {
  p.x += by;
  p.y -= by;
  return p;
}

__kernel void advance(__global struct body *bodies, __global const point *by, range r, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  struct body own = bodies[i];
  own.at = moved(own.at, by[i].x * r.factor);
  if (own.kind < 0) own.tags[i % 3] = own.kind;
  bodies[i].at = own.at;
  bodies[i].tags[1] = own.tags[0] + own.tags[1];
  bodies[i].mass = own.mass + by[i].y;
}

__kernel void limited(__global const int *a, __global int *out, range r, float3 scale, char2 less, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  range own = r;
  own.low = min(r.low, r.high);
  own.high = max(r.low, r.high);
  out[i] = clamp(a[i], own.low, own.high) - less.y;
  out[i + n] = as_int(r.factor * scale.x + scale.z);
}

__kernel void copied(__global point *to, __global const point *from, int n) {
  int i = get_global_id(0);
  point both[2];
  if (i >= n) return;
  both[i & 1] = from[i];
  both[~i & 1] = to[i];
  to[i].x = both[1].y;
  to[i].y = both[0].x;
}

typedef struct {
  int a[3];
  struct {
    short x, y;
  } in[2];
} deep;

typedef union {
  uint word;
  uchar part[4];
} mixture;

__kernel void nested(__global deep *p, __global const int *a, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int k = a[i] & 1;
  p[i].in[k].x += p[i].in[1 - k].y;
  p[i].a[(a[i] >> 3 & 1) + k] = a[i];
  deep own = p[i];
  own.a[0] = 7;
  p[i].a[2] -= own.a[0] + own.in[k].x;
}

__kernel void turned(__global const uint *a, __global uint *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  mixture m;
  m.word = a[i];
  uchar first = m.part[0];
  m.part[0] = m.part[3];
  m.part[3] = first;
  out[i] = m.word;
}

__constant struct {
  int whole;
  float part;
} choices[2] = {{3, 0.5f}, {-4, 2.5f}};

__kernel void chosen(__global const int *a, __global float *out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[i] = choices[a[i] & 1].whole * choices[a[i] >> 1 & 1].part;
}
