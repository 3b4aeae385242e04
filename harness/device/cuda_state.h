/* What the parts of the CUDA device share. */
#ifndef DEVICE_CUDA_STATE_H
#define DEVICE_CUDA_STATE_H

#include "harness/device/device.h"
#include "harness/device/libraries.h"
#include "harness/device/place.h"
#include "kernels/instrument.h"

#include <cuda_runtime_api.h>

/* A stream for the i-th place among a kernel's streams, of one priority; made once. */
struct cuda_stream {
    unsigned place;
    int priority;
    cudaStream_t stream;
};
enum { CUDA_STREAMS_KEPT = 32 };

struct cuda {
    int index;
    char *pci_folder; /* in sysfs */
    cpu_set_t near;   /* CPUs beside the card */
    bool near_known;
    const struct nvml *nvml; /* NULL: no telemetry */
    nvml_handle nvml_device;
    struct instrument_panel *panel;         /* as the host sees it */
    struct instrument_panel *panel_on_card; /* NULL: the card sees the host's */
    bool gated;                             /* work is held back until all of it is queued */
    struct cuda_stream streams[CUDA_STREAMS_KEPT];
    unsigned stream_count;
    cudaEvent_t started, ended, settled;
    cudaEvent_t stream_started[KERNEL_STREAMS_MAX], stream_ended[KERNEL_STREAMS_MAX];
    double sensed_at;                 /* on the clock of its measurements */
    double idle_since;                /* CLOCK_MONOTONIC */
    const struct kernel *last_kernel; /* how long an execution of it took last time */
    double last_seconds;
    char *lost_because;
};

/* Makes this device the thread's own and moves the thread near it; every verb begins with it.
 * Returns 0, or -1 when the device is lost. */
int cuda_enter(struct device *d);
/* 0 for success; else sets d->error to a sentence, gives the device up if the error is one that
 * lasts, clears the runtime's error and returns -1. */
int cuda_check(struct device *d, int code, const char *what_failed);
/* Gives the device up: sets d->error and returns -1. */
int cuda_lose(struct device *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same, because what was enqueued has not ended. */
int cuda_lose_to_hang(struct device *d, double expected_seconds);

/* cuda_errors.c: adds what an error means here; d may be NULL (no device open). */
void cuda_explain(struct text *out, int code, const struct device *d);
/* Whether the error stays for the life of the context. */
bool cuda_error_lasts(int code);

/* cuda_facts.c */
void cuda_facts_before_context(struct device *d, const struct cudaDeviceProp *properties);
int cuda_facts_fill(struct device *d);

/* cuda_conditions.c */
void cuda_conditions_fill(struct facts *f, const struct cuda *c);
/* Uncorrected errors of memory so far; NAN where they are not counted.  NVML must be there. */
double cuda_ecc_uncorrected(const struct cuda *c);
double cuda_slowdown_celsius(const struct cuda *c);
/* For how long clocks were held back so far, by reason; in a telemetry that knows nothing of it. */
void cuda_held_back(const struct cuda *c, struct telemetry *out);
/* What the process's variables ask of the runtime. */
void cuda_describe_process(struct environment *e);

/* cuda_memory.c */
void *cuda_alloc(struct device *d, enum memory kind, size_t bytes);
void cuda_free(struct device *d, enum memory kind, void *memory);

/* cuda_run.c */
int cuda_run(struct device *d, const struct kernel *k, const void *args, unsigned times,
             enum timed_by how, struct run_times *out);
int cuda_warm(struct device *d);
/* Waits for the event, sensing meanwhile into *sensed (may be NULL); gives the device up after
 * kernel_patience(). */
int cuda_wait(struct device *d, cudaEvent_t event, double expected_seconds,
              struct telemetry *sensed);
/* The stream of that place and priority, or NULL with d->error set. */
cudaStream_t cuda_stream_of(struct device *d, unsigned place, int priority);

/* cuda_watch.c: from here on the program ends when the driver keeps the host inside a call for
 * twice kernel_patience(); each call winds the watch up anew. */
void cuda_watch(const struct device *d, double expected_seconds);
void cuda_unwatch(void);

/* cuda_panel.c: 0, or -1 with the error set. */
int cuda_panel_make(struct device *d);
void cuda_panel_free(struct cuda *c);
/* Where the card's kernels find it. */
struct instrument_panel *cuda_panel(const struct cuda *c);
int cuda_panel_clear(struct device *d); /* of readings of clocks */
int cuda_panel_read(struct device *d);  /* brings what the card wrote into c->panel */
/* The least time between two readings of clocks that the timer's steps allow, nanoseconds; 0: the
 * timer never stepped. */
uint64_t cuda_panel_window_ns(const struct cuda *c);
/* Median over the SMs that were read before and after; NAN when they were read too soon. */
double cuda_panel_clock_hz(const struct cuda *c);

/* cuda_telemetry.c */
void cuda_sense(struct device *d, struct telemetry *out);
/* Senses when 20 ms of the measurements' clock have passed since the last time. */
void cuda_sense_if_due(struct device *d, struct telemetry *out);
double cuda_now(struct device *d);

#endif
