/* Card time: seconds since the program began, as seen by the host thread that waits for the card.
 */
#ifndef VIRTUAL_CARD_CLOCK_H
#define VIRTUAL_CARD_CLOCK_H

double clock_now(void);
/* A call took that long. */
void clock_spend(double seconds);
/* Somebody waited until then. */
void clock_reach(double seconds);

#endif
