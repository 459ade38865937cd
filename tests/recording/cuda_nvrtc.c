/* A stand-in for NVRTC, of the tests' own: what follows `//ptx ` on a line of the text is the PTX that it makes. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

typedef struct { char *text; } program;

int nvrtcCreateProgram(program **made, const char *text, const char *name, int n, const char *const *headers, const char *const *names)
{
    (void)name, (void)n, (void)headers, (void)names;
    return (*made = malloc(sizeof **made)) && ((*made)->text = strdup(text)) ? 0 : 1;
}
int nvrtcAddNameExpression(program *made, const char *name) { return made && name ? 0 : 1; }
int nvrtcCompileProgram(program *made, int n, const char *const *options)
{
    return (void)n, (void)options, strstr(made->text, "#error") ? 6 : 0;
}
static const char *ptx_of(program *made) { return strstr(made->text, "//ptx ") + 6; }
int nvrtcGetPTXSize(program *made, size_t *size) { return (*size = strcspn(ptx_of(made), "\n") + 1), 0; }
int nvrtcGetPTX(program *made, char *to)
{
    size_t size = strcspn(ptx_of(made), "\n");
    memcpy(to, ptx_of(made), size);
    return (to[size] = 0);
}
int nvrtcDestroyProgram(program **made) { return free((*made)->text), free(*made), (*made = NULL), 0; }
