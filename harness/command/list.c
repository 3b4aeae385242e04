/* `ridge list`: the devices with what limits them, the experiments, the plans. */
#include "harness/command/command.h"

#include "harness/base/options.h"
#include "harness/base/units.h"
#include "harness/measure/sampler.h"
#include "harness/output/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct argp argp = {
    .doc = "Lists the devices of this machine with what limits them, the experiments and the "
           "plans."};

static void heading(const char *words)
{
    const bool colour = view_of(stdout).colour;

    printf("%s%s%s\n", colour ? "\033[1m" : "", words, colour ? "\033[0m" : "");
}

/* ---- what limits a device; nothing is said of what is not known ---- */

static void add(struct text *line, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *line, const char *format, ...)
{
    va_list values;

    text_add(line, line->length ? ", " : "");
    va_start(values, format);
    text_vaddf(line, format, values);
    va_end(values);
}

static void add_count(struct text *line, double count, const char *one, const char *several)
{
    if (!isnan(count))
        add(line, "%.0f %s", count, count == 1 ? one : several);
}

static void add_amount(struct text *line, double value, const char *unit, const char *of)
{
    char words[UNITS_MAX];

    if (!isnan(value))
        add(line, "%s %s", units_format(words, value, unit), of);
}

static void add_flag(struct text *line, enum flag flag, const char *yes, const char *no)
{
    if (flag == FLAG_YES && yes)
        add(line, "%s", yes);
    if (flag == FLAG_NO && no)
        add(line, "%s", no);
}

static void describe_link(struct text *line, const struct facts *f, const struct telemetry *now)
{
    const double most = fmin(f->link_generation_max, f->link_generation_max_host);

    if (!isnan(most) && !isnan(f->link_width_max))
        add(line, "link gen%.0f x%.0f at most", most, f->link_width_max);
    if (!isnan(f->link_generation_max_host) && f->link_generation_max_host < f->link_generation_max)
        add(line, "the card itself could do gen%.0f", f->link_generation_max);
    if (!isnan(now->link_width) && now->link_width < f->link_width_max)
        add(line, "only x%.0f in use", now->link_width);
}

static void describe_power(struct text *line, const struct facts *f)
{
    add_amount(line, f->power_limit_watts, "W", "power limit");
    if (f->power_limit_watts < f->power_limit_default_watts)
        add(line, "%.0f W by default", f->power_limit_default_watts);
}

static void describe_card(struct text *line, struct device *d)
{
    const struct facts *f = &d->facts;
    struct telemetry now = telemetry_unknown;

    d->ops->sense(d, &now);
    add_count(line, f->units, "SM", "SMs");
    add_amount(line, f->memory_bytes, "B", "memory");
    describe_link(line, f, &now);
    describe_power(line, f);
    add_flag(line, f->ecc, "ECC on", "ECC off");
    add_flag(line, f->mig, "a MIG slice", NULL);
    add_flag(line, f->display_timeout, "drives a display: long kernels are ended", NULL);
    if (f->compute_mode && strcmp(f->compute_mode, "default"))
        add(line, "compute mode %s", f->compute_mode);
    if (f->processes > 0)
        add_count(line, f->processes, "other process on it", "other processes on it");
    if (f->code)
        add(line, "%s", f->code);
}

static void describe_host(struct text *line, const struct device *d)
{
    const struct facts *f = &d->facts;

    add_count(line, f->units, "core", "cores");
    add_count(line, f->threads_per_core, "thread a core", "threads a core");
    add_count(line, f->numa_nodes, "NUMA node", "NUMA nodes");
    add_amount(line, f->memory_bytes, "B", "memory");
    add_amount(line, f->last_level_cache_bytes, "B", "last-level cache");
    if (f->simd)
        add(line, "%s", f->simd);
    if (f->governor)
        add(line, "governor %s", f->governor);
}

static void list_device(const struct device_ops *ops, int index)
{
    struct device d;
    struct text line = TEXT_EMPTY;

    if (device_open(&d, ops, index)) {
        text_addf(&line, "cannot be used: %s", text_chars(&d.error));
    } else if (!strcmp(ops->kind, "host")) {
        describe_host(&line, &d);
    } else {
        describe_card(&line, &d);
    }
    printf("  %-12s %s\n  %-12s %s\n", d.id, d.name ? d.name : "", "", text_chars(&line));
    text_free(&line);
    device_close(&d);
}

static void list_devices(void)
{
    heading("Devices");
    for (size_t i = 0; device_kinds[i]; i++) {
        char *why = NULL;
        const int count = device_kinds[i]->count(&why);

        for (int index = 0; index < count; index++)
            list_device(device_kinds[i], index);
        if (count <= 0 && why)
            printf("  %-12s %s\n", device_kinds[i]->kind, why);
        free(why);
    }
}

static void list_experiments(void)
{
    heading("\nExperiments");
    for (size_t i = 0; experiments[i]; i++)
        if (!experiments[i]->lesson_only)
            printf("  %-15s %s\n", experiments[i]->name, experiments[i]->summary);
}

static void list_plans(void)
{
    heading("\nPlans");
    for (int i = 0; i < PLANS; i++) {
        const struct trial headline = {.plan = (enum plan)i, .headline = true};
        const struct trial curve = {.plan = (enum plan)i};

        printf("  %-12s %3.0f s a device; %u samples of a headline row, %u of a point of a curve\n",
               plan_names[i], plan_seconds[i], sampler_count(&headline), sampler_count(&curve));
    }
}

static int run(int argc, char **argv)
{
    options_parse(&argp, argc, argv, NULL);
    list_devices();
    list_experiments();
    list_plans();
    return EXIT_OK;
}

const struct command command_list = {
    .name = "list",
    .summary = "show devices with what limits them, experiments and plans",
    .argp = &argp,
    .run = run,
};
