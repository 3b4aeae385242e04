/* A machine without cuBLAS or NVML, where a test asks for one: dlopen does not find them. */
#include "tests/virtual_card/card.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <string.h>
#include <string>

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
    /* An older library lacks calls, as this other one does. */
    if (file && strstr(file, "libcublasLt") && card_fault("cublas_old"))
        return dlopen(("libcublas.so." + std::to_string(CUDART_VERSION / 1000)).c_str(), mode);
    if (!real)
        real = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    return real(file, mode);
}
