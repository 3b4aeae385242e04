/* How fast the vendor's library multiplies matrices, by format and size (METHOD 6). */
#include "harness/base/units.h"
#include "harness/measure/experiment.h"
#include "kernels/gemm_reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const types[] = {
    [GEMM_FP32] = "fp32", [GEMM_TF32] = "tf32",
    [GEMM_FP16] = "fp16", [GEMM_FP16_ACC16] = "fp16 accumulating in fp16",
    [GEMM_BF16] = "bf16", [GEMM_FP64] = "fp64",
    [GEMM_INT8] = "int8", NULL,
};
/* Those below USUAL_SIZE are for devices that are too slow or too small for it. */
static const double sizes[] = {256, 512, 1024, 2048, 4096, 8192, 16384};

enum {
    SIZES = sizeof sizes / sizeof *sizes,
    SEED_A = 11,
    SEED_B = 12,
    USUAL_SIZE = 1024,
    CHECKED_ENTRIES = 64
};
/* A product that takes so long tells how long larger ones will take. */
static const double telling_seconds_card = 0.3e-3, telling_seconds_host = 5e-3;
/* So long may one product take: its series of samples is to fit into a fifth of the plan. */
static const double product_seconds[PLANS] = {0.15, 0.25, 1.2};

/* What is found out once for a format on a device. */
struct pace {
    double flops_per_second; /* 0: it failed */
    size_t largest;          /* size that fits into memory and does not take too long */
    char refusal[300];       /* why it can't be asked here; "": it can */
};

/* Arguments of the kernel, with the counter that they point to. */
struct gemm_call {
    struct gemm_args args;
    unsigned executions;
};

static enum gemm_type type_of(const struct trial *t)
{
    return (enum gemm_type)trial_number(t, "type");
}

/* Bytes of all formats' matrices of that size, where formats share what they can. */
static double matrices_bytes(double size)
{
    double bytes_of_element = 8; /* of C */

    for (int type = 0; type < GEMM_TYPES; type++)
        if (type != GEMM_TF32 && type != GEMM_FP16_ACC16)
            bytes_of_element += 2 * (double)gemm_formats[type].in_bytes;
    return size * size * bytes_of_element;
}

/* Whole MiB, less than METHOD's where memory is small. */
static size_t workspace_bytes(const struct trial *t)
{
    const size_t mib = 1 << 20, share = trial_memory_limit(t, MEMORY_DEVICE) / 8 / mib;

    return share * mib < GEMM_WORKSPACE_BYTES ? share * mib : GEMM_WORKSPACE_BYTES;
}

/* 0: not even the smallest. */
static size_t largest_in_memory(const struct trial *t)
{
    const double room = (double)trial_memory_limit(t, MEMORY_DEVICE) - (double)workspace_bytes(t);
    size_t largest = 0;

    for (int i = 0; i < SIZES; i++)
        if (matrices_bytes(sizes[i]) <= room)
            largest = (size_t)sizes[i];
    return largest;
}

/* An operand of up to largest x largest elements, filled when it is new. */
static void *operand(struct trial *t, const char *name, size_t largest, uint64_t seed)
{
    const struct gemm_format *f = &gemm_formats[type_of(t)];
    const size_t bytes = largest * largest * f->in_bytes;
    char full_name[64];
    bool fresh;

    snprintf(full_name, sizeof full_name, "%s of kind %d, %zu", name, (int)f->fill, largest);
    void *memory = trial_buffer(t, full_name, MEMORY_DEVICE, bytes, &fresh);
    struct fill_args fill = {memory, bytes / fill_element_bytes(f->fill), seed, f->fill};

    return memory && fresh && trial_execute(t, &kernel_fill, &fill) < 0 ? NULL : memory;
}

static void *result(struct trial *t, size_t largest)
{
    char name[40];

    snprintf(name, sizeof name, "c, %zu", largest);
    return trial_buffer(t, name, MEMORY_DEVICE, largest * largest * 8, NULL);
}

/* As many operand sets as make a card forget the first before it comes round again. */
static unsigned sets_of(const struct trial *t, const struct gemm_args *a, size_t largest)
{
    const double cache = t->device->facts.last_level_cache_bytes;
    const double room = (double)(largest / a->m) * (double)(largest / a->m);

    if (trial_on_host(t) || !(gemm_bytes(a) < cache))
        return 1;
    return (unsigned)fmax(1, fmin(room, ceil(2 * cache / gemm_bytes(a))));
}

/* Arguments for a cube of `size`, in matrices made for `largest`, planned.  NULL: the trial has its
 * status. */
static struct gemm_args *make_args(struct trial *t, size_t size, size_t largest)
{
    struct gemm_call *call = trial_args(t, sizeof *call);
    struct gemm_args *a = &call->args;

    a->type = type_of(t);
    a->m = a->n = a->k = size;
    a->executions = &call->executions;
    a->sets = sets_of(t, a, largest);
    a->a = operand(t, "a", largest, SEED_A);
    a->b = a->a ? operand(t, "b", largest, SEED_B) : NULL;
    a->c = a->b ? result(t, largest) : NULL;
    if (!a->c)
        return NULL;
    if (trial_on_host(t)) {
        gemm_host_plan(a);
        return a;
    }
    a->workspace_bytes = workspace_bytes(t);
    a->workspace = trial_buffer(t, "workspace", MEMORY_DEVICE, a->workspace_bytes, NULL);
    return a->workspace && trial_plan(t, &kernel_gemm, a) == 0 ? a : NULL;
}

/* A format that can't be asked here is one row. */
static int refuse(struct trial *t, const char *reason)
{
    return trial_number(t, "size") == USUAL_SIZE ? trial_skip(t, "%s", reason) : trial_omit(t);
}

static bool is_quick_enough(const struct trial *t, const struct pace *pace, double size)
{
    return 2 * pow(size, 3) / pace->flops_per_second <= product_seconds[t->plan];
}

/* The shortest of a few products; the first one loads what must be loaded. */
static int time_product(struct trial *t, const struct gemm_args *a, double *seconds)
{
    struct run_times once;

    *seconds = INFINITY;
    for (int i = 0; i < 4; i++) {
        if (trial_probe(t, &kernel_gemm, a, t->timed_by, 1, &once) < 0)
            return -1;
        *seconds = fmin(*seconds, once.seconds);
    }
    return 0;
}

/* Multiplies larger and larger matrices until one takes long enough to tell. */
static int find_rate(struct trial *t, size_t most, struct pace *pace)
{
    const double telling = trial_on_host(t) ? telling_seconds_host : telling_seconds_card;
    double seconds = 0;

    for (size_t size = (size_t)sizes[0]; size <= most && seconds < telling; size *= 4) {
        struct gemm_args *a = make_args(t, size, size);

        if (!a)
            return -1;
        memcpy(pace->refusal, a->refusal, sizeof pace->refusal);
        if (pace->refusal[0])
            return 0;
        if (time_product(t, a, &seconds) < 0)
            return -1;
        pace->flops_per_second = gemm_flops(a) / seconds;
    }
    return 0;
}

static int find_pace(struct trial *t, struct pace *pace)
{
    const size_t most = largest_in_memory(t);

    *pace = (struct pace){0};
    if (find_rate(t, most, pace) < 0)
        return -1;
    for (int i = 0; i < SIZES; i++)
        if (i == 0 || (sizes[i] <= (double)most && is_quick_enough(t, pace, sizes[i])))
            pace->largest = (size_t)sizes[i];
    return 0;
}

/* The pace of this trial's format; NULL: the trial has its status. */
static const struct pace *pace_of(struct trial *t)
{
    char name[60];
    bool fresh;

    snprintf(name, sizeof name, "pace of %s", types[type_of(t)]);
    struct pace *pace = trial_buffer(t, name, MEMORY_PAGEABLE, sizeof *pace, &fresh);

    if (!pace || (fresh && find_pace(t, pace) < 0))
        return NULL;
    if (pace->refusal[0])
        refuse(t, pace->refusal);
    else if (pace->flops_per_second > 0)
        return pace;
    else
        trial_omit(t); /* it failed, and one row says so */
    return NULL;
}

/* NULL, or why this card has no such format. */
static const char *lacking(const struct trial *t)
{
    static const char *const sentences[] = {
        [GEMM_TF32] = "TF32 needs compute capability 8.0",
        [GEMM_BF16] = "BF16 needs compute capability 8.0; older cards emulate it",
        [GEMM_INT8] = "INT8 needs compute capability 7.5",
    };
    const enum gemm_type type = type_of(t);
    const char *capability = t->device->facts.capability;

    if (trial_on_host(t) || !capability ||
        lround(10 * strtod(capability, NULL)) >= gemm_formats[type].capability)
        return NULL;
    return sentences[type];
}

static void describe(struct trial *t)
{
    const struct gemm_format *f = &gemm_formats[type_of(t)];
    const double size = trial_number(t, "size");

    t->role = "gemm";
    t->metric = metric_flops;
    t->timed_by = trial_on_host(t) ? TIMED_BY_HOST : TIMED_BY_EVENTS;
    trial_parameter_word(t, "precision", f->precision);
    trial_parameter_word(t, "accumulate", f->accumulate);
    trial_parameter_number(t, "m", size);
    trial_parameter_number(t, "n", size);
    trial_parameter_number(t, "k", size);
}

static int prepare_product(struct trial *t, const struct pace *pace, size_t size)
{
    struct gemm_args *a = make_args(t, size, pace->largest);

    if (!a)
        return -1;
    if (a->refusal[0])
        return trial_skip(t, "%s", a->refusal);
    trial_parameter_word(t, "algorithm", a->algorithm);
    t->kernel = &kernel_gemm;
    t->args = a;
    t->work = (struct work){gemm_bytes(a), gemm_flops(a), NAN};
    t->once_seconds = gemm_flops(a) / pace->flops_per_second;
    t->headline = size == pace->largest;
    t->sample_seconds = t->headline ? 20e-3 : 5e-3;
    return 0;
}

static int skip_for_memory(struct trial *t, double size)
{
    char needed[UNITS_MAX], allowed[UNITS_MAX];

    units_format(needed, matrices_bytes(size) + (double)workspace_bytes(t), "B");
    units_format(allowed, (double)trial_memory_limit(t, MEMORY_DEVICE), "B");
    return trial_skip(t, "matrices of this size take %s, %s may be allocated", needed, allowed);
}

/* Sizes that would take too long are not asked, and small ones only where no other is. */
static int prepare(struct trial *t)
{
    const double size = trial_number(t, "size");

    describe(t);
    if (lacking(t))
        return refuse(t, lacking(t));
    if (largest_in_memory(t) == 0)
        return size == USUAL_SIZE ? skip_for_memory(t, size) : trial_omit(t);
    const struct pace *pace = pace_of(t);

    if (!pace)
        return -1;
    if (size < USUAL_SIZE && pace->largest >= USUAL_SIZE)
        return trial_omit(t);
    if (size <= (double)pace->largest)
        return prepare_product(t, pace, (size_t)size);
    return is_quick_enough(t, pace, size) ? skip_for_memory(t, size) : trial_omit(t);
}

/* Poisons the last set's result and computes it. */
static int execute_last_set(struct trial *t, const struct gemm_args *a)
{
    const struct gemm_format *f = &gemm_formats[a->type];
    const size_t bytes = a->m * a->n * f->out_bytes;
    const struct fill_args poison = {(char *)a->c + (a->sets - 1) * bytes, bytes / 4, UINT32_MAX,
                                     FILL_CONSTANT};

    *a->executions = a->sets - 1;
    return trial_execute(t, &kernel_fill, &poison) < 0 ? -1 : trial_execute(t, &kernel_gemm, a);
}

static int check_entry(struct trial *t, const struct gemm_args *a, size_t row, size_t column)
{
    const size_t out_bytes = gemm_formats[a->type].out_bytes;
    const unsigned set = a->sets - 1;
    const size_t index = (set * a->m + row) * a->n + column;
    unsigned char element[sizeof(double)] = {0};

    if (trial_copy(t, element, (const char *)a->c + index * out_bytes, out_bytes) < 0)
        return -1;
    const struct gemm_entry right = gemm_reference(a, SEED_A, SEED_B, set, row, column);
    const double got = gemm_decode(a->type, element), bound = gemm_bound(a, &right);

    if (!(fabs(got - right.value) <= bound))
        return trial_wrong(t, "entry (%zu, %zu) is %.9g instead of %.9g; %.2g is allowed", row,
                           column, got, right.value, bound);
    return 0;
}

/* Entries at random places; that strict FP32 was not TF32 shows in their error. */
static int check(struct trial *t)
{
    const struct gemm_args *a = t->args;
    int status = execute_last_set(t, a);

    for (uint64_t i = 0; i < CHECKED_ENTRIES && status == 0; i++)
        status = check_entry(t, a, fill_bits(a->type, 2 * i) % a->m,
                             fill_bits(a->type, 2 * i + 1) % a->n);
    return status;
}

static const struct measurement *best_of(const struct conclusion *c, const struct gemm_format *f)
{
    const struct measurement *best = NULL;

    for (const struct measurement *m = c->rows; m < c->rows + c->count; m++)
        if (measurement_usable(m) && parameters_match(&m->parameters, "precision", f->precision) &&
            parameters_match(&m->parameters, "accumulate", f->accumulate) &&
            (!best || m->value.median > best->value.median))
            best = m;
    return best;
}

static void conclude(struct conclusion *c)
{
    static const char *const numbers[] = {"m", "n", "k"};

    for (int type = 0; type < GEMM_TYPES; type++) {
        const struct gemm_format *f = &gemm_formats[type];
        const struct measurement *best = best_of(c, f);

        if (!best)
            continue;
        struct figure *figure =
            conclusion_figure(c, "gemm", "best", estimate_of(&best->value), best->metric.unit);
        parameters_set_word(&figure->parameters, "precision", f->precision);
        parameters_set_word(&figure->parameters, "accumulate", f->accumulate);
        for (int i = 0; i < 3; i++)
            parameters_set_number(&figure->parameters, numbers[i],
                                  parameters_number(&best->parameters, numbers[i]));
    }
}

const struct experiment experiment_gemm = {
    .name = "gemm",
    .summary = "matrix products by the vendor's library",
    .axis = {{.name = "type", .names = types, .latent = true},
             {.name = "size", .numbers = sizes, .count = SIZES, .latent = true}},
    .prepare = prepare,
    .check = check,
    .conclude = conclude,
    .share = 3,
};
