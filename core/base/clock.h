/* core/base/clock.h - how long things take */
#ifndef COCP_CORE_BASE_CLOCK_H
#define COCP_CORE_BASE_CLOCK_H

/* Seconds since some moment, by a clock that is never set back: only differences mean anything. */
double clock_seconds(void);

#endif
