/* The way from a card to the processor: every bridge above it has a link of its own. */
#ifndef DEVICE_BRIDGES_H
#define DEVICE_BRIDGES_H

/* Bytes a second and direction of the narrowest link among the bridges above the device in that
 * folder of sysfs (below device_root): the lanes in use at the rate that they can have, for rates
 * fall while nothing is copied.  *name: the bridge's address, caller frees; NULL where no bridge
 * says anything, and NAN. */
double bridges_slowest(const char *folder, char **name);

#endif
