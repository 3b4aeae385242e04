/* The vendor's libraries that are opened while the program runs: cuBLAS and NVML.  A missing one
 * costs an experiment or some telemetry, never the program.  Only in a build with CUDA. */
#ifndef DEVICE_LIBRARIES_H
#define DEVICE_LIBRARIES_H

#include <cublasLt.h>
#include <cublas_v2.h>

/* Every call of cuBLAS that ridge makes; the members of struct cublas have the functions' names:
 * blas->cublasLtMatmul(...). */
#define CUBLAS_LT_CALLS(CALL)                                                                      \
    CALL(cublasLtCreate)                                                                           \
    CALL(cublasLtDestroy)                                                                          \
    CALL(cublasLtGetVersion)                                                                       \
    CALL(cublasLtMatmulDescCreate)                                                                 \
    CALL(cublasLtMatmulDescDestroy)                                                                \
    CALL(cublasLtMatmulDescSetAttribute)                                                           \
    CALL(cublasLtMatrixLayoutCreate)                                                               \
    CALL(cublasLtMatrixLayoutDestroy)                                                              \
    CALL(cublasLtMatrixLayoutSetAttribute)                                                         \
    CALL(cublasLtMatmulPreferenceCreate)                                                           \
    CALL(cublasLtMatmulPreferenceDestroy)                                                          \
    CALL(cublasLtMatmulPreferenceSetAttribute)                                                     \
    CALL(cublasLtMatmulAlgoGetHeuristic)                                                           \
    CALL(cublasLtMatmul)

#define CUBLAS_CALLS(CALL)                                                                         \
    CALL(cublasCreate_v2)                                                                          \
    CALL(cublasDestroy_v2)                                                                         \
    CALL(cublasGetVersion_v2)                                                                      \
    CALL(cublasSetStream_v2)                                                                       \
    CALL(cublasSetMathMode)                                                                        \
    CALL(cublasSetWorkspace_v2)                                                                    \
    CALL(cublasGemmEx)

#define LIBRARIES_MEMBER(name) __typeof__(name) *name;
struct cublas {
    CUBLAS_LT_CALLS(LIBRARIES_MEMBER)
    CUBLAS_CALLS(LIBRARIES_MEMBER)
};

/* Both libraries, opened when first asked for and kept.  NULL when they cannot be had: *why (may be
 * NULL) then points to a sentence that names what was tried; it stays valid. */
const struct cublas *libraries_cublas(const char **why);
/* The file that cuBLASLt was opened from; NULL when it was not (yet). */
const char *libraries_cublas_path(void);

/* NVML's part that ridge uses, declared here because its header is often absent.  Every call but
 * the first two may be missing (NULL) in an old driver. */
typedef void *nvml_handle;
typedef int nvml_reads(nvml_handle device, unsigned *value);
typedef int nvml_reads_of(nvml_handle device, int kind, unsigned *value);
typedef int nvml_reads_mask(nvml_handle device, unsigned long long *mask);

enum { NVML_OK = 0, NVML_MORE_ROOM_NEEDED = 7 };
enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEMORY = 2 };
enum { NVML_TEMPERATURE_GPU = 0 };
enum { NVML_TYPE_COUNT = 3 }; /* of a field: unsigned long long */

/* What the system says of confidential computing; feature: 1 on. */
struct nvml_confidential {
    unsigned environment, feature, developer_tools;
};
/* Degrees that are left; version says which struct it is. */
struct nvml_margin {
    unsigned version;
    int degrees;
};

/* One of a list of fields: asked by its number, answered each with a status of its own. */
struct nvml_field {
    unsigned field, scope;
    long long timestamp, latency;
    int type, status;
    union {
        unsigned long long count;
        double number;
    } value;
};
/* Licences of a virtual card's software. */
struct nvml_licence {
    unsigned code, licensed;
    char info[128], product[128];
    unsigned enabled, year;
    unsigned short rest[6];
};
struct nvml_licences {
    int supported;
    unsigned count;
    struct nvml_licence items[3];
};

struct nvml {
    int (*init)(void);
    int (*device_by_uuid)(const char *uuid, nvml_handle *device);
    int (*driver_version)(char *text, unsigned room);
    const char *(*error_text)(int code);
    nvml_reads_of *clock_mhz, *temperature;
    nvml_reads *power_milliwatts, *power_limit_enforced, *power_limit_default;
    nvml_reads_mask *event_reasons;
    nvml_reads *link_generation, *link_width;
    nvml_reads *link_generation_max, *link_width_max; /* that card and system allow together */
    nvml_reads *link_generation_max_card;
    int (*utilisation)(nvml_handle device, unsigned percent[2]); /* of GPU, of memory */
    int (*processes)(nvml_handle device, unsigned *count, void *infos);
    int (*mig)(nvml_handle device, unsigned *now, unsigned *pending);
    nvml_reads *pstate, *persistence, *virtualisation, *pcie_replays;
    nvml_reads_of *temperature_threshold;
    int (*margin)(nvml_handle device, struct nvml_margin *margin);
    int (*ecc_errors)(nvml_handle device, int type, int counter, unsigned long long *count);
    int (*remapped_rows)(nvml_handle device, unsigned *corrected, unsigned *uncorrected,
                         unsigned *pending, unsigned *failed);
    int (*confidential)(struct nvml_confidential *state);
    int (*vbios)(nvml_handle device, char *text, unsigned room);
    int (*licences)(nvml_handle device, struct nvml_licences *licences);
    int (*fields)(nvml_handle device, int count, struct nvml_field *fields); /* driver 580 */
};

/* NVML, initialised when first asked for and kept until the program ends.  NULL and *why (may be
 * NULL) as above. */
const struct nvml *libraries_nvml(const char **why);

#endif
