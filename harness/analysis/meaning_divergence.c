/* What branches cost: both arms on a card, a wrong guess on a CPU. */
#include "harness/analysis/meanings.h"

#include <math.h>
#include <string.h>

static void say_split(struct text *out, double ratio)
{
    if (isnan(ratio))
        return;
    if (ratio >= 1.8 && ratio <= 2.3)
        say(out,
            "A warp whose lanes take both arms pays for both: {} times the time, however many "
            "lanes take each.",
            ratio);
    else
        say(out,
            "The expected factor of two did not appear: a warp split in half took {} times the "
            "time of a whole one.",
            ratio);
}

/* The figure with the most paths. */
static const struct figure *most_paths(const struct subject *s)
{
    const struct figure *most = NULL;

    for (size_t i = 0; i < s->report->figure_count; i++) {
        const struct figure *f = &s->report->figures[i];

        if (f->role != NULL && strcmp(f->device, s->device->id) == 0 &&
            strcmp(f->role, "divergence") == 0 && strcmp(f->name, "ratio_of_paths") == 0 &&
            !isnan(f->value.value) &&
            (most == NULL || parameters_number(&f->parameters, "paths") >
                                 parameters_number(&most->parameters, "paths")))
            most = f;
    }
    return most;
}

static void say_paths(struct text *out, const struct figure *f)
{
    const double paths = f == NULL ? NAN : parameters_number(&f->parameters, "paths");

    if (isnan(paths))
        return;
    if (fabs(f->value.value / paths - 1) <= 0.25)
        say(out, "{n} paths in one warp cost {} times one path.", paths, f->value.value);
    else
        say(out, "{n} paths in one warp cost {} times one path, not the {n} times expected.", paths,
            f->value.value, paths);
}

static void say_by_warp(struct text *out, double ratio)
{
    if (isnan(ratio))
        return;
    if (fabs(ratio - 1) <= 0.1)
        say(out,
            "When whole warps agree the same branch costs nothing ({} times): sort work by path.",
            ratio);
    else
        say(out, "Whole warps that agree should pay nothing, but here took {} times the time.",
            ratio);
}

/* The CPU takes one arm only, and pays when it guessed the other. */
static void say_guesses(struct text *out, const struct subject *s)
{
    const double ratio = subject_figure(s, "divergence", "ratio_shuffled", NULL, NULL);
    const double guess = subject_figure(s, "divergence", "seconds_per_misprediction", NULL, NULL);

    if (isnan(ratio))
        return;
    if (ratio < 1.15) {
        say(out,
            "The expected cost of wrong guesses did not appear: shuffled order took {} times the "
            "time of sorted order.",
            ratio);
        return;
    }
    say(out,
        "A CPU runs only the arm that is taken, but has to guess which: in shuffled order the same "
        "work took {} times as long as in sorted order.",
        ratio);
    if (guess > 0)
        say(out, "Each wrong guess costs {s}; a card never guesses, and pays for both arms.",
            guess);
}

void meaning_of_divergence(struct text *out, const struct subject *s)
{
    if (s->host) {
        say_guesses(out, s);
        return;
    }
    say_split(out, subject_figure(s, "divergence", "ratio_at_half", NULL, NULL));
    say_paths(out, most_paths(s));
    say_by_warp(out, subject_figure(s, "divergence", "ratio_by_warp", NULL, NULL));
}
