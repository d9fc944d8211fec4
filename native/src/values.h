/* Python's numbers, texts and octets as C has them, and the other way round. */
#ifndef AMQP_NATIVE_VALUES_H
#define AMQP_NATIVE_VALUES_H

#include "octets.h"

/* The number of an int; false when it needs more than 64 bits with a sign. */
static inline bool signed_64(PyObject *value, int64_t *number) {
    int overflow;
    *number = PyLong_AsLongLongAndOverflow(value, &overflow);
    return overflow == 0;
}

/* The number of an int; false when it is negative or needs more than 64 bits. */
static inline bool unsigned_64(PyObject *value, uint64_t *number) {
    int overflow;
    int64_t plain = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow <= 0) {
        *number = (uint64_t)plain;
        return overflow == 0 && plain >= 0;
    }
    *number = PyLong_AsUnsignedLongLong(value);
    if (*number != UINT64_MAX || PyErr_Occurred() == NULL) { return true; }
    PyErr_Clear();
    return false;
}

/* A channel: an exact int of 16 bits. */
static inline bool is_channel(PyObject *value, uint16_t *channel) {
    uint64_t number;
    if (!PyLong_CheckExact(value) || !unsigned_64(value, &number) || number > UINT16_MAX) { return false; }
    *channel = (uint16_t)number;
    return true;
}

/* The UTF-8 of a str, which keeps it. */
static inline bool text_run(PyObject *text, Input *run) {
    Py_ssize_t size;
    run->at = (const uint8_t *)PyUnicode_AsUTF8AndSize(text, &size);
    if (run->at == NULL) { return false; }
    run->end = run->at + size;
    return true;
}

/* The octets of a bytes object; false for any other. */
static inline bool bytes_run(PyObject *value, Input *run) {
    if (!PyBytes_CheckExact(value)) { return false; }
    run->at = (const uint8_t *)PyBytes_AsString(value);
    run->end = run->at + PyBytes_Size(value);
    return true;
}

static inline PyObject *new_bytes(const Input *run) {
    return PyBytes_FromStringAndSize((const char *)run->at, (Py_ssize_t)input_size(run));
}

/* An instance of a class derived from int, float or str, made by its base and so without the class's own check of what
   is valid. Takes over the value, which may be NULL with an exception. */
static inline PyObject *new_derived(PyTypeObject *base, PyTypeObject *type, PyObject *value) {
    newfunc make = (newfunc)PyType_GetSlot(base, Py_tp_new);
    PyObject *arguments = value == NULL ? NULL : PyTuple_Pack(1, value);
    PyObject *instance = arguments == NULL ? NULL : make(type, arguments, NULL);
    Py_XDECREF(arguments);
    Py_XDECREF(value);
    return instance;
}

/* The result of making an object. */
static inline Result made(PyObject **place, PyObject *object) {
    *place = object;
    return done_or_failed(object != NULL);
}

/* What Python answers: -1 with an exception, 0 or 1. */
static inline Result result_of_answer(int answer) { return answer < 0 ? FAILED : plain_if(answer > 0); }

/* Hands over what was made and filled, or gives it back when that is not done. */
static inline Result drop_unless_done(Result result, PyObject **value) {
    if (result != DONE) { Py_CLEAR(*value); }
    return result;
}

#endif
