/* What a rate of arithmetic is called, and what the vendor calls it. */
#include "harness/analysis/precision.h"

#include <ctype.h>
#include <string.h>

static const struct {
    const char *roof;
    enum card_peak peak, without_tensor_path;
} peaks[] = {
    {"FP32 FMA", CARD_FP32, CARD_FP32},
    {"FP64 FMA", CARD_FP64, CARD_FP64},
    {"FP32 GEMM", CARD_FP32, CARD_FP32},
    {"FP64 GEMM", CARD_FP64_TENSOR, CARD_FP64},
    {"TF32 GEMM", CARD_TF32, CARD_PEAKS},
    {"FP16 GEMM", CARD_FP16, CARD_PEAKS},
    {"FP16 GEMM (FP16 accumulate)", CARD_FP16_ACC16, CARD_PEAKS},
    {"BF16 GEMM", CARD_BF16, CARD_PEAKS},
    {"FP8 GEMM", CARD_FP8, CARD_PEAKS},
    {"INT8 GEMM", CARD_INT8, CARD_PEAKS},
    {"FP4 GEMM", CARD_FP4, CARD_PEAKS},
};

bool role_is_arithmetic(const char *role)
{
    return role != NULL && (strcmp(role, "gemm") == 0 || strcmp(role, "vector_peak") == 0);
}

static void add_upper(struct text *out, const char *word)
{
    for (; *word != '\0'; word++)
        text_addf(out, "%c", toupper((unsigned char)*word));
}

/* The accumulator that goes without saying. */
static const char *usual_accumulate(const char *precision)
{
    if (strcmp(precision, "fp64") == 0)
        return "fp64";
    return strcmp(precision, "int8") == 0 ? "int32" : "fp32";
}

void precision_name(struct text *out, const struct measurement *m)
{
    const char *precision = parameters_word(&m->parameters, "precision");
    const char *accumulate = parameters_word(&m->parameters, "accumulate");

    add_upper(out, precision == NULL ? "unnamed" : precision);
    text_add(out, strcmp(m->role, "gemm") == 0 ? " GEMM" : " FMA");
    if (precision != NULL && accumulate != NULL &&
        strcmp(accumulate, usual_accumulate(precision)) != 0) {
        text_add(out, " (");
        add_upper(out, accumulate);
        text_add(out, " accumulate)");
    }
}

enum card_peak precision_peak(const struct card *card, const char *roof_name)
{
    for (size_t i = 0; i < COUNT_OF(peaks); i++)
        if (strcmp(peaks[i].roof, roof_name) == 0)
            return card != NULL && card->peak[peaks[i].peak] == 0 ? peaks[i].without_tensor_path
                                                                  : peaks[i].peak;
    return CARD_PEAKS;
}
