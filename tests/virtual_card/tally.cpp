/* How often each amount of work was done. */
#include "tests/virtual_card/tally.h"

#include <map>
#include <string>
#include <tuple>

static auto &times = *new std::map<std::tuple<std::string, double, double>, unsigned long>;

void tally_work(const char *what, double bytes, double fmas)
{
    times[{what, bytes, fmas}]++;
}

void tally_log(FILE *out)
{
    for (const auto &[work, count] : times)
        fprintf(out, "kernel work of %s: %.0f B, %.0f FMA, %lu times\n", std::get<0>(work).c_str(),
                std::get<1>(work), std::get<2>(work), count);
}
