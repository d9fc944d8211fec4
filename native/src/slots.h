/* Slots of instances, read and written in place.

   The limited API does not tell where an instance keeps the value of a slot. It is found once for each class: a marker
   is assigned to the slot, and the words of the instance are searched for it. A class whose slot does not show up
   exactly once is not for this core; Python reads and writes its instances. */
#ifndef AMQP_NATIVE_SLOTS_H
#define AMQP_NATIVE_SLOTS_H

#include "octets.h"

/* The place of a slot in an instance, in octets; -1 when there is none. */
Py_ssize_t find_slot(PyTypeObject *type, const char *name);

/* A slot as it stands, a borrowed reference; NULL when nothing was assigned to it. */
static inline PyObject *get_slot(PyObject *owner, Py_ssize_t place) { return *(PyObject **)((char *)owner + place); }

/* Fills a slot of a new instance and takes over the reference. */
static inline void fill_slot(PyObject *owner, Py_ssize_t place, PyObject *value) {
    *(PyObject **)((char *)owner + place) = value;
}

/* A new instance with one slot filled; takes over the value, which may be NULL. */
PyObject *new_with_slot(PyTypeObject *type, Py_ssize_t place, PyObject *value);

#endif
