/* Picks what there is to say about a role. */
#include "harness/analysis/meaning.h"
#include "harness/analysis/meanings.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *role;
    meaning *say;
} meanings[] = {
    {"host_to_device", meaning_of_upload},   {"device_to_host", meaning_of_download},
    {"bidirectional", meaning_of_both_ways}, {"host_memcpy", meaning_of_memcpy},
    {"memory_bandwidth", meaning_of_memory}, {"memory_latency", meaning_of_latency},
    {"latency_hiding", meaning_of_hiding},   {"gemm", meaning_of_gemm},
    {"vector_peak", meaning_of_vector_peak}, {"divergence", meaning_of_divergence},
    {"overlap", meaning_of_overlap},         {"cache_bandwidth", meaning_of_caches},
    {"intensity", meaning_of_intensity},     {"launch", meaning_of_launch},
};

double subject_figure(const struct subject *s, const char *role, const char *figure,
                      const char *name, const char *value)
{
    const char *const conditions[] = {name, value, NULL};
    const struct figure *found = report_figure(s->report, s->device->id, role, figure, conditions);

    return found == NULL ? NAN : found->value.value;
}

const struct measurement *subject_best(const struct subject *s, const char *role, const char *name,
                                       const char *value)
{
    const struct measurement *best = NULL;

    for (size_t i = 0; i < s->report->measurement_count; i++) {
        const struct measurement *m = &s->report->measurements[i];

        if (measurement_usable(m) && m->role != NULL && strcmp(m->role, role) == 0 &&
            strcmp(m->device, s->device->id) == 0 &&
            (name == NULL || parameters_match(&m->parameters, name, value)) &&
            (best == NULL || (m->value.median > best->value.median) == m->metric.more_is_better))
            best = m;
    }
    return best;
}

void meaning_of(struct text *out, const struct report *r, const char *device, const char *role)
{
    const struct device_record *d = report_device(r, device);
    struct text said = TEXT_EMPTY;

    for (size_t i = 0; d != NULL && i < COUNT_OF(meanings); i++)
        if (strcmp(meanings[i].role, role) == 0) {
            const struct subject s = {r, d, d->kind != NULL && strcmp(d->kind, "host") == 0};

            meanings[i].say(&said, &s);
        }
    text_add(out, text_chars(&said));
    text_free(&said);
}
