/* What the way between host and card means. */
#include "harness/analysis/meanings.h"

#include <math.h>
#include <string.h>

/* Pinned buffers should win by METHOD 12's factor of 2 to 5; below this they did not. */
static const double pinning_pays = 1.2;
/* Two directions at once carry nearly twice as much on a link that is fully duplex. */
static const double both_ways_pay = 1.4;
/* Of what overlap can save: above this the stages do overlap; below the other they do not. */
static const double overlaps = 0.6, overlaps_not = 0.2;

/* The fitted rate of copies, else that of the largest; NAN where there is neither. */
static double copy_rate(const struct subject *s, const char *role, const char *memory)
{
    const double fitted = subject_figure(s, role, "rate", memory == NULL ? NULL : "memory", memory);
    const struct measurement *m = report_largest(s->report, s->device->id, role, memory);

    return isnan(fitted) && m != NULL ? m->value.median : fitted;
}

static void say_pinned(struct text *out, const struct subject *s)
{
    const char *role = "host_to_device";
    const double rate = copy_rate(s, role, "pinned");
    const double startup = subject_figure(s, role, "startup_seconds", "memory", "pinned");
    const double half = subject_figure(s, role, "half_rate_bytes", "memory", "pinned");

    if (isnan(rate))
        return;
    say(out, "From host to device a copy in pinned memory runs at {B/s}.", rate);
    if (startup > 0 && half > 0)
        say(out,
            "Each copy costs {s} before the first byte, so one of {B} gets only half of that rate: "
            "batch small copies until they are well above it.",
            startup, half);
}

static void say_pageable(struct text *out, const struct subject *s, const char *role)
{
    const double pinned = copy_rate(s, role, "pinned");
    const double pageable = copy_rate(s, role, "pageable");

    if (isnan(pinned / pageable))
        return;
    if (pinned / pageable >= pinning_pays)
        say(out, "Pageable memory is {} times slower ({B/s}): pin what is copied often.",
            pinned / pageable, pageable);
    else
        say(out,
            "The expected cost of pageable memory did not appear here: {B/s} against {B/s} pinned.",
            pageable, pinned);
}

void meaning_of_upload(struct text *out, const struct subject *s)
{
    const struct roof *memory = report_memory_roof(s->report, s->device->id, "measured");
    const double rate = copy_rate(s, "host_to_device", "pinned");

    say_pinned(out, s);
    if (memory != NULL && !isnan(rate))
        say(out, "Sending a byte there takes as long as reading it {n} times from device memory.",
            memory->value.value / rate);
    say_pageable(out, s, "host_to_device");
}

void meaning_of_download(struct text *out, const struct subject *s)
{
    const double rate = copy_rate(s, "device_to_host", "pinned");
    const double pageable = copy_rate(s, "device_to_host", "pageable");
    const bool advised = isfinite(copy_rate(s, "host_to_device", "pageable"));

    /* what pinning does is said once, with the upload */
    if (!isnan(rate) && advised && rate / pageable >= pinning_pays) {
        say(out, "From device to host: {B/s} pinned, {B/s} pageable.", rate, pageable);
        return;
    }
    if (!isnan(rate))
        say(out, "From device to host it runs at {B/s}.", rate);
    say_pageable(out, s, "device_to_host");
}

void meaning_of_both_ways(struct text *out, const struct subject *s)
{
    const double gain = subject_figure(s, "bidirectional", "both_over_one", NULL, NULL);

    if (isnan(gain))
        return;
    if (gain >= both_ways_pay)
        say(out,
            "Both directions at once carry {} times what one carries: let uploads and "
            "downloads overlap.",
            gain);
    else
        say(out,
            "The expected gain of using both directions at once did not appear: together they "
            "carry {} times what one carries, so something on the way is shared.",
            gain);
}

void meaning_of_memcpy(struct text *out, const struct subject *s)
{
    const double rate = copy_rate(s, "host_memcpy", NULL);

    if (!isnan(rate))
        say(out,
            "One core copies memory at {B/s}: copies between a card and pageable memory go "
            "through such a copy and cannot be faster.",
            rate);
}

/* The best of the figures of that name for a kind of memory, or NULL. */
static const struct figure *best_overlap(const struct subject *s, const char *name,
                                         const char *memory)
{
    const struct figure *best = NULL;

    for (size_t i = 0; i < s->report->figure_count; i++) {
        const struct figure *f = &s->report->figures[i];

        if (strcmp(f->device, s->device->id) == 0 && f->role != NULL &&
            strcmp(f->role, "overlap") == 0 && strcmp(f->name, name) == 0 &&
            parameters_match(&f->parameters, "memory", memory) &&
            (best == NULL || f->value.value > best->value.value))
            best = f;
    }
    return best;
}

void meaning_of_overlap(struct text *out, const struct subject *s)
{
    const struct figure *saved = best_overlap(s, "saved", "pinned");
    const struct figure *speedup = best_overlap(s, "speedup", "pinned");
    const struct figure *pageable = best_overlap(s, "saved", "pageable");

    if (saved != NULL && speedup != NULL)
        say(out,
            saved->value.value >= overlaps
                ? "Copying in, working and copying back in {n} pieces on three streams is {} times "
                  "as fast as in one piece: {%} of what overlap can save."
                : "The expected overlap did not appear: in {n} pieces on three streams the same "
                  "work is only {} times as fast as in one piece, {%} of what overlap can save.",
            parameters_number(&saved->parameters, "pieces"), speedup->value.value,
            saved->value.value);
    if (pageable != NULL && pageable->value.value < overlaps_not)
        say(out, "Pageable memory gains nothing: such a copy keeps the host waiting.");
}
