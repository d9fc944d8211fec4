#include "core.h"

enum { CACHE_LINE = 64 };

bool add_to_lookup(Lookup *lookup, uint64_t key, int kind, const void *layout) {
    Found *place = (Found *)look_up(lookup, key);
    if (place->kind != 0 || lookup->count >= LOOKUP_PLACES / 2) return false;
    *place = (Found){key, kind, layout};
    lookup->count++;
    return true;
}

void *keep(Core *core, PyObject *object) {
    Py_XINCREF(object);
    return keep_owned(core, object);
}

void *keep_owned(Core *core, PyObject *object) {
    if (object == NULL) return NULL;
    PyObject **kept = PyMem_Realloc(core->kept, (core->kept_count + 1) * sizeof *kept);
    if (kept == NULL) {
        Py_DECREF(object);
        return NULL;
    }
    core->kept = kept;
    kept[core->kept_count++] = object;
    return object;
}

void *keep_memory(Core *core, size_t size) {
    Block *block = PyMem_Calloc(1, sizeof(Block) + CACHE_LINE + size);
    if (block == NULL) return NULL;
    block->next = core->blocks;
    core->blocks = block;
    return (void *)(((uintptr_t)block->octets + CACHE_LINE) & ~(uintptr_t)(CACHE_LINE - 1));
}

bool keep_type(Core *core, PyTypeObject *type, int kind, const void *layout) {
    return keep(core, (PyObject *)type) != NULL && add_to_lookup(&core->types, (uint64_t)(uintptr_t)type, kind, layout);
}

static int core_traverse(Core *core, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE((PyObject *)core));
    for (size_t index = 0; index < core->kept_count; index++) Py_VISIT(core->kept[index]);
    return 0;
}

static void core_dealloc(Core *core) {
    PyTypeObject *type = Py_TYPE((PyObject *)core);
    PyObject_GC_UnTrack(core);
    if (core->texts != NULL) clear_texts(core->texts);
    if (core->symbols != NULL) clear_texts(core->symbols);
    Py_XDECREF(core->metadata);
    for (size_t index = 0; index < core->kept_count; index++) Py_DECREF(core->kept[index]);
    PyMem_Free(core->kept);
    while (core->blocks != NULL) {
        Block *block = core->blocks;
        core->blocks = block->next;
        PyMem_Free(block);
    }
    PyObject_GC_Del(core);
    Py_DECREF(type);
}

int add_core_type(PyObject *module, const char *name, size_t size, newfunc make, PyMethodDef *methods) {
    PyType_Slot slots[] = {
        {Py_tp_new, (void *)make},
        {Py_tp_traverse, (void *)core_traverse},
        {Py_tp_dealloc, (void *)core_dealloc},
        {Py_tp_methods, methods},
        {Py_tp_doc, "The classes of one package, and who reads and writes their instances."},
        {0, NULL},
    };
    PyType_Spec spec = {name, (int)size, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE, slots};
    PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
    int result = type == NULL ? -1 : PyModule_AddType(module, (PyTypeObject *)type);
    Py_XDECREF(type);
    return result;
}

PyObject *new_derived(PyTypeObject *base, PyTypeObject *type, PyObject *value) {
    newfunc make = (newfunc)PyType_GetSlot(base, Py_tp_new);
    PyObject *arguments = value == NULL ? NULL : PyTuple_Pack(1, value);
    PyObject *instance = arguments == NULL ? NULL : make(type, arguments, NULL);
    Py_XDECREF(arguments);
    Py_XDECREF(value);
    return instance;
}

PyObject *or_none(PyObject *result) {
    if (result != NULL || !forget_error()) return result;
    Py_RETURN_NONE;
}

PyObject *pair_or_none(PyObject *value, Py_ssize_t position) {
    PyObject *number = value == NULL ? NULL : PyLong_FromSsize_t(position);
    PyObject *pair = number == NULL ? NULL : PyTuple_Pack(2, value, number);
    Py_XDECREF(number);
    Py_XDECREF(value);
    return or_none(pair);
}

PyObject *octets_or_none(Output *out, bool done) {
    Input run = {out->octets, out->octets + out->size};
    PyObject *octets = done ? new_bytes(&run) : NULL;
    release_output(out);
    return or_none(octets);
}

bool argument_count(const char *name, Py_ssize_t given, Py_ssize_t wanted) {
    if (given == wanted) return true;
    PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd", name, wanted, given);
    return false;
}

const uint8_t *input_from(PyObject *buffer, PyObject *position, Input *in) {
    char *octets;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(buffer, &octets, &size) < 0) return NULL;
    Py_ssize_t start = PyLong_AsSsize_t(position);
    if (start == -1 && PyErr_Occurred()) return NULL;
    if (start < 0 || start > size) {
        PyErr_SetString(PyExc_ValueError, "the position lies outside of the buffer");
        return NULL;
    }
    in->at = (const uint8_t *)octets + start;
    in->end = (const uint8_t *)octets + size;
    return (const uint8_t *)octets;
}

PyObject *new_row_reader(Core *core, PyMethodDef *definition, PyObject *facts, PyObject *fallback) {
    PyObject *reader = PyTuple_Pack(3, (PyObject *)core, facts, fallback);
    PyObject *function = reader == NULL ? NULL : PyCFunction_New(definition, reader);
    Py_XDECREF(reader);
    return function;
}

const uint8_t *input_between(PyObject *buffer, PyObject *position, PyObject *end, Input *in) {
    const uint8_t *start = PyBytes_CheckExact(buffer) ? input_from(buffer, position, in) : NULL;
    if (start == NULL || end == NULL) return start;
    Py_ssize_t stop = PyLong_AsSsize_t(end);
    if (stop < in->at - start || stop > in->end - start) return NULL;
    in->end = start + stop;
    return start;
}

PyObject *row_or_ask(PyObject *row, PyObject *reader, PyObject *const *arguments) {
    if (row != NULL || !forget_error()) return row;
    PyObject *fallback = PyTuple_GetItem(reader, 2);
    return PyObject_CallFunctionObjArgs(fallback, arguments[0], arguments[1], arguments[2], arguments[3], NULL);
}
