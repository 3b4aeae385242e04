/* The host copies nothing to itself: it has no body for kernels/pipeline.h. */
#include "kernels/pipeline.h"

const struct kernel kernel_pipeline = {
    .name = "pipeline",
    .cuda = KERNEL_CUDA(pipeline_cuda),
    .plan = KERNEL_CUDA(pipeline_cuda_plan),
    .streams = PIPELINE_STREAMS,
};
