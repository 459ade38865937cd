// expect: verdict=unsupported message=read through a pointer
// A list.
struct L { L *next; int v; };
__global__ void k(L *list) {
  for (L *p = list; p; p = p->next) p->v++;
}
