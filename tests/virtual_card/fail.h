/* What the virtual card does about a call, an argument or a kernel that it cannot stand behind. */
#ifndef VIRTUAL_CARD_FAIL_H
#define VIRTUAL_CARD_FAIL_H

#ifdef __cplusplus
extern "C" {
#endif

/* "virtual card: ..." on stderr, then abort. */
__attribute__((noreturn, format(printf, 1, 2), visibility("default"))) void
virtual_fail(const char *format, ...);

/* A call is not implemented for this argument. */
#define VIRTUAL_UNKNOWN(what, value)                                                               \
    virtual_fail("%s: %s %lld is not known", __func__, what, (long long)(value))

#ifdef __cplusplus
}
#endif
#endif
