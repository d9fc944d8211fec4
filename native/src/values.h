/* Python's numbers, texts and octets as C has them, and the other way round. */
#ifndef AMQP_NATIVE_VALUES_H
#define AMQP_NATIVE_VALUES_H

#include "octets.h"

/* The number of an int; false when it needs more than 64 bits with a sign, without an exception. */
static inline bool signed_64(PyObject *value, int64_t *number) {
    int overflow;
    *number = PyLong_AsLongLongAndOverflow(value, &overflow);
    return overflow == 0 && !(*number == -1 && PyErr_Occurred());
}

/* The number of an int; false when it is negative or needs more than 64 bits. */
static inline bool unsigned_64(PyObject *value, uint64_t *number) {
    int overflow;
    int64_t found = PyLong_AsLongLongAndOverflow(value, &overflow);
    *number = overflow > 0 ? PyLong_AsUnsignedLongLong(value) : (uint64_t)found;
    return overflow > 0 ? !(*number == UINT64_MAX && PyErr_Occurred()) : overflow == 0 && found >= 0;
}

/* A channel: an exact int of 16 bits. */
static inline bool is_channel(PyObject *value, uint16_t *channel) {
    uint64_t number;
    if (!PyLong_CheckExact(value) || !unsigned_64(value, &number) || number > UINT16_MAX) return false;
    *channel = (uint16_t)number;
    return true;
}

/* The UTF-8 of a str, which keeps it; false for other objects, and for halves of surrogate pairs. */
static inline bool text_run(PyObject *text, Input *run) {
    Py_ssize_t size;
    run->at = (const uint8_t *)PyUnicode_AsUTF8AndSize(text, &size);
    if (run->at == NULL) return false;
    run->end = run->at + size;
    return true;
}

/* The octets of a bytes object; false for any other. */
static inline bool bytes_run(PyObject *value, Input *run) {
    char *octets;
    Py_ssize_t size;
    if (!PyBytes_CheckExact(value) || PyBytes_AsStringAndSize(value, &octets, &size) < 0) return false;
    run->at = (const uint8_t *)octets;
    run->end = run->at + size;
    return true;
}

static inline PyObject *new_bytes(const Input *run) {
    return PyBytes_FromStringAndSize((const char *)run->at, (Py_ssize_t)input_size(run));
}

/* An instance of a class derived from int, float or str, made by its base and so without the class's own check of what is
   valid. Takes over the value, which may be NULL. */
PyObject *new_derived(PyTypeObject *base, PyTypeObject *type, PyObject *value);

#endif
