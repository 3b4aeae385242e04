/* Threads bound to cores that execute shares of a kernel, released together. */
#include "harness/device/host_workers.h"

#include "harness/base/text.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

struct worker {
    struct workers *all;
    hwloc_const_cpuset_t core;
    pthread_t thread;
    sem_t wake;
    double end;
    int code;
};

struct workers {
    hwloc_topology_t topology;
    host_body *body;
    const void *args;
    unsigned times, active;
    bool quit;
    double start;
    atomic_uint arrived, running;
    atomic_bool released;
    sem_t done;
    unsigned count;
    struct worker worker[];
};

double host_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void wait_for(sem_t *s)
{
    while (sem_wait(s) != 0 && errno == EINTR)
        ;
}

/* The last to arrive starts the clock and releases the others, so waking up is not measured.
 * Yields after a while, lest a core that is shared be held against the one that is missing. */
static void start_together(struct workers *w)
{
    if (atomic_fetch_add(&w->arrived, 1) + 1 == w->active) {
        w->start = host_seconds();
        atomic_store_explicit(&w->released, true, memory_order_release);
    }
    for (unsigned spins = 0; !atomic_load_explicit(&w->released, memory_order_acquire); spins++)
        if (spins > 10000)
            sched_yield();
}

static void do_share(struct workers *w, struct worker *self)
{
    const unsigned index = (unsigned)(self - w->worker);
    int code = 0;

    start_together(w);
    for (unsigned i = 0; i < w->times && !code; i++)
        code = w->body(w->args, index, w->active);
    self->end = host_seconds();
    self->code = code;
    if (atomic_fetch_sub(&w->running, 1) == 1)
        sem_post(&w->done);
}

static void *worker_main(void *worker)
{
    struct worker *self = worker;

    hwloc_set_cpubind(self->all->topology, self->core, HWLOC_CPUBIND_THREAD);
    for (wait_for(&self->wake); !self->all->quit; wait_for(&self->wake))
        do_share(self->all, self);
    return NULL;
}

/* Signals are the main thread's. */
static int start_thread(struct worker *worker)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    errno = pthread_create(&worker->thread, NULL, worker_main, worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return errno ? -1 : 0;
}

struct workers *workers_start(hwloc_topology_t topology, const hwloc_cpuset_t *cores,
                              unsigned count)
{
    struct workers *w = xcalloc(1, sizeof *w + count * sizeof *w->worker);

    w->topology = topology;
    sem_init(&w->done, 0, 0);
    for (; w->count < count; w->count++) {
        struct worker *worker = &w->worker[w->count];

        worker->all = w;
        worker->core = cores[w->count];
        sem_init(&worker->wake, 0, 0);
        if (start_thread(worker) != 0) {
            const int cause = errno;

            sem_destroy(&worker->wake);
            workers_stop(w);
            errno = cause;
            return NULL;
        }
    }
    return w;
}

void workers_stop(struct workers *w)
{
    if (!w)
        return;
    w->quit = true;
    for (unsigned i = 0; i < w->count; i++)
        sem_post(&w->worker[i].wake);
    for (unsigned i = 0; i < w->count; i++) {
        pthread_join(w->worker[i].thread, NULL);
        sem_destroy(&w->worker[i].wake);
    }
    sem_destroy(&w->done);
    free(w);
}

double workers_run(struct workers *w, unsigned active, host_body *body, const void *args,
                   unsigned times, int *code)
{
    double end = 0;

    w->body = body;
    w->args = args;
    w->times = times;
    w->active = active;
    atomic_store(&w->arrived, 0);
    atomic_store(&w->running, active);
    atomic_store(&w->released, false);
    for (unsigned i = 0; i < active; i++)
        sem_post(&w->worker[i].wake);
    wait_for(&w->done);
    *code = 0;
    for (unsigned i = active; i-- > 0;) {
        end = w->worker[i].end > end ? w->worker[i].end : end;
        *code = w->worker[i].code ? w->worker[i].code : *code;
    }
    return end - w->start;
}
