/* The kinds of device in this build, and what is common to all of them. */
#include "harness/device/device.h"

#include "harness/device/system.h"

#include <stdlib.h>

#ifdef HAVE_CUDA
const struct device_ops *const device_kinds[] = {&device_cuda, &device_host, NULL};
static void (*const describers[])(struct environment *) = {system_describe, cuda_describe, NULL};
#else
const struct device_ops *const device_kinds[] = {&device_host, NULL};
static void (*const describers[])(struct environment *) = {system_describe, NULL};
#endif

const char *const memory_names[MEMORY_KINDS] = {
    [MEMORY_DEVICE] = "device",         [MEMORY_PAGEABLE] = "pageable",
    [MEMORY_PINNED] = "pinned",         [MEMORY_WRITE_COMBINED] = "write_combined",
    [MEMORY_REGISTERED] = "registered", [MEMORY_MAPPED] = "mapped",
};

const char *const timed_by_names[TIMED_WAYS] = {
    [TIMED_BY_EVENTS] = "events",
    [TIMED_BY_HOST] = "host",
    [TIMED_BY_CALL] = "call",
    [TIMED_BY_KERNEL] = "kernel",
};

void device_describe_environment(struct environment *e)
{
    for (size_t i = 0; describers[i]; i++)
        describers[i](e);
}

int device_open(struct device *d, const struct device_ops *ops, int index)
{
    *d = (struct device){.ops = ops};
    facts_init(&d->facts);
    d->id = ops == &device_host ? xstrdup(ops->kind) : xasprintf("%s%d", ops->kind, index);
    return ops->open(d, index);
}

void device_close(struct device *d)
{
    d->ops->close(d);
    facts_free(&d->facts);
    free(d->id);
    free(d->name);
    free(d->uuid);
    text_free(&d->error);
    *d = (struct device){.ops = d->ops};
}

int device_fail(struct device *d, const char *format, ...)
{
    va_list values;
    struct text why = TEXT_EMPTY;

    /* The old error may be among the values. */
    va_start(values, format);
    text_vaddf(&why, format, values);
    va_end(values);
    text_free(&d->error);
    d->error = why;
    return -1;
}

void device_record_fill(struct device_record *record, const struct device *d)
{
    record->id = xstrdup(d->id);
    record->kind = xstrdup(d->ops->kind);
    record->name = xstrdup(d->name);
    record->uuid = xstrdup(d->uuid);
    facts_free(&record->facts);
    facts_copy(&record->facts, &d->facts);
}
