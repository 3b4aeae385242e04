/* The card's mood; each part is off unless the card's file asks for it. */
#include "tests/virtual_card/model.h"

#include "tests/virtual_card/clock.h"

#include <algorithm>
#include <map>
#include <math.h>

/* METHOD 11: the clock rises so fast; how it falls again, and how long a cap and an awake link
 * outlast the load, is assumed. */
static const double RISE_SECONDS = 0.2, FALL_SECONDS = 1, CAP_SECONDS = 0.05,
                    LINK_SLEEPS_SECONDS = 0.5, OUTLIER_FACTOR = 1.5;

struct mood {
    double at, warmth; /* when it last worked; 0: idle, 1: at full clock */
    double ticks, hz;  /* counted until `at`; the clock from then on */
    double capped, cap_share;
    double copied, link_at; /* seconds of traffic since the link slept */
};

static struct mood *mood_of(const struct card *card)
{
    static auto &moods = *new std::map<const struct card *, struct mood>;
    auto found = moods.find(card);

    if (found == moods.end())
        found = moods.insert({card, {0, 0, 0, card->clock_idle_hz, -1, 1, 0, -LINK_SLEEPS_SECONDS}})
                    .first;
    return &found->second;
}

static double random_unit(const struct card *card)
{
    static auto &states = *new std::map<const struct card *, uint64_t>;
    uint64_t &state = states.insert({card, (uint64_t)card->seed}).first->second;

    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(state >> 11) * 0x1p-53;
}

double model_noise(const struct card *card)
{
    double sum = 0;

    for (int i = 0; i < 4; i++)
        sum += random_unit(card) - 0.5;

    const bool outlier = card->outliers > 0 && random_unit(card) < card->outliers;

    return (1 + card->noise * sum * sqrt(3.0)) * (outlier ? OUTLIER_FACTOR : 1);
}

/* Lets time pass up to the beginning of new work. */
static void rest(struct mood *m, double until)
{
    if (until <= m->at)
        return;
    m->ticks += m->hz * (until - m->at);
    m->warmth *= exp(-(until - m->at) / FALL_SECONDS);
    m->at = until;
}

double model_clock(const struct card *card, double start)
{
    struct mood *m = mood_of(card);

    rest(m, start);
    m->hz = card->clock_idle_hz + (card->clock_hz - card->clock_idle_hz) * m->warmth;
    if (m->capped >= start - CAP_SECONDS)
        m->hz *= m->cap_share;
    return m->hz;
}

void model_worked(const struct card *card, double start, double end)
{
    struct mood *m = mood_of(card);

    if (end <= m->at)
        return;
    m->ticks += m->hz * (end - m->at);
    m->warmth = 1 - (1 - m->warmth) * exp(-(end - std::max(start, m->at)) / RISE_SECONDS);
    m->at = end;
}

double model_hz(const struct card *card)
{
    return mood_of(card)->hz;
}

double model_ticks(const struct card *card, double seconds)
{
    const struct mood *m = mood_of(card);

    return m->ticks + m->hz * (seconds - m->at);
}

/* METHOD 4: a step at half of L2; beside a window of just that size lie the results. */
static const double NEAR_SHARE = 0.55;

static double by_level(const struct card *card, double bytes, double near, double far,
                       double memory)
{
    if (bytes > card->l2_bytes)
        return memory;
    return bytes > NEAR_SHARE * card->l2_bytes ? far : near;
}

double model_bytes_per_second(const struct card *card, double bytes)
{
    return by_level(card, bytes, card->l2_bytes_per_second, card->l2_far_bytes_per_second,
                    card->memory_bytes_per_second);
}

double model_load_seconds(const struct card *card, double bytes)
{
    return by_level(card, bytes, card->l2_seconds, card->l2_far_seconds, card->memory_seconds);
}

double model_cap(const struct card *card, double start, double share)
{
    struct mood *m = mood_of(card);
    const double watts = card->gemm_watts * share;

    m->cap_share = std::min(1.0, watts > 0 ? card->power_limit_watts / watts : 1);
    m->capped = m->cap_share < 1 ? std::max(m->capped, start) : -1;
    return m->cap_share;
}

double model_link(const struct card *card, double start, double seconds)
{
    struct mood *m = mood_of(card);

    if (start > m->link_at + LINK_SLEEPS_SECONDS)
        m->copied = 0;

    const double slow = std::max(0.0, card->link_wakes_seconds - m->copied);
    const double factor = exp2(card->link_generation - card->link_generation_idle);
    const double end = seconds * factor <= slow ? seconds * factor : slow + seconds - slow / factor;

    m->copied += end;
    m->link_at = std::max(m->link_at, start + end);
    return end;
}

double card_clock_hz(const struct card *card)
{
    return model_clock(card, clock_now());
}

double card_power_watts(const struct card *card)
{
    if (!(card->gemm_watts > 0) || mood_of(card)->at < clock_now() - CAP_SECONDS)
        return card->power_watts;
    return std::min(card->gemm_watts, card->power_limit_watts);
}

/* A link that carried something goes to sleep some time after. */
bool card_link_awake(const struct card *card)
{
    return card_working(card) || clock_now() < mood_of(card)->link_at + LINK_SLEEPS_SECONDS;
}

bool card_capped(const struct card *card)
{
    return mood_of(card)->capped >= clock_now() - CAP_SECONDS;
}
