/* The parts of METHOD 11's time model that are the card's own mood: noise, the clock as it rises
 * under load, the power cap, the link as it wakes. */
#ifndef VIRTUAL_CARD_MODEL_H
#define VIRTUAL_CARD_MODEL_H

#include "tests/virtual_card/card.h"

/* A factor round 1: the card's noise and outliers; the same sequence for the same seed. */
double model_noise(const struct card *card);

/* The SM clock of work that begins then; later work sees the card as it is after that. */
double model_clock(const struct card *card, double start);
/* The card was busy until then. */
void model_worked(const struct card *card, double start, double end);
/* That of the work that began last. */
double model_hz(const struct card *card);
/* SM cycles counted up to a time. */
double model_ticks(const struct card *card, double seconds);

/* Of so much memory in use: bytes a second, and how long one load takes.  More than about half of
 * L2 lies in its far part, too, which a card's file may make slower. */
double model_bytes_per_second(const struct card *card, double bytes);
double model_load_seconds(const struct card *card, double bytes);

/* A matrix product begins, drawing that share of its full dynamic power: the share of the clock
 * that the power limit leaves. */
double model_cap(const struct card *card, double start, double share);

/* Seconds of a copy over the link that would take so long on a link that is awake. */
double model_link(const struct card *card, double start, double seconds);

#endif
