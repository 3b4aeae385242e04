/* What a kernel is: the only header that C, CUDA and the tests' host build share. */
#ifndef KERNELS_KERNEL_H
#define KERNELS_KERNEL_H

#ifdef __cplusplus
extern "C" {
#endif

enum { KERNEL_STREAMS_MAX = 4 };

/* Does share `worker` of `workers` of one execution.  Returns 0, or a code that describe()
 * explains. */
typedef int host_body(const void *args, unsigned worker, unsigned workers);
/* Of a library that a kernel calls: what it returns is added, and is no error of the runtime. */
enum { KERNEL_LIBRARY_FAILED = 0x10000 };
/* Work on the card has not ended in all the time that kernel_patience() gives it. */
enum { KERNEL_HANGS = 0x8000 };
/* Enqueues one execution on the streams given; returns a cudaError_t (0: enqueued), or
 * KERNEL_LIBRARY_FAILED and more. */
typedef int cuda_body(const void *args, void *const *streams);
/* Asks the runtime what a launch needs (grid for full residency, shared bytes, GEMM candidates) and
 * writes it into args.  Returns a cudaError_t. */
typedef int cuda_plan(void *args);

/* How the host runs a kernel. */
enum host_threads {
    HOST_ALL_CORES,  /* one worker per core, each bound to its core */
    HOST_ONE_CORE,   /* worker 0 of 1, bound to one core */
    HOST_OWN_THREADS /* worker 0 of 1, unbound: a library inside starts and binds its own threads */
};

struct kernel {
    const char *name;
    host_body *host; /* NULL: the host has no such thing */
    enum host_threads host_threads;
    cuda_body *cuda;  /* NULL: in a build without CUDA, or none; written KERNEL_CUDA(function) */
    cuda_plan *plan;  /* NULL: nothing to ask; written KERNEL_CUDA(function) */
    unsigned streams; /* how many it wants, 1 if left out */
    int priority[KERNEL_STREAMS_MAX];
};

/* Only in a build with CUDA (kernel_cuda.c): how long anything may last on a card before it counts
 * as hung, in seconds: 30, or what tests set in RIDGE_HANG_SECONDS; more where more is expected. */
double kernel_patience(double expected_seconds);
/* Asks the stream (NULL: the default one) until it is empty.  Returns a cudaError_t, or
 * KERNEL_HANGS.  Plans and bodies that must wait themselves wait by this alone. */
int kernel_wait(void *stream, double expected_seconds);

/* Names the CUDA half of a kernel in a build that has it, and NULL in one that has not. */
#ifdef HAVE_CUDA
#define KERNEL_CUDA(function) (function)
#else
#define KERNEL_CUDA(function) 0
#endif

#ifdef __cplusplus
}
#endif
#endif
