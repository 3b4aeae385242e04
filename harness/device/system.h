/* What the host's system files say; all paths are below device_root(). */
#ifndef DEVICE_SYSTEM_H
#define DEVICE_SYSTEM_H

#include "harness/device/device.h"

/* A file's whole contents; NULL when unreadable.  Caller frees. */
char *system_read(const char *path);
/* The number that a file's first line starts with; NAN when there is none. */
double system_number(const char *path);
/* The value of the first "key: value" or "key=value" line, without blanks and quotes around it;
 * NULL when there is none.  Caller frees. */
char *system_field(const char *path, const char *key);
bool system_exists(const char *path);

/* Model of the CPU, or the name of its architecture.  Caller frees. */
char *system_cpu_name(void);
bool system_in_container(void);
bool system_in_wsl(void);

/* Limits of the control groups (versions 1 and 2) that hold this process; NAN where there is none.
 */
double cgroup_memory_limit_bytes(void);
double cgroup_memory_free_bytes(void);
double cgroup_cpus(void); /* CPU time a second that the quota allows */

/* Memory of the host that a program here may still take, and all of it: the lesser of what the
 * machine and the control group give. */
double system_memory_available_bytes(void);
double system_memory_bytes(void);

/* Numbers of the Xid messages of the card at that PCI address in the kernel's log since then
 * (seconds of CLOCK_MONOTONIC), each once, with blanks between; "" for none, NULL where the log
 * cannot be read.  Caller frees. */
char *kernel_log_xids(const char *pci_id, double since);

/* Fills what the operating system knows. */
void system_describe(struct environment *e);
/* Adds driver, CUDA runtime and, where there is a card, cuBLAS.  Only in a build with CUDA. */
void cuda_describe(struct environment *e);

#endif
