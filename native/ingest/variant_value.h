/* A VARIANT that was written, as a value of a row. */
#ifndef AMQP_NATIVE_INGEST_VARIANT_VALUE_H
#define AMQP_NATIVE_INGEST_VARIANT_VALUE_H

#include "row_readers.h"

/* Copies both parts into the arena. */
RowResult keep_variant(const Input *octets, const Input *metadata, Arena *arena, Value *value);
/* Keeps what was written, when that is `done`; releases what the variant needed. */
RowResult finish_variant_value(Variant *variant, bool done, Arena *arena, Value *value);

#endif
