/* What the parts of the trial program share. */
#ifndef VIRTUAL_CARD_TRIAL_H
#define VIRTUAL_CARD_TRIAL_H

#ifdef __CUDACC__
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <time.h>

#define MUST(call)                                                                                 \
    do {                                                                                           \
        const cudaError_t error = (call);                                                          \
        if (error) {                                                                               \
            printf("%s: %s\n", #call, cudaGetErrorString(error));                                  \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

/* Seconds of the card's time. */
static inline double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Subjects: 0 where the stand-in is right; otherwise 1, having said what is wrong. */
int trial_residency(void);
int trial_together(void);
int trial_moods(void);
int trial_calls(void);
/* Enqueues d = a b, square matrices of n rows; 0 where that worked. */
int trial_multiply(int n, const float *a, const float *b, float *d, cudaStream_t stream);
/* Makes the mistake of this name; returns only where the stand-in overlooks it. */
int trial_plant(const char *mistake);

#endif
#endif
