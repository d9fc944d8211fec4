/* Octets of frames to rows, by layouts. What is not plain gives 0: the caller asks the package's own reader, see `RowLayout`. */
#ifndef AMQP_NATIVE_INGEST_ROW_READERS_H
#define AMQP_NATIVE_INGEST_ROW_READERS_H

#include "packages.h"

typedef enum { READ_FAILED = -1, NOT_PLAIN_ROW = 0, READ_ROW = 1 } RowResult; /* failed: an exception is set */

/* 0-x. `payload` is that of the frame: a method with class and method id, a content header with the class id. The row has the
   values of `MethodColumns` or of `HeaderColumns`: class id, size of the body, the properties; and last the misfits. */
RowResult read_method_row(const Package *package, const RowLayout *method, Input payload, Arena *arena, Row *row);
RowResult read_header_row(const Package *package, const RowLayout *header, Input payload, Arena *arena, Row *row);

/* 1.0. `payload` is the body of a frame that begins with a short descriptor; `*rest` gets what follows the performative. */
RowResult read_performative_row(const Package *package, const RowLayout *performative, Input payload, Arena *arena, Row *row,
                                Input *rest);
/* The sections of a message before its body, as `amqp_1_0.columns.MessageColumns.append_head` reads them; `*body` gets what
   follows. The row has the values of `MessageSections`. */
RowResult read_sections_row(const Package *package, Input payload, Arena *arena, Row *row, Input *body);

#endif
