/* Building charts: a device as a source of series, and the tables that say which rows go where. */
#ifndef OUTPUT_CHARTS_BUILD_H
#define OUTPUT_CHARTS_BUILD_H

#include "harness/output/charts.h"

/* A device of a report; several of them share a chart. */
struct chart_source {
    const struct report *report;
    const struct device_record *device;
    char *prefix; /* of names where several devices share a chart, else "" */
    size_t nth;
    bool shared, host;
};

struct chart_sources {
    struct chart_source *items;
    size_t count;
};

enum { CHART_ROLES_MAX = 4 };

/* A chart that follows from rows: one series for every name, along one parameter. */
struct chart_plan {
    const char *name, *title, *host_title; /* host_title: of the host's own chart */
    const char *roles[CHART_ROLES_MAX];    /* the first is what it is about; all are explained */
    const char *unit;                      /* of the rows that are meant; NULL: any */
    const char *along;                     /* the parameter on the x axis, or NULL: `place` says */
    const char *x_label, *x_unit, *y_label;
    const char *host_x_label; /* NULL: the same */
    double x_step;            /* between labels; 0: as fits */
    enum axis_scale x_scale, y_scale;
    bool best; /* of rows at one place the best one alone is drawn */
    double (*place)(const struct chart_source *s, const struct measurement *m);
    void (*series)(struct text *name, const struct measurement *m);
    /* Adds fits, predictions and promises once the rows of a source stand in the chart; or NULL. */
    void (*complete)(struct chart *c, const struct chart_source *s);
    /* What the rows say, where that is not all that their roles mean; or NULL. */
    void (*say)(struct text *out, const struct chart_source *s);
};
extern const struct chart_plan *const chart_plans[]; /* NULL-terminated */
extern const struct chart_plan chart_transfer, chart_memory, chart_cache, chart_latency, chart_gemm,
    chart_vector, chart_split, chart_paths, chart_warps, chart_bytes_in_flight, chart_chains,
    chart_host_chains;

/* The series of that name (without the source's prefix), added when there is none. */
struct series *chart_series(struct chart *c, const struct chart_source *s, const char *name,
                            enum series_look look);
/* A line that belongs to an earlier series, or, where there is none, stands for itself. */
struct series *chart_companion(struct chart *c, const struct chart_source *s, const char *owner,
                               const char *name, enum series_look look);
struct series *chart_find(struct chart *c, const struct chart_source *s, const char *name);
void series_add(struct series *series, double x, double y);
void series_add_row(struct series *series, double x, const struct measurement *m, char *note);
/* "25.3 GB/s ± 0.4 %, 20 samples, ok; 1.41 GHz, 300 W": caller frees. */
char *chart_note(const char *series, const char *place, const struct measurement *m);

/* Parts that are no plan: they add no chart where there are no data. */
void chart_add_roofline(struct charts *charts, const struct report *const *reports, size_t count);
void chart_add_time(struct charts *charts, const struct chart_sources *sources);
struct chart *charts_add(struct charts *charts, const char *name, char *title);

#endif
