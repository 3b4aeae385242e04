/* Faults to inject into a healthy report, one for every rule of the findings. */
#ifndef TESTS_ANALYSIS_FAULTS_H
#define TESTS_ANALYSIS_FAULTS_H

#include "harness/analysis/findings.h"

struct json_t;

enum { EDITS_MAX = 8 };

/* An edit is PATH=JSON or PATH*FACTOR.  A step of a path is a member, a place in a list, a range of
 * places "0-2" or "all"; it begins with "facts" (of the card), "host" (facts of the host), "env",
 * "figure" or the name of a row below. */
struct fault {
    const char *id;
    enum severity severity;
    const char *edits[EDITS_MAX];  /* make the rule speak */
    const char *inside[EDITS_MAX]; /* instead of edits: just inside the threshold, silent */
    const char *also; /* further findings above NOTE that follow, with blanks between */
    double link, power, memory_gib; /* expected: generation (x16), watts, size; 0: not said */
    bool against_itself;            /* the healthy report is the baseline */
    unsigned peers;                 /* cards of the same model, healthy, beside the first */
    /* judged together with healthy reports: of other nodes, of nodes that are slower in everything
     * and have an older driver, and of this machine and card */
    unsigned nodes, slow_nodes, runs;
    bool older_cublas; /* of the baseline */
};
extern const struct fault faults_more[]; /* faults_more.c: a part of them */
extern const unsigned faults_more_count;
/* All of them. */
const struct fault *fault_at(unsigned i);
unsigned fault_count(void);

/* Rows of the healthy report by name: "h2d", "d2h", "pageable", "read", "triad", "bf16", "fp32",
 * "fma", "leg", "mid", "large", "cpu", "launch". */

/* The healthy report, edited.  The caller decrefs it. */
struct json_t *fault_report(const struct fault *f, const char *const *edits);
/* The circumstances of a fault; `baseline` is read and to be freed where it is against itself. */
struct circumstances fault_circumstances(const struct fault *f, struct report *baseline);
/* Reads it (asserting that it can be read) and derives its findings. */
void fault_judge(struct report *out, struct json_t *json, const struct circumstances *given);

#endif
