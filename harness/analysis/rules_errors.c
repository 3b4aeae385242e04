/* Rules about errors that the card and its driver count or log, and about clocks that err. */
#include "harness/analysis/rules.h"

/* NVIDIA's list of Xid errors. */
static const char *xid_meaning(double xid)
{
    static const struct {
        double xid;
        const char *meaning;
    } list[] = {
        {46, "the card stopped answering"},
        {48, "a double-bit error of memory"},
        {62, "its controller halted"},
        {64, "replacing a row of memory failed"},
        {74, "an error of NVLink"},
        {79, "it fell off the bus"},
        {94, "a contained error of memory"},
        {95, "an uncontained error of memory"},
        {119, "its GSP firmware timed out"},
        {120, "its GSP firmware failed"},
        {13, "an exception of a program"},
        {31, "a program's page fault"},
        {43, "a program's channel was stopped"},
        {45, "a program was ended"},
    };

    for (size_t i = 0; i < COUNT_OF(list); i++)
        if (list[i].xid == xid)
            return list[i].meaning;
    return "see NVIDIA's list";
}

static void xid(struct verdict *v)
{
    const double number = need(v, INPUT_XID);

    if (number > 0)
        found(v, "The kernel's log has Xid {n} of this card during the run: {w}.", number,
              xid_meaning(number));
}

static void xid_program(struct verdict *v)
{
    const double number = need(v, INPUT_XID_PROGRAM);

    if (number > 0)
        found(v, "The kernel's log has Xid {n} of this card during the run: {w}.", number,
              xid_meaning(number));
}

static void ecc_errors(struct verdict *v)
{
    const double errors = need(v, INPUT_ECC_ERRORS_IN_RUN);

    if (errors > 0)
        found(v, "{n} uncorrected error{w} of memory during the run; 0 is right.", errors,
              errors > 1 ? "s" : "");
}

static void remap_failed(struct verdict *v)
{
    if (need(v, INPUT_REMAP_FAILED) == 1)
        found(v, "Bad rows of memory could not be replaced: 1 failure, 0 is right.");
}

static void remap_pending(struct verdict *v)
{
    if (need(v, INPUT_REMAP_PENDING) == 1)
        found(v, "Bad rows of memory wait for a reset to be replaced: 1 pending, 0 is right.");
}

static void clocks_disagree(struct verdict *v)
{
    const double events = need(v, INPUT_EVENT_SPAN), host = need(v, INPUT_HOST_SPAN);

    if (events > (1 + limit(v, LIMIT_SPANS)) * host + limit(v, LIMIT_SPANS_SECONDS))
        found(v,
              "Events say that a sample took {s}, the host, who saw it begin and end, {s}: one of "
              "the clocks is wrong.",
              events, host);
}

static const struct rule rules[] = {
    {.id = "CLOCKS_DISAGREE",
     .severity = SEVERITY_INVALID,
     .scope = EACH_ROW,
     .device = "cuda",
     .needs = {INPUT_EVENT_SPAN, INPUT_HOST_SPAN},
     .judge = clocks_disagree,
     .limits = {LIMIT_SPANS, LIMIT_SPANS_SECONDS},
     .when = "events say that a sample took longer than the host waited for it",
     .fix = "Time the work with the host's clock; tell the driver's makers.",
     .source = "ours"},
    {.id = "XID",
     .severity = SEVERITY_FAULT,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_XID},
     .judge = xid,
     .when = "the kernel's log has an Xid of the card's own trouble during the run",
     .fix = "Take the card out of service; reseat it, look at power, and run the vendor's test.",
     .source = "NVIDIA's list of Xid errors: 46, 48, 62, 64, 74, 79, 94, 95, 119, 120"},
    {.id = "XID_PROGRAM",
     .severity = SEVERITY_NOTE,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_XID_PROGRAM},
     .judge = xid_program,
     .when = "the kernel's log has an Xid of a program's error during the run",
     .fix = "Look which program it was; its error is not the card's.",
     .source = "NVIDIA's list of Xid errors: 13, 31, 43, 45"},
    {.id = "ECC_ERRORS",
     .severity = SEVERITY_FAULT,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_ECC_ERRORS_IN_RUN},
     .judge = ecc_errors,
     .when = "the counter of uncorrected errors moved during the run",
     .fix = "Take the card out of service and run the vendor's memory test.",
     .source = "NVML's ECC counters"},
    {.id = "REMAP_FAILED",
     .severity = SEVERITY_FAULT,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_REMAP_FAILED},
     .judge = remap_failed,
     .when = "rows of memory could not be replaced",
     .fix = "Have the card replaced.",
     .source = "NVIDIA's notes on memory error management"},
    {.id = "REMAP_PENDING",
     .severity = SEVERITY_DEGRADED,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_REMAP_PENDING},
     .judge = remap_pending,
     .when = "rows of memory wait for a reset to be replaced",
     .fix = "Reset the card when nobody uses it.",
     .source = "NVIDIA's notes on memory error management"},
};
const struct rules rules_errors = {rules, COUNT_OF(rules)};
