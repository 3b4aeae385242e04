/* What this build is; the values are written by the build. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

extern const char *const version_number;        /* "0.1.0" */
extern const char *const version_commit;        /* "" outside a checkout */
extern const char *const version_toolkit;       /* CUDA toolkit, "" in a build without one */
extern const char *const version_architectures; /* machine code held, "75 80 90"; "" without CUDA */

#endif
