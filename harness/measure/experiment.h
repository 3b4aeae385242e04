/* What an experiment is, and what its functions may ask of a trial.
 *
 * The runner makes one trial for every point of the axes, prepares and checks each of them, then
 * takes their samples in rounds, in random order (a throttling card drifts), and lets the
 * experiment conclude. A bench file has no clean-up path: what a trial allocates the runner frees.
 */
#ifndef MEASURE_EXPERIMENT_H
#define MEASURE_EXPERIMENT_H

#include "harness/device/device.h"

enum plan { PLAN_QUICK, PLAN_STANDARD, PLAN_THOROUGH, PLANS };
extern const char *const plan_names[PLANS];
extern const double plan_seconds[PLANS]; /* wall time per device: 15, 60, 600 */

enum { AXES_MAX = 5 };

struct trial;

/* Numbers first..last by step, or by factor where step is 0; or names. */
struct axis {
    const char *name;
    const char *const *names; /* NULL-terminated; NULL: numbers */
    const double *numbers;    /* a list of `count` numbers; NULL: first..last */
    size_t count;
    double first, last, step, factor;
    unsigned quick_every; /* quick plan: the first, the last and every n-th between; 0 or 1: all */
    bool latent;          /* not written to the row's parameters (prepare writes its own) */
};

struct conclusion;

struct experiment {
    const char *name, *summary;
    struct axis axis[AXES_MAX];
    /* Asked of every point first, also of those that are left out for want of time: keep it cheap.
     * Returns 0, or what trial_skip/fail/omit returned. */
    int (*prepare)(struct trial *t);
    int (*check)(
        struct trial *t); /* after one execution; 0, or trial_wrong(...) or trial_fail(...) */
    void (*conclude)(struct conclusion *c); /* adds figures; may be NULL */
    unsigned devices;                       /* 2: needs a peer; 0 means 1 */
    bool lesson_only;
    double share; /* of the plan's time, relative to the other experiments; 0 means 1 */
    bool cold;    /* no warm-up of the device before it */
    bool in_turn; /* rows are sampled one after the other, in order: each is a state of its own */
};

/* The build writes this table from the file names in bench/; NULL-terminated, in order of name. */
extern const struct experiment *const experiments[];

/* One point of an experiment while it is being run.  prepare sets what stands below the line. */
struct trial {
    const struct experiment *experiment;
    struct device *device, *peer;
    enum plan plan;
    double at[AXES_MAX];       /* number, or index into names */
    struct trial_store *store; /* the runner's: buffers shared by the trials of one experiment */
    struct measurement *row;   /* the row in the making: status, reason, parameters */
    bool omitted;
    double sample_wall; /* what one sample is expected to take in all; from calibration */
    /* ---- */
    const struct kernel *kernel;
    void *args; /* from trial_args */
    enum timed_by timed_by;
    const char *role;
    struct metric metric;
    struct work work;      /* NAN where it has none; set all that is known */
    double sample_seconds; /* least length of a sample; 0: 5 ms (METHOD 1.3); quick halves it */
    double once_seconds;   /* expected time of one execution if known; 0: found by a probe */
    unsigned times;        /* executions per sample; 0: calibrated to sample_seconds */
    unsigned samples;      /* 0: by plan, headline or curve */
    bool headline;         /* never shed; more samples */
};

double trial_number(const struct trial *t, const char *axis);    /* value on that axis */
const char *trial_name(const struct trial *t, const char *axis); /* name on that axis */
bool trial_at(const struct trial *t, const char *axis, const char *name);
bool trial_on_host(const struct trial *t); /* the device is the host CPU */

/* Arguments of a kernel, zeroed, kept as long as the trial; the first ones become t->args. */
void *trial_args(struct trial *t, size_t bytes);
/* The buffer `name` of this experiment on this device: allocated when first asked for (*fresh true
 * then, so that the caller fills it), the same for all later trials; always ask for the same size
 * and kind. NULL: refused or failed, the trial has its status and reason; return -1. */
void *trial_buffer(struct trial *t, const char *name, enum memory kind, size_t bytes, bool *fresh);
/* Bytes that may be allocated in all: the plan's limit and a quarter of what is free (of device
 * memory, or of the host's for a host device and for host-side kinds).  Read once for all points of
 * an experiment, so that every point gets the same answer. */
size_t trial_memory_limit(const struct trial *t, enum memory kind);
/* Bytes of device memory of which the caches hold a small part, for reading or walking over: eight
 * times the last cache; of a card as much as it reads in a millisecond, but no more than 1 GiB for
 * the sake of it, of a host 64 MiB; within trial_memory_limit. */
double trial_bytes_beyond_caches(const struct trial *t);

/* One untimed execution of any kernel on the trial's device.  0, or -1 with the row failed. */
int trial_execute(struct trial *t, const struct kernel *k, const void *args);
/* Timed once, for tuning or to verify residency.  0, or -1 with the row failed. */
int trial_probe(struct trial *t, const struct kernel *k, const void *args, enum timed_by how,
                unsigned times, struct run_times *out);
int trial_copy(struct trial *t, void *to, const void *from, size_t bytes);
/* Lets the kernel ask the runtime what its launch needs. */
int trial_plan(struct trial *t, const struct kernel *k, void *args);

void trial_parameter_number(struct trial *t, const char *name, double number);
void trial_parameter_word(struct trial *t, const char *name, const char *word);
/* A doubt about this row that its author knows, e.g. "jit". */
void trial_doubt(struct trial *t, const char *doubt);

/* Each sets the row's status and reason and returns -1. */
int trial_skip(struct trial *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
int trial_fail(struct trial *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
int trial_wrong(struct trial *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
int trial_omit(struct trial *t); /* this point is no question: no row at all */

/* What conclude sees: the finished rows of one experiment on one device. */
struct conclusion {
    struct report *report;
    const char *experiment, *device;
    const struct facts *facts;
    const struct measurement *rows;
    size_t count;
};

/* First usable row of that role for which the conditions ("name", "value", ..., NULL) hold, or
 * NULL. */
const struct measurement *conclusion_row(const struct conclusion *c, const char *role,
                                         const char *const *conditions);
/* Adds a figure; returns it so that parameters can be set (valid until the next is added). */
struct figure *conclusion_figure(struct conclusion *c, const char *role, const char *name,
                                 struct estimate value, const char *unit);

#endif
