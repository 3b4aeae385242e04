/* Wall time, by which a plan is kept; a test brings its own. */
#ifndef MEASURE_WALL_H
#define MEASURE_WALL_H

struct wall {
    double (*now)(void);          /* seconds since any moment; never goes back */
    void (*rest)(double seconds); /* returns after about that long, or earlier on a signal */
};
extern const struct wall wall_system; /* CLOCK_MONOTONIC */

#endif
