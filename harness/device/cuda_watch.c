/* The last resort against a driver that holds the host inside a call, as a pageable copy does: such
 * a call cannot be asked for its end, and nobody can take the thread out of it.  So a timer ends
 * the program with a sentence; the file has what was saved until then.  Where the host asks the
 * card, it gives up sooner, and keeps everything (kernel_patience). */
#include "harness/device/cuda_state.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { TIMES_PATIENCE = 2, TICKS = 8, STATUS_FAILED = 4 /* as for a row that failed */ };
static char last_words[256];
static volatile sig_atomic_t ticks_left;

/* Only what a signal handler may call.  A program that was stopped for long (Ctrl-Z) finds one tick
 * gone, not all of them. */
static void tick(int signal)
{
    (void)signal;
    if (--ticks_left > 0)
        return;
    if (write(STDERR_FILENO, last_words, strlen(last_words)) < 0)
        _exit(STATUS_FAILED);
    _exit(STATUS_FAILED);
}

static void set_timer(double seconds)
{
    const double whole = floor(seconds);
    const struct timeval every = {(time_t)whole, (suseconds_t)(1e6 * (seconds - whole))};
    const struct itimerval timer = {every, every};

    setitimer(ITIMER_REAL, &timer, NULL);
}

void cuda_watch(const struct device *d, double expected_seconds)
{
    const struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
    const double seconds = TIMES_PATIENCE * kernel_patience(expected_seconds);

    snprintf(last_words, sizeof last_words,
             "ridge: %s: a call of the driver has not returned for %.0f s: the card or its driver "
             "hangs, and takes this program with it; what was saved until now is kept\n",
             d->id, seconds);
    ticks_left = TICKS;
    sigaction(SIGALRM, &action, NULL);
    set_timer(seconds / TICKS);
}

void cuda_unwatch(void)
{
    set_timer(0);
}
