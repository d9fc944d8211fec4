/* The type `Ingest`, the whole way from segments to tables, for all connections of a share of a capture.

   A segment goes to `streams.h`, its octets as a piece to `conversation.h`, the frames in it to `frame_rows.c`, and
   what they mean to `assembly.h`. Nothing returns to Python but tables, and what is not plain. */
#ifndef AMQP_NATIVE_INGEST_INGEST_H
#define AMQP_NATIVE_INGEST_INGEST_H

#include "packets.h"
#include "rows.h"

typedef struct Ingest Ingest;

/* Takes a segment of a file that stays open until `end_of_file`. */
bool take_segment(Ingest *ingest, const Segment *segment, const Place *place);
/* Whether it is time to take the tables. */
bool is_full(const Ingest *ingest);

#endif
