/* A verdict as labels of a node, and as one line. */
#include "harness/output/exports.h"

#include "harness/analysis/bands.h"
#include "harness/analysis/roofline.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MOST = 200, LABEL_MOST = 63 };

/* Letters, digits, '.', '_' and '-', with letters or digits at both ends. */
static void add_label(struct text *out, const char *name, const char *value)
{
    char kept[LABEL_MOST + 1];
    size_t length = 0;

    for (; *value != '\0' && length < LABEL_MOST; value++)
        if (isalnum((unsigned char)*value) || (length > 0 && strchr("._-", *value) != NULL))
            kept[length++] = *value;
        else if (length > 0 && kept[length - 1] != '-')
            kept[length++] = '-';
    while (length > 0 && !isalnum((unsigned char)kept[length - 1]))
        length--;
    kept[length] = '\0';
    if (length > 0)
        text_addf(out, "feature.node.kubernetes.io/ridge-%s=%s\n", name, kept);
}

/* Two digits, rounded down: noise seldom crosses a step. */
static double coarse(double value)
{
    const double step = pow(10, floor(log10(value)) - 1);

    return floor(value / step * (1 + 1e-9)) * step;
}

/* A node counts as its worst card. */
static void add_link(struct text *out, const struct report *r)
{
    double generation = NAN, width = NAN;
    char *value;

    for (size_t i = 0; i < r->device_count; i++) {
        const struct measurement *m = headline_copy(r, r->devices[i].id, "host_to_device");

        if (m == NULL)
            continue;
        generation = fmin(generation, m->telemetry.link_generation);
        width = fmin(width, m->telemetry.link_width);
    }
    if (isnan(generation) || isnan(width))
        return;
    value = xasprintf("gen%.0f-x%.0f", generation, width);
    add_label(out, "link", value);
    free(value);
}

static void add_memory(struct text *out, const struct report *r)
{
    double least = NAN;
    char *value;

    for (size_t i = 0; i < r->device_count; i++) {
        const struct roof *roof = report_memory_roof(r, r->devices[i].id, "measured");

        if (roof != NULL && r->devices[i].kind != NULL && strcmp(r->devices[i].kind, "cuda") == 0)
            least = fmin(least, roof->value.value);
    }
    if (isnan(least))
        return;
    value = xasprintf("%.0f", coarse(least / 1e9));
    add_label(out, "memory-gbs", value);
    free(value);
}

void export_nfd(struct text *out, const struct report *r, const struct verdict_summary *v,
                time_t expires)
{
    struct text word = TEXT_EMPTY;
    struct tm utc;
    char date[32];

    gmtime_r(&expires, &utc);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    text_addf(out, "# +expiry-time=%s\n", date);
    for (const char *c = v->word; *c != '\0'; c++)
        text_addf(&word, "%c", tolower((unsigned char)*c));
    add_label(out, "check", text_chars(&word));
    add_link(out, r);
    add_memory(out, r);
    text_free(&word);
}

/* The finding that a line has room for: the worst, if it is more than a note. */
static const struct finding *first_finding(const struct report *r)
{
    return r->finding_count > 0 && r->findings[0].severity > SEVERITY_NOTE ? &r->findings[0] : NULL;
}

static const struct measurement *first_broken(const struct report *r)
{
    for (size_t i = 0; i < r->measurement_count; i++)
        if (r->measurements[i].status == ROW_FAILED)
            return &r->measurements[i];
    return NULL;
}

static void add_device(struct text *line, const struct report *r, const char *id)
{
    const struct device_record *d = report_device(r, id);

    text_addf(line, " %s", id);
    if (d != NULL && d->uuid != NULL)
        text_addf(line, " %.8s", d->uuid);
}

/* Both end in a full stop, of which the first gives way to a semicolon. */
static void add_finding(struct text *line, const struct report *r, const struct finding *f)
{
    const size_t length = strlen(f->sentence);
    const bool stops = length > 0 && f->sentence[length - 1] == '.' && f->fix != NULL;

    if (f->device != NULL)
        add_device(line, r, f->device);
    text_addf(line, " %s %.*s", f->id, (int)(length - stops), f->sentence);
    if (f->fix != NULL)
        text_addf(line, "; %s", f->fix);
}

static void fill_line(struct text *line, const struct report *r, const struct verdict_summary *v)
{
    const struct finding *f = first_finding(r);
    const struct measurement *m = first_broken(r);

    text_addf(line, "ridge: %s", v->word);
    if (*v->missing != '\0' && (f == NULL || f->severity < SEVERITY_INVALID) && m == NULL) {
        text_addf(line, " missing %s", v->missing);
    } else if (f != NULL) {
        add_finding(line, r, f);
    } else if (m != NULL) {
        add_device(line, r, m->device);
        text_addf(line, " %s failed: %s", m->experiment, m->reason == NULL ? "" : m->reason);
    } else {
        text_addf(line, " %zu device%s", r->device_count, r->device_count == 1 ? "" : "s");
    }
}

void export_one_line(struct text *out, const struct report *r, const struct verdict_summary *v)
{
    struct text line = TEXT_EMPTY;
    size_t length;

    fill_line(&line, r, v);
    length = line.length < LINE_MOST ? line.length : LINE_MOST;
    while (length < line.length && length > 0 && ((unsigned char)line.chars[length] & 0xC0) == 0x80)
        length--; /* not within a character */
    for (size_t i = 0; i < length; i++)
        if (strchr("\"'`\\", line.chars[i]) == NULL)
            text_addf(out, "%c", iscntrl((unsigned char)line.chars[i]) ? ' ' : line.chars[i]);
    text_add(out, "\n");
    text_free(&line);
}
