#include "slots.h"

static Py_ssize_t instance_size(PyTypeObject *type) {
    PyObject *size = PyObject_GetAttrString((PyObject *)type, "__basicsize__");
    Py_ssize_t octets = size == NULL ? -1 : PyLong_AsSsize_t(size);
    Py_XDECREF(size);
    return octets;
}

static Py_ssize_t place_of(PyObject *owner, Py_ssize_t size, const PyObject *marker) {
    Py_ssize_t found = -1;
    for (Py_ssize_t place = sizeof(PyObject); place + (Py_ssize_t)sizeof(PyObject *) <= size;
         place += sizeof(PyObject *)) {
        if (get_slot(owner, place) != marker) { continue; }
        if (found >= 0) { return -1; }
        found = place;
    }
    return found;
}

Py_ssize_t find_slot(PyTypeObject *type, const char *name) {
    Py_ssize_t found = -1;
    Py_ssize_t size = instance_size(type);
    PyObject *text = PyUnicode_InternFromString(name);
    PyObject *marker = PyList_New(0);
    PyObject *owner = size < 0 || text == NULL || marker == NULL ? NULL : PyType_GenericAlloc(type, 0);
    if (owner != NULL && PyObject_GenericSetAttr(owner, text, marker) == 0) { found = place_of(owner, size, marker); }
    PyErr_Clear();
    Py_XDECREF(owner);
    Py_XDECREF(marker);
    Py_XDECREF(text);
    return found;
}

PyObject *new_with_slot(PyTypeObject *type, Py_ssize_t place, PyObject *value) {
    PyObject *owner = value == NULL ? NULL : PyType_GenericAlloc(type, 0);
    if (owner == NULL) { Py_XDECREF(value); }
    else { fill_slot(owner, place, value); }
    return owner;
}
