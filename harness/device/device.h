/* What can be measured: one set of verbs for cards and for the host. */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "harness/report/model.h"
#include "kernels/kernel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum memory {
    MEMORY_DEVICE,
    MEMORY_PAGEABLE,
    MEMORY_PINNED,
    MEMORY_WRITE_COMBINED,
    MEMORY_REGISTERED,
    MEMORY_MAPPED,
    MEMORY_KINDS
};
extern const char *const memory_names[MEMORY_KINDS]; /* as in parameters: "pinned", ... */

enum timed_by {
    TIMED_BY_EVENTS, /* device events round the enqueued work, behind a gate */
    TIMED_BY_HOST,   /* host clock round work and synchronise (pageable copies; the host device) */
    TIMED_BY_CALL,   /* host clock round the enqueueing calls alone (launch cost) */
    TIMED_BY_KERNEL, /* ticks that the kernel itself reports (latency in cycles) */
    TIMED_WAYS
};
extern const char *const timed_by_names[TIMED_WAYS]; /* "events", "host", "call", "kernel" */

struct run_times {
    double seconds; /* of all `times` executions */
    double stream_start[KERNEL_STREAMS_MAX], stream_end[KERNEL_STREAMS_MAX]; /* since the start */
    double sm_clock_hz;         /* measured round the work; NAN where unknown */
    uint64_t ticks;             /* TIMED_BY_KERNEL: sum over the executions */
    struct telemetry telemetry; /* read while it waited */
};

/* Kernels that report their own ticks (TIMED_BY_KERNEL) begin their args with this; device memory.
 */
struct ticks_args {
    long long *ticks; /* one value in device memory, written by the kernel */
};

struct device;

/* Every int call returns 0, or -1 with d->error saying why in a sentence. */
struct device_ops {
    const char *kind;         /* "cuda", "host" */
    int (*count)(char **why); /* none present is 0, not an error; *why: a sentence (caller frees) */
    int (*open)(struct device *d, int index); /* fills facts; close accepts a half-open device */
    void (*close)(struct device *d);
    void *(*alloc)(struct device *d, enum memory kind, size_t bytes); /* NULL: refused, see error */
    void (*free)(struct device *d, enum memory kind, void *memory);
    int (*copy)(struct device *d, void *to, const void *from, size_t bytes); /* any to any, waits */
    int (*connect)(struct device *d, struct device *peer); /* direct access between two cards */
    /* Brings clocks to a steady state before a series (METHOD 1.2). */
    int (*warm)(struct device *d);
    /* Executes AND times `times` executions; nobody above sees a stream or an event. */
    int (*run)(struct device *d, const struct kernel *k, const void *args, unsigned times,
               enum timed_by how, struct run_times *out);
    /* Calls the kernel's plan with args, on this device. */
    int (*plan)(struct device *d, const struct kernel *k, void *args);
    double (*now)(struct device *d); /* seconds on the clock that its measurements use */
    void (*sense)(struct device *d, struct telemetry *out); /* NAN where unknown */
};

struct device {
    const struct device_ops *ops;
    char *id, *name, *uuid;
    struct facts facts;
    struct text error; /* why the last call failed */
    bool refused; /* the last failed alloc was for want of memory (a row is skipped, not failed) */
    bool lost;    /* given up: sticky error, a kernel that never ends; every further call fails */
    void *state;  /* its implementation's own */
};

/* Adds the versions that only the implementations know (driver, runtime, cuBLAS). */
void device_describe_environment(struct environment *e);

/* Kinds in this build, host last; NULL-terminated. */
extern const struct device_ops *const device_kinds[];
extern const struct device_ops device_host;
extern const struct device_ops device_cuda; /* only in a build with CUDA */

/* Opens "cuda0", "host" ... Returns 0, or -1 with d->error set; close with device_close either way.
 */
int device_open(struct device *d, const struct device_ops *ops, int index);
void device_close(struct device *d);
/* Says why the call failed: sets d->error and returns -1. */
int device_fail(struct device *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Copies what is known into a record of a report. */
void device_record_fill(struct device_record *record, const struct device *d);

/* Prefix of files of the host's system (/sys, /proc), "" or what tests set in RIDGE_ROOT. */
const char *device_root(void);
/* First line of a file below that prefix, without its end of line; NULL when unreadable.  Caller
 * frees. */
char *device_read_line(const char *path);

#endif
