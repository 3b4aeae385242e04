/* What a user says that a device is meant to be. */
#include "harness/command/expectations.h"

#include <stdio.h>

bool expectation_link(const char *word, double *generation, double *width)
{
    unsigned g = 0, w = 0;
    int end = 0;

    if (sscanf(word, "gen%1u%*1[-]x%2u%n", &g, &w, &end) != 2 &&
        sscanf(word, "gen%1ux%2u%n", &g, &w, &end) != 2)
        return false;
    if (word[end] != '\0' || g < 1 || g > 6 || w < 1 || w > 32 || (w & (w - 1)) != 0)
        return false;
    *generation = g;
    *width = w;
    return true;
}
