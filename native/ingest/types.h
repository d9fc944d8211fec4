/* The types of the module. Each is made anew for every module object, which has its state. */
#ifndef AMQP_NATIVE_INGEST_TYPES_H
#define AMQP_NATIVE_INGEST_TYPES_H

#include "../src/octets.h"

typedef struct {
    PyTypeObject *flow_buckets, *ingest, *scan;
} Types;

enum { TYPE_FLAGS = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE }; /* none of them has subclasses */

extern PyType_Spec flow_buckets_spec, ingest_spec, scan_spec;

#endif
