/* A machine without cuBLAS or NVML, where a test asks for one: dlopen does not find them. */
#include "tests/virtual_card/card.h"

#include <dlfcn.h>
#include <string.h>

static bool is_missing(const char *file)
{
    return file && ((strstr(file, "libcublas") && card_fault("cublas_missing")) ||
                    (strstr(file, "libnvidia-ml") && card_fault("nvml_missing")));
}

extern "C" __attribute__((visibility("default"))) void *dlopen(const char *file, int mode)
{
    static void *(*real)(const char *, int);

    if (is_missing(file))
        return nullptr;
    if (!real)
        real = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    return real(file, mode);
}
