/* Failures that a test orders by RIDGE_VIRTUAL_FAIL, and how often each call was made.
 *
 * Orders stand with commas between them: NAME:CALL:CODE lets one call of the function NAME fail
 * with CODE, NAME:CALL+:CODE it and all after it. */
#include "tests/virtual_card/faults.h"

#include "tests/virtual_card/card.h"

#include <map>
#include <mutex>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <unistd.h>

static auto &calls = *new std::map<std::string, unsigned long>;
static std::mutex lock;

/* The code of one order if it is for this call, else 0. */
static int code_of(const char *order, const char *name, unsigned long call)
{
    const size_t length = strlen(name);
    char *rest;

    if (strncmp(order, name, length) != 0 || order[length] != ':')
        return 0;

    const unsigned long wanted = strtoul(order + length + 1, &rest, 10);
    const bool for_good = *rest == '+';

    if (call != wanted && !(for_good && call > wanted))
        return 0;
    rest += for_good;
    if (*rest != ':' || atoi(rest + 1) == 0)
        virtual_fail("RIDGE_VIRTUAL_FAIL: \"%s\" is not NAME:CALL:CODE", order);
    return atoi(rest + 1);
}

int card_call(const char *name)
{
    std::lock_guard<std::mutex> hold(lock);
    const unsigned long call = ++calls[name];
    const char *order = getenv("RIDGE_VIRTUAL_FAIL");
    int code = 0;

    while (order && *order && code == 0) {
        code = code_of(order, name, call);
        order += strcspn(order, ",");
        order += *order == ',';
    }
    return code;
}

void faults_log(FILE *out)
{
    for (const auto &[name, count] : calls)
        fprintf(out, "%s: %lu\n", name.c_str(), count);
}

bool fault_lasts(int code)
{
    return code == 214 || code == 220 || code == 700 || code == 702 || (code >= 709 && code <= 719);
}

bool fault_endless(struct stream *s, const char *kind)
{
    const bool copy = strcmp(kind, "endless_copy") == 0;

    if (!card_call(kind))
        return false;
    queue_add(s, [copy](double, bool may_wait, double *) {
        while (may_wait && copy)
            pause();
        if (may_wait)
            virtual_fail("the host waits for a kernel that never ends");
        return false;
    });
    return true;
}

void fault_wear(char *base, size_t bytes)
{
    const size_t least = 64 * 1024;

    if (bytes >= least && card_fault("wrong_bit"))
        base[bytes / 2 + 1] = (char)(base[bytes / 2 + 1] ^ 0x10);
}

size_t fault_copied(size_t bytes)
{
    const size_t page = 4096;

    return bytes > page && card_fault("short_copy") ? bytes - page : bytes;
}
