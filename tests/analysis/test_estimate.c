/* Estimates against published cases, and what they say when a figure is missing. */
#include "harness/analysis/estimate.h"
#include "harness/analysis/roofline.h"
#include "tests/analysis/sample.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const double gib = 1073741824.0;

static struct model_job job_of(const char *model, const char *precision, double users)
{
    return (struct model_job){.shape = *model_shape_named(model),
                              .precision = model_precision_named(precision),
                              .users = users,
                              .context = 4096};
}

static struct estimates serve(const char *card, const struct model_job *job)
{
    struct estimates e = {0};
    struct contender c;

    contender_of_card(&c, card_named(card));
    estimate_serving(&e, job, &c);
    contender_free(&c);
    return e;
}

static struct estimate value_of(const struct estimates *e, const char *name)
{
    const struct estimated *found = estimates_find(e, name);

    cr_assert_not_null(found, "%s", name);
    return found->value;
}

static bool holds(struct estimate e, double value)
{
    return e.low <= value && value <= e.high;
}

static bool has_note(const struct estimates *e, const char *words)
{
    for (size_t i = 0; i < e->notes.count; i++)
        if (strstr(e->notes.items[i], words) != NULL)
            return true;
    return false;
}

/* The lesson "fits": 14 GB of weights, 0.5 MiB a token, 16 GiB of cache, over 30 GB in all. */
Test(estimate, seven_billion_for_eight_users)
{
    const struct model_job job = job_of("7b", "fp16", 8);
    struct estimates e = serve("a100-sxm4-80gb", &job);

    cr_expect_eq(value_of(&e, "weights").value, 14e9);
    cr_expect_eq(value_of(&e, "cache of keys and values").value, 16 * gib);
    cr_expect_gt(value_of(&e, "in all, on one card").value, 30e9);
    cr_expect_eq(value_of(&e, "cards needed").value, 1);
    cr_expect(strstr(estimates_find(&e, "cache of keys and values")->formula,
                     "2 x 32 layers x 32 heads x 128 x 2 B = 512 KiB a token") != NULL);
    estimates_free(&e);
}

Test(estimate, what_does_not_fit_is_divided)
{
    const struct model_job job = job_of("70b", "fp16", 1);
    struct estimates e = serve("a100-sxm4-80gb", &job);

    cr_expect_eq(value_of(&e, "cards needed").value, 2); /* 140 GB on 80 GiB cards */
    cr_expect_lt(value_of(&e, "decode, weights spilled").value,
                 value_of(&e, "decode, one user, at most").value / 5);
    cr_expect(has_note(&e, "not all of it fits"));
    estimates_free(&e);
}

/* The lesson "fits": Adam takes 16 bytes a parameter, 112 GB for 7 billion, and activations. */
Test(estimate, training_with_adam)
{
    const struct model_job job = job_of("7b", "bf16", 1);
    struct estimates e = {0};
    struct contender c;

    contender_of_card(&c, card_named("h100-sxm5-80gb"));
    estimate_training(&e, &job, &c);
    cr_expect_eq(value_of(&e, "weights, gradients, Adam").value, 112e9);
    cr_expect_float_eq(value_of(&e, "activations").value, 34.0 * 4096 * 32 * 4096, 1);
    cr_expect_eq(value_of(&e, "cards needed").value, 2);
    /* 6 flops a parameter and token at 989 TFLOP/s */
    cr_expect_float_eq(value_of(&e, "training, at most").value, 989.4e12 / 42e9, 1);
    contender_free(&c);
    estimates_free(&e);
}

/* "The Llama 3 Herd of Models" (2024): 405 billion parameters were trained at 380 to 430 TFLOP/s on
 * every H100, 38 to 43 % of its datasheet; six flops a parameter and token. */
Test(estimate, training_of_llama_3)
{
    static const double reached[] = {380e12, 400e12, 430e12};
    struct model_job job = job_of("70b", "bf16", 1);
    struct estimates e = {0};
    struct contender c;

    job.shape.parameters = job.shape.active_parameters = 405e9;
    contender_of_card(&c, card_named("h100-sxm5-80gb"));
    estimate_training(&e, &job, &c);
    for (size_t i = 0; i < 3; i++)
        cr_expect(holds(value_of(&e, "training, at most"), reached[i] / (6 * 405e9)));
    contender_free(&c);
    estimates_free(&e);
}

/* Korthikanti and others (2022): computing attention anew saves 70 % of GPT-3's activations and 65
 * % of MT-NLG's, at 2048 tokens. */
Test(estimate, activations_of_published_models)
{
    static const struct {
        double hidden, head_size, saved;
    } models[] = {{12288, 128, 0.70}, {20480, 160, 0.65}};

    for (size_t i = 0; i < 2; i++) {
        struct model_job job = job_of("70b", "fp16", 1);
        struct estimates e = {0};
        struct contender c;
        struct estimate activations;

        job.context = 2048;
        job.shape.hidden = models[i].hidden;
        job.shape.head_size = models[i].head_size;
        contender_of_card(&c, card_named("a100-sxm4-80gb"));
        estimate_training(&e, &job, &c);
        activations = value_of(&e, "activations");
        cr_expect_float_eq(1 - activations.value / activations.high, models[i].saved, 0.005);
        contender_free(&c);
        estimates_free(&e);
    }
}

/* The lesson "batch": on an RTX 4090 llama.cpp writes 61 tokens a second of 75 possible ones with a
 * 7 B model (6.74 billion parameters) in FP16. */
Test(estimate, decode_of_llama_cpp)
{
    struct model_job job = job_of("7b", "fp16", 1);
    struct estimates e;

    job.shape.parameters = job.shape.active_parameters = 6.74e9;
    e = serve("rtx-4090", &job);
    cr_expect_float_eq(value_of(&e, "decode, one user, at most").value, 75, 0.5);
    cr_expect(holds(value_of(&e, "decode, one user, at most"), 61));
    estimates_free(&e);
}

/* METHOD 10: an RTX 4090's FP16 ridge point is 164 by its datasheet; with 2 B a weight as many
 * users share a pass. */
Test(estimate, batch_until_the_ridge)
{
    const struct model_job job = job_of("7b", "fp16", 1);
    struct estimates e = serve("rtx-4090", &job);

    cr_expect_float_eq(value_of(&e, "users until arithmetic limits").value, 164, 1);
    estimates_free(&e);
}

Test(estimate, mixtures_are_fast_by_active_and_large_by_all)
{
    const struct model_job job = job_of("8x7b", "fp16", 1);
    struct estimates e = serve("h200-sxm", &job);

    cr_expect_float_eq(value_of(&e, "weights").value, 93.4e9, 1);
    cr_expect_float_eq(value_of(&e, "decode, one user, at most").value, 4800e9 / 25.8e9, 0.1);
    cr_expect_float_eq(value_of(&e, "prefill, at most").value, 989.4e12 / 25.8e9, 50);
    estimates_free(&e);
}

Test(estimate, fewer_bits_are_smaller_and_faster)
{
    struct model_job half = job_of("7b", "fp16", 1), quarter = job_of("7b", "int4", 1);
    struct estimates a = serve("l40s", &half), b = serve("l40s", &quarter);

    cr_expect_eq(value_of(&a, "weights").value, 4 * value_of(&b, "weights").value);
    cr_expect_float_eq(4 * value_of(&a, "decode, one user, at most").value,
                       value_of(&b, "decode, one user, at most").value, 1e-6);
    estimates_free(&a);
    estimates_free(&b);
}

Test(estimate, a_shape_that_is_not_known_is_noted)
{
    struct model_job job = job_of("7b", "fp16", 8);
    struct estimates e;

    job.shape.layers = NAN;
    e = serve("l40s", &job);
    cr_expect(has_note(&e, "--layers"));
    cr_expect_null(estimates_find(&e, "cache of keys and values"));
    cr_expect_eq(value_of(&e, "weights").value, 14e9);
    estimates_free(&e);
}

Test(estimate, a_peak_that_is_not_known_is_noted)
{
    const struct model_job job = job_of("7b", "fp8", 1);
    struct estimates e = serve("a100-sxm4-80gb", &job); /* has no FP8 path */

    cr_expect(has_note(&e, "FP8 GEMM"));
    cr_expect_null(estimates_find(&e, "prefill, at most"));
    cr_expect_not_null(estimates_find(&e, "decode, one user, at most"));
    estimates_free(&e);
}

/* The lesson "images": 10 GB as one copy, as 10,000 pinned and as 10,000 pageable ones take 0.4,
 * 0.4 to 0.6 and 1 to 3 s on a gen4 link; gen3 twice that, gen5 half. */
Test(estimate, ten_gigabytes_of_images)
{
    static const struct {
        const char *card;
        double times;
    } links[] = {{"rtx-4090", 1}, {"tesla-t4", 2}, {"h100-sxm5-80gb", 0.5}};

    for (size_t i = 0; i < 3; i++) {
        struct estimates e = {0};
        struct contender c;

        contender_of_card(&c, card_named(links[i].card));
        estimate_link(&e, &c, 10e9, 10000, 0);
        cr_expect(holds(value_of(&e, "one pinned copy"), 0.4 * links[i].times), "%s",
                  links[i].card);
        cr_expect(holds(value_of(&e, "10000 pinned copies"), 0.1 + 0.4 * links[i].times));
        cr_expect(holds(value_of(&e, "10000 pageable copies"), 0.1 + 1.2 * links[i].times));
        cr_expect_gt(value_of(&e, "share of the time on the link").value,
                     0.9); /* the lesson "trip" */
        contender_free(&c);
        estimates_free(&e);
    }
}

/* A measured pair: a card behind 25 GB/s, and a host of 50 GB/s and 0.5 TFLOP/s. */
static void measured(struct report *r)
{
    struct measurement *m;

    report_init(r);
    sample_card(r);
    sample_host(r);
    for (size_t i = 0; i < 2; i++) {
        const char *device = i == 0 ? "cuda0" : "host";

        m = sample_row(r, device, "memory_bandwidth", metric_bandwidth, i == 0 ? 1.8e12 : 50e9);
        parameters_set_word(&m->parameters, "operation", "read");
        m = sample_row(r, device, "vector_peak", metric_flops, i == 0 ? 19e12 : 0.5e12);
        parameters_set_word(&m->parameters, "precision", "fp32");
        m = sample_row(r, device, "gemm", metric_flops, i == 0 ? 18e12 : 0.4e12);
        parameters_set_word(&m->parameters, "precision", "fp32");
    }
    m = sample_row(r, "cuda0", "host_to_device", metric_bandwidth, 25e9);
    parameters_set_word(&m->parameters, "memory", "pinned");
    parameters_set_number(&m->parameters, "bytes", 1 << 28);
    parameters_set_word(
        &sample_figure(r, "cuda0", "host_to_device", "startup_seconds", 8e-6, "s")->parameters,
        "memory", "pinned");
    analysis_derive(r);
}

Test(estimate, the_measured_link_is_used)
{
    struct report r;
    struct contender c;
    struct estimates e = {0};

    measured(&r);
    cr_assert(contender_of_device(&c, &r, "cuda0"));
    estimate_link(&e, &c, 10e9, 10000, 0);
    cr_expect_float_eq(value_of(&e, "one pinned copy").value, 0.4, 1e-3);
    cr_expect_float_eq(value_of(&e, "10000 pinned copies").value, 0.48, 1e-3);
    estimates_free(&e);
    contender_free(&c);
    report_free(&r);
}

Test(estimate, breakeven_is_where_both_take_the_same_time)
{
    struct report r;
    struct contender card, host;
    struct estimates e = {0};
    double intensity, n, on_card, on_host;

    measured(&r);
    cr_assert(contender_of_device(&card, &r, "cuda0") && contender_of_device(&host, &r, "host"));
    estimate_breakeven(&e, &card, &host);
    intensity = value_of(&e, "work from which the card wins").value;
    on_card = 1 / 25e9 + fmax(1 / 1.8e12, intensity / 19e12);
    on_host = fmax(1 / 50e9, intensity / 0.5e12);
    cr_expect_float_eq(on_card / on_host, 1, 1e-9);
    n = value_of(&e, "N of the N x N product from which the card wins").value;
    cr_expect(n > 100 && n < 1000, "a few hundred, as the lesson says, not %g", n);
    on_card = 3 * (8e-6 + 4 * n * n / 25e9) + 2 * n * n * n / 18e12;
    cr_expect_lt(on_card, 2 * n * n * n / 0.4e12);
    n -= 2;
    on_card = 3 * (8e-6 + 4 * n * n / 25e9) + 2 * n * n * n / 18e12;
    cr_expect_gt(on_card, 2 * n * n * n / 0.4e12);
    estimates_free(&e);
    contender_free(&card);
    contender_free(&host);
    report_free(&r);
}
