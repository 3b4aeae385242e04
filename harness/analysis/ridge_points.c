/* Ridge points: where a compute roof and the memory roof of the same source meet. */
#include "harness/analysis/roofline.h"
#include "harness/analysis/roofs.h"
#include "harness/base/units.h"

#include <string.h>

static void add_point(struct report *r, const struct roof *compute, const struct roof *memory)
{
    const struct estimate ratio = estimate_ratio(compute->value, memory->value);
    struct ridge_point *p = report_add_ridge_point(r);

    *p = (struct ridge_point){xstrdup(compute->device), xstrdup(compute->name),
                              xstrdup(memory->name), xstrdup(compute->source), ratio};
}

void ridge_points_add(struct report *r, const char *device)
{
    for (size_t i = 0; i < r->roof_count; i++) {
        const struct roof *compute = &r->roofs[i];
        const struct roof *memory;

        if (strcmp(compute->device, device) != 0 || strcmp(compute->kind, "compute") != 0)
            continue;
        memory = report_memory_roof(r, device, compute->source);
        if (memory != NULL)
            add_point(r, compute, memory);
    }
}

void ridge_point_sentence(struct text *out, const struct report *r, const struct ridge_point *p)
{
    const struct device_record *d = report_device(r, p->device);
    char number[UNITS_MAX];

    text_addf(out, "On %s", p->device);
    if (d != NULL && d->name != NULL)
        text_addf(out, " (%s)", d->name);
    text_addf(out,
              " a kernel needs %s flops for every byte it reads from memory before arithmetic, not "
              "memory, limits it (%s over %s%s).",
              units_format(number, p->flop_per_byte.value, ""), p->compute, p->memory,
              strcmp(p->source, "measured") == 0    ? ""
              : strcmp(p->source, "datasheet") == 0 ? ", by the datasheet"
                                                    : ", by the clocks it reports");
}
