/* A VARIANT as Python has it: (value, metadata). */
#ifndef AMQP_NATIVE_VARIANT_PAIR_H
#define AMQP_NATIVE_VARIANT_PAIR_H

#include "core.h"
#include "variant.h"

/* The pair, when that is `done`; releases what the variant needed. NULL with or without an exception. */
PyObject *finish_variant(Core *core, Variant *variant, bool done);

#endif
