/* The type `Scan`, which reads the plain packets of a file. */
#ifndef AMQP_NATIVE_SCAN_H
#define AMQP_NATIVE_SCAN_H

#include "flows.h"
#include "records.h"

/* Adds the type to the module; -1 with an exception when that fails. */
int add_scan(PyObject *module);

#endif
