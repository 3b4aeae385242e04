/* A report as samples for node_exporter. */
#include "harness/output/exports.h"

#include "harness/analysis/bands.h"
#include "harness/analysis/findings.h"

#include <math.h>
#include <string.h>

/* All samples of one name, written once they are known: node_exporter drops a file in which a name
 * comes back. */
struct family {
    const char *name, *help;
    struct text body;
};

static struct family family_of(const char *name, const char *help)
{
    return (struct family){name, help, TEXT_EMPTY};
}

static void add_label(struct text *labels, const char *name, const char *value)
{
    if (value == NULL)
        return;
    text_addf(labels, "%s%s=\"", labels->length > 0 ? "," : "", name);
    for (; *value != '\0'; value++)
        if (*value == '\n')
            text_add(labels, "\\n");
        else if (*value == '"' || *value == '\\')
            text_addf(labels, "\\%c", *value);
        else if ((unsigned char)*value >= ' ')
            text_add_bytes(labels, value, 1);
    text_add(labels, "\"");
}

/* Takes the labels. */
static void add_sample(struct family *f, struct text *labels, double value)
{
    if (isfinite(value)) {
        text_add(&f->body, f->name);
        if (labels->length > 0)
            text_addf(&f->body, "{%s}", text_chars(labels));
        text_addf(&f->body, " %.10g\n", value);
    }
    text_free(labels);
}

static void finish(struct text *out, struct family *f)
{
    if (f->body.length > 0)
        text_addf(out, "# HELP %s %s\n# TYPE %s gauge\n%s", f->name, f->help, f->name,
                  text_chars(&f->body));
    text_free(&f->body);
}

static struct text device_labels(const struct report *r, const char *device)
{
    const struct device_record *d = report_device(r, device);
    struct text labels = TEXT_EMPTY;

    add_label(&labels, "device", device);
    if (d != NULL)
        add_label(&labels, "uuid", d->uuid);
    return labels;
}

/* A family of figures: those of one name and of roles, with parameters as labels. */
struct figures {
    const char *family, *help, *figure;
    const char *roles[3], *role_label; /* role_label NULL: the role is no label */
    const char *labels[3][2];          /* parameter, label */
};
static const struct figures families[] = {
    {"ridge_memory_bandwidth_bytes_per_second",
     "Device memory bandwidth, median.",
     "best",
     {"memory_bandwidth"},
     NULL,
     {{"operation", "kernel"}}},
    {"ridge_link_bandwidth_bytes_per_second",
     "Rate of copies between host and device, by a fit over sizes.",
     "rate",
     {"host_to_device", "device_to_host"},
     "direction",
     {{"memory", "memory"}}},
    {"ridge_flops_per_second",
     "Rate of arithmetic, median of the best shape.",
     "best",
     {"gemm", "vector_peak"},
     "kernel",
     {{"precision", "input"}, {"accumulate", "accumulate"}}},
};

static bool has_role(const struct figures *family, const struct figure *f)
{
    for (size_t i = 0; i < COUNT_OF(family->roles) && family->roles[i] != NULL; i++)
        if (strcmp(family->roles[i], f->role) == 0)
            return strcmp(f->name, family->figure) == 0;
    return false;
}

static void add_figures(struct text *out, const struct report *r, const struct figures *family)
{
    struct family f = family_of(family->family, family->help);

    for (size_t i = 0; i < r->figure_count; i++) {
        const struct figure *figure = &r->figures[i];
        struct text labels = TEXT_EMPTY;

        if (!has_role(family, figure) || !figure_stands(r, figure))
            continue;
        labels = device_labels(r, figure->device);
        if (family->role_label != NULL)
            add_label(&labels, family->role_label, figure->role);
        for (size_t k = 0; k < COUNT_OF(family->labels) && family->labels[k][0] != NULL; k++)
            add_label(&labels, family->labels[k][1],
                      parameters_word(&figure->parameters, family->labels[k][0]));
        add_sample(&f, &labels, figure->value.value);
    }
    finish(out, &f);
}

static void add_ratios(struct text *out, const struct report *r)
{
    struct family f =
        family_of("ridge_roof_ratio", "Main figures as a share of the roof they are held against.");
    struct normal *normals;
    const size_t count = normals_of(r, &normals);

    for (size_t i = 0; i < count; i++) {
        struct text labels = device_labels(r, normals[i].device);

        add_label(&labels, "role", normals[i].name);
        add_sample(&f, &labels, normals[i].share);
    }
    normals_free(normals, count);
    finish(out, &f);
}

static void add_link(struct text *out, const struct report *r, const char *name, const char *help,
                     bool lanes)
{
    struct family f = family_of(name, help);

    for (size_t i = 0; i < r->device_count; i++) {
        const struct measurement *m = headline_copy(r, r->devices[i].id, "host_to_device");
        struct text labels = device_labels(r, r->devices[i].id);

        add_sample(&f, &labels,
                   m == NULL ? NAN
                   : lanes   ? m->telemetry.link_width
                             : m->telemetry.link_generation);
    }
    finish(out, &f);
}

static void add_findings(struct text *out, const struct report *r)
{
    struct family f = family_of("ridge_finding", "A verdict of ridge check, 1 while it holds.");

    for (size_t i = 0; i < r->finding_count; i++) {
        struct text labels = device_labels(r, r->findings[i].device);

        add_label(&labels, "id", r->findings[i].id);
        add_label(&labels, "severity", severity_names[r->findings[i].severity]);
        add_sample(&f, &labels, 1);
    }
    finish(out, &f);
}

static void add_info(struct text *out, const struct report *r)
{
    struct family f = family_of("ridge_info", "What was measured, always 1.");

    for (size_t i = 0; i < r->device_count; i++) {
        struct text labels = device_labels(r, r->devices[i].id);

        add_label(&labels, "name", r->devices[i].name);
        add_label(&labels, "driver", r->environment.driver);
        add_label(&labels, "vbios", r->devices[i].facts.vbios);
        add_label(&labels, "version", r->ridge.version);
        add_sample(&f, &labels, 1);
    }
    finish(out, &f);
}

static double started_seconds(const struct report *r)
{
    struct tm utc = {0};
    const char *end = r->started == NULL ? NULL : strptime(r->started, "%Y-%m-%dT%H:%M:%S", &utc);

    return end == NULL ? NAN : (double)timegm(&utc);
}

static void add_number(struct text *out, const char *name, const char *help, double value)
{
    struct family f = family_of(name, help);
    struct text none = TEXT_EMPTY;

    add_sample(&f, &none, value);
    finish(out, &f);
}

void export_prometheus(struct text *out, const struct report *r, const struct verdict_summary *v)
{
    for (size_t i = 0; i < COUNT_OF(families); i++)
        add_figures(out, r, &families[i]);
    add_ratios(out, r);
    add_link(out, r, "ridge_link_generation", "PCI Express generation during copies.", false);
    add_link(out, r, "ridge_link_lanes", "PCI Express lanes during copies.", true);
    add_findings(out, r);
    add_info(out, r);
    add_number(out, "ridge_check_exit_code", "Exit status of ridge check.", v->exit_status);
    add_number(out, "ridge_last_run_timestamp_seconds", "When the measurement began.",
               started_seconds(r));
}
