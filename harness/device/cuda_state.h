/* What the parts of the CUDA device share. */
#ifndef DEVICE_CUDA_STATE_H
#define DEVICE_CUDA_STATE_H

#include "harness/device/device.h"

/* Adds driver, CUDA runtime and cuBLAS. */
void cuda_describe(struct environment *e);

#endif
