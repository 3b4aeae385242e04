/* The datasheet catalogue: what the vendor promises (results/datasheets/cards.md says how to read
 * it). */
#ifndef ANALYSIS_CARDS_H
#define ANALYSIS_CARDS_H

#include "harness/report/model.h"

/* Peaks a card's datasheet gives per precision, FLOP/s; NAN unknown, 0 the part has no such path.
 */
enum card_peak {
    CARD_FP32,
    CARD_FP64,
    CARD_FP64_TENSOR,
    CARD_TF32,
    CARD_FP16, /* FP32 accumulate */
    CARD_FP16_ACC16,
    CARD_BF16,
    CARD_FP8,
    CARD_INT8,
    CARD_FP4,
    CARD_PEAKS
};
extern const char *const card_peak_names[CARD_PEAKS]; /* "FP32 FMA", "TF32 tensor", ... */

struct card {
    char *id, *name, *architecture, *capability, *memory_type, *grade, *note;
    struct strings other_names, aliases, weak_fields, derived_fields;
    double sm_count, boost_hz, peak[CARD_PEAKS];
    double memory_bytes, bus_bits, memory_pin_bits_per_second, memory_bytes_per_second, l2_bytes;
    double link_generation, link_width, nvlink_bytes_per_second, power_watts, year;
    char *match_name, *variant_of;
    double match_sm, match_memory_gb;
    bool weak[CARD_PEAKS], memory_weak; /* rests on one source or is derived: drawn dashed */
};

/* The catalogue built into the program (made from results/datasheets/cards.csv by the build). */
const struct card *cards_all(size_t *count);
/* Adds the cards of a user's file, in the form of ours, checked like ours.  For the start of a
 * program: cards that were found before are no longer valid.  0, or -1 with a sentence in why that
 * names the file and the line. */
int cards_add_file(const char *path, struct text *why);
/* The row of a device by the three conditions of cards.md, or NULL.  *variants: how many rows fit
 * when the memory clock is not known (1 normally). */
const struct card *card_of_device(const struct device_record *d, size_t *variants);
/* By id, name or alias, for cards given by hand; NULL when there is none. */
const struct card *card_named(const char *word);
/* True when every word of `words` (count of them) occurs in the card's names or begins its
 * architecture's, ignoring case. */
bool card_has_words(const struct card *c, char *const *words, size_t count);

#endif
