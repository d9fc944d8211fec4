/* Numbers as columns and VARIANT have them: 64 bits with a sign, and moments in microseconds from 1970 on. */
#ifndef AMQP_NATIVE_COLUMN_NUMBERS_H
#define AMQP_NATIVE_COLUMN_NUMBERS_H

#include "octets.h"

/* SQL has the years 1 to 9999; seconds from 1970 on. */
#define FIRST_SECOND (-62135596800)
#define LAST_SECOND 253402300799

/* Columns have no unsigned 64 bits. */
static inline bool fits_column(uint64_t number, int64_t *column) {
    *column = (int64_t)number;
    return number <= INT64_MAX;
}

/* A moment in units of which so many are a second. */
static inline bool moment_in_years(int64_t value, int64_t per_second, int64_t *microseconds) {
    if (value < FIRST_SECOND * per_second || value >= (LAST_SECOND + 1) * per_second) { return false; }
    *microseconds = value * (1000000 / per_second);
    return true;
}

#endif
