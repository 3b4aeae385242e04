/* Kernels are tested without the device floor, so that there is no table of cuBLAS here. */
#include <stddef.h>

struct cublas;
const struct cublas *libraries_cublas(const char **why);

const struct cublas *libraries_cublas(const char **why)
{
    *why = "the tests of kernels have no cuBLAS";
    return NULL;
}
