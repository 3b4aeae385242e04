/* What memory's rate and latency mean, and what hides the latency. */
#include "harness/analysis/meanings.h"

#include <math.h>
#include <string.h>

static void say_share(struct text *out, const struct subject *s, const struct roof *memory)
{
    const struct roof *promise = roof_promise(s->report, memory);
    const char *device = s->device->id;

    if (promise == NULL) {
        say(out, "{w} moves {B/s} at best ({w}); no peak is known to hold it against.", device,
            memory->value.value, memory->name);
        return;
    }
    say(out, "{w} delivers {%} of the {B/s} that its {w} promises ({w}).", device,
        memory->value.value / promise->value.value, promise->value.value,
        strcmp(promise->source, "datasheet") == 0 ? "datasheet" : "memory clock and bus width",
        memory->name);
    if (memory->value.value > promise->value.value * 1.005)
        say(out, "More than is possible: the work is miscounted or a cache helped; do not use it.");
}

void meaning_of_memory(struct text *out, const struct subject *s)
{
    const struct roof *memory = report_memory_roof(s->report, s->device->id, "measured");

    if (memory == NULL)
        return;
    say_share(out, s, memory);
    say(out, "No kernel beats that: one that has to touch 1 GiB takes {s} or longer.",
        1073741824.0 / memory->value.value);
}

/* What there is to gain from data that stays in a cache. */
void meaning_of_caches(struct text *out, const struct subject *s)
{
    const struct roof *memory = report_memory_roof(s->report, s->device->id, "measured");

    for (size_t i = 0; i < s->report->roof_count; i++) {
        const struct roof *cache = &s->report->roofs[i];

        if (strcmp(cache->device, s->device->id) != 0 || strcmp(cache->kind, "cache") != 0)
            continue;
        if (memory == NULL)
            say(out, "{w}: {B/s}.", cache->name, cache->value.value);
        else if (cache->value.value >= 1.1 * memory->value.value)
            say(out, "{w}: {B/s}, {} times what memory delivers.", cache->name, cache->value.value,
                cache->value.value / memory->value.value);
        else
            say(out, "{w}: {B/s}, no faster than memory: the expected cache did not appear.",
                cache->name, cache->value.value);
    }
    if (memory != NULL && out->length > 0)
        say(out, "Work in pieces that a cache holds has that roof instead of memory's.");
}

/* Little's law: what has to be under way to keep memory busy. */
void meaning_of_latency(struct text *out, const struct subject *s)
{
    const struct roof *memory = report_memory_roof(s->report, s->device->id, "measured");
    const double latency = subject_figure(s, "memory_latency", "latency", NULL, NULL);
    const double units = s->device->facts.units;

    if (isnan(latency))
        return;
    say(out, "A load that depends on the one before it waits {s} for memory.", latency);
    if (memory == NULL)
        return;
    say(out, "Memory could move {B} in that time", memory->value.value * latency);
    if (units > 0)
        say(out, "({B} for each {w})", memory->value.value * latency / units,
            s->host ? "core" : "SM");
    text_add(out, ": that much has to be under way to keep it busy.");
}

/* The knee of loads of one width at the fewest and at the most in flight per lane. */
struct knees {
    double ilp_least, ilp_most, warps_least, warps_most, access_bytes;
};

static bool is_knee(const struct figure *f, const struct subject *s, const char *operation)
{
    return strcmp(f->device, s->device->id) == 0 && f->role != NULL &&
           strcmp(f->role, "latency_hiding") == 0 && strcmp(f->name, "knee_warps") == 0 &&
           parameters_match(&f->parameters, "operation", operation) && !isnan(f->value.value);
}

static void widen(struct knees *k, const struct figure *f)
{
    const double ilp = parameters_number(&f->parameters, "ilp");
    const double bytes = parameters_number(&f->parameters, "access_bytes");

    if (isnan(ilp) || (!isnan(bytes) && bytes > k->access_bytes))
        return;
    if (!isnan(bytes) && bytes < k->access_bytes)
        *k = (struct knees){NAN, NAN, NAN, NAN, bytes};
    if (!(ilp >= k->ilp_least)) {
        k->ilp_least = ilp;
        k->warps_least = f->value.value;
    }
    if (!(ilp <= k->ilp_most)) {
        k->ilp_most = ilp;
        k->warps_most = f->value.value;
    }
}

static struct knees knees_of(const struct subject *s, const char *operation)
{
    struct knees k = {NAN, NAN, NAN, NAN, INFINITY};

    for (size_t i = 0; i < s->report->figure_count; i++)
        if (is_knee(&s->report->figures[i], s, operation))
            widen(&k, &s->report->figures[i]);
    return k;
}

static void say_knees(struct text *out, const struct knees *k, const char *what, const char *things)
{
    if (isnan(k->warps_least) || isnan(k->warps_most))
        return;
    if (k->ilp_most > k->ilp_least && k->warps_most < k->warps_least)
        say(out,
            "Warps and {w} are interchangeable: 90 % of {w} takes {n} warps an SM at {n} a thread, "
            "{n} at {n}.",
            things, what, k->warps_least, k->ilp_least, k->warps_most, k->ilp_most);
    else if (k->ilp_most > k->ilp_least)
        say(out,
            "The expected exchange of warps for {w} did not appear: 90 % of {w} takes {n} warps an "
            "SM at {n} a thread, {n} at {n}.",
            things, what, k->warps_least, k->ilp_least, k->warps_most, k->ilp_most);
    else
        say(out, "90 % of {w} takes {n} warps an SM.", what, k->warps_least);
}

static void say_in_flight(struct text *out, const struct subject *s)
{
    const double bytes =
        subject_figure(s, "latency_hiding", "knee_bytes_in_flight", "operation", "load");
    const double implied =
        subject_figure(s, "latency_hiding", "implied_latency", "operation", "load");
    const double chased = subject_figure(s, "memory_latency", "latency", NULL, NULL);

    if (!isnan(bytes))
        say(out, "About {B} an SM have to be in flight to saturate memory.", bytes);
    if (!isnan(implied) && !isnan(chased))
        say(out, "By Little's law a load takes {s}; chased alone it took {s}.", implied, chased);
}

static void say_chains(struct text *out, const struct subject *s)
{
    const double gain = subject_figure(s, "latency_hiding", "gain", NULL, NULL);
    const double knee = subject_figure(s, "latency_hiding", "knee_chains", NULL, NULL);

    if (isnan(gain) || isnan(knee))
        return;
    if (gain >= 1.5)
        say(out,
            "A core that follows {n} independent chains loads {} times as often as one that "
            "follows a single chain: a CPU hides latency by independent loads within a thread, "
            "where a card also has its warps.",
            knee, gain);
    else
        say(out,
            "The expected gain of independent chains did not appear: many of them load only {} "
            "times as often as one.",
            gain);
}

void meaning_of_hiding(struct text *out, const struct subject *s)
{
    if (s->host) {
        say_chains(out, s);
    } else {
        const struct knees loads = knees_of(s, "load"), fmas = knees_of(s, "fma");

        say_in_flight(out, s);
        say_knees(out, &loads, "memory's rate", "loads in flight");
        say_knees(out, &fmas, "the FMA rate", "independent chains");
    }
}
