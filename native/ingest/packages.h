/* The generated packages that an ingest has met, as `amqp_traffic.ingest.native.packages` describes them. */
#ifndef AMQP_NATIVE_INGEST_PACKAGES_H
#define AMQP_NATIVE_INGEST_PACKAGES_H

#include "columns.h"
#include "row_layouts.h"

typedef struct {
    const Table *tables[2]; /* by family: where rows of methods and of performatives go */
    Package **items;        /* by number */
    size_t count, capacity;
} Packages;

/* Makes sure that the package of that number is there; Python tells its number before the host describes it. */
bool has_package(Packages *packages, PyObject *host, Py_ssize_t number);
void free_packages(Packages *packages);
int visit_packages(const Packages *packages, visitproc visit, void *arg);

#endif
