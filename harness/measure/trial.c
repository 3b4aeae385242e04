/* What an experiment's functions may ask of a trial. */
#include "harness/measure/trial_store.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Memory beyond the caches is so many times the last of them; a card reads for so long at its peak,
 * but no more than that for the sake of it. */
static const double times_cache = 8, read_seconds = 1e-3;
static const double enough_bytes_card = 1 << 30, least_bytes_host = 64 << 20;

static size_t axis_named(const struct trial *t, const char *axis)
{
    for (size_t i = 0; i < AXES_MAX && t->experiment->axis[i].name; i++)
        if (!strcmp(t->experiment->axis[i].name, axis))
            return i;
    assert(!"no such axis");
    return 0;
}

double trial_number(const struct trial *t, const char *axis)
{
    return t->at[axis_named(t, axis)];
}

const char *trial_name(const struct trial *t, const char *axis)
{
    const size_t i = axis_named(t, axis);

    assert(t->experiment->axis[i].names);
    return t->experiment->axis[i].names[(size_t)t->at[i]];
}

bool trial_at(const struct trial *t, const char *axis, const char *name)
{
    return !strcmp(trial_name(t, axis), name);
}

bool trial_on_host(const struct trial *t)
{
    return !strcmp(t->device->ops->kind, "host");
}

void *trial_args(struct trial *t, size_t bytes)
{
    struct trial_store *s = t->store;
    void *args = xcalloc(1, bytes);

    s->args = xrealloc(s->args, (s->args_count + 1) * sizeof *s->args);
    s->args[s->args_count++] = args;
    if (!t->args)
        t->args = args;
    return args;
}

static struct trial_buffer *buffer_named(const struct trial_store *s, const char *name)
{
    for (size_t i = 0; i < s->buffer_count; i++)
        if (!strcmp(s->buffers[i].name, name))
            return &s->buffers[i];
    return NULL;
}

/* The device's own sentence, as the row's reason. */
static int device_failed(struct trial *t)
{
    return trial_fail(t, "%s", text_chars(&t->device->error));
}

void *trial_buffer(struct trial *t, const char *name, enum memory kind, size_t bytes, bool *fresh)
{
    struct trial_store *s = t->store;
    struct device *d = t->device;
    const struct trial_buffer *known = buffer_named(s, name);
    void *memory;

    if (fresh)
        *fresh = !known;
    if (known) {
        assert(known->kind == kind && known->bytes == bytes);
        return known->memory;
    }
    d->refused = false;
    memory = d->ops->alloc(d, kind, bytes);
    if (!memory && d->refused)
        trial_skip(t, "%s", text_chars(&d->error));
    else if (!memory)
        device_failed(t);
    if (!memory)
        return NULL;
    s->buffers = xrealloc(s->buffers, (s->buffer_count + 1) * sizeof *s->buffers);
    s->buffers[s->buffer_count++] = (struct trial_buffer){xstrdup(name), kind, bytes, memory};
    return memory;
}

size_t trial_memory_limit(const struct trial *t, enum memory kind)
{
    return kind == MEMORY_DEVICE ? t->store->device_limit : t->store->host_limit;
}

double trial_bytes_beyond_caches(const struct trial *t)
{
    const struct facts *facts = &t->device->facts;
    const double least =
        trial_on_host(t)
            ? least_bytes_host
            : fmin(enough_bytes_card, read_seconds * facts->peak_memory_bytes_per_second);
    const double wanted = fmax(least, times_cache * facts->last_level_cache_bytes);

    return fmin(wanted, (double)trial_memory_limit(t, MEMORY_DEVICE));
}

int trial_execute(struct trial *t, const struct kernel *k, const void *args)
{
    struct run_times ignored;

    return trial_probe(t, k, args, TIMED_BY_HOST, 1, &ignored);
}

int trial_probe(struct trial *t, const struct kernel *k, const void *args, enum timed_by how,
                unsigned times, struct run_times *out)
{
    *out = (struct run_times){.seconds = NAN, .sm_clock_hz = NAN, .telemetry = telemetry_unknown};
    return t->device->ops->run(t->device, k, args, times, how, out) ? device_failed(t) : 0;
}

int trial_copy(struct trial *t, void *to, const void *from, size_t bytes)
{
    return t->device->ops->copy(t->device, to, from, bytes) ? device_failed(t) : 0;
}

int trial_plan(struct trial *t, const struct kernel *k, void *args)
{
    return t->device->ops->plan(t->device, k, args) ? device_failed(t) : 0;
}

void trial_parameter_number(struct trial *t, const char *name, double number)
{
    parameters_set_number(&t->row->parameters, name, number);
}

void trial_parameter_word(struct trial *t, const char *name, const char *word)
{
    parameters_set_word(&t->row->parameters, name, word);
}

void trial_doubt(struct trial *t, const char *doubt)
{
    if (!strings_have(&t->row->doubts, doubt))
        strings_add(&t->row->doubts, doubt);
}

__attribute__((format(printf, 3, 0))) static int end_as(struct trial *t, enum row_status status,
                                                        const char *format, va_list values)
{
    struct text reason = TEXT_EMPTY;

    text_vaddf(&reason, format, values);
    free(t->row->reason);
    t->row->reason = text_take(&reason);
    t->row->status = status;
    return -1;
}

int trial_skip(struct trial *t, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    end_as(t, ROW_SKIPPED, format, values);
    va_end(values);
    return -1;
}

int trial_fail(struct trial *t, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    end_as(t, ROW_FAILED, format, values);
    va_end(values);
    return -1;
}

int trial_wrong(struct trial *t, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    end_as(t, ROW_WRONG, format, values);
    va_end(values);
    return -1;
}

int trial_omit(struct trial *t)
{
    t->omitted = true;
    return -1;
}
