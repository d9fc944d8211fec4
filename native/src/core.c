#include "core.h"

enum { CACHE_LINE = 64 };

bool add_to_lookup(Lookup *lookup, uint64_t key, int kind, const void *layout) {
    Found *place = (Found *)look_up(lookup, key);
    if (place->kind != 0 || lookup->count >= LOOKUP_PLACES / 2) { return false; }
    *place = (Found){key, kind, layout};
    lookup->count++;
    return true;
}

void *keep(Core *core, PyObject *object) { return keep_owned(core, Py_XNewRef(object)); }

void *keep_owned(Core *core, PyObject *object) {
    if (object == NULL) { return NULL; }
    PyObject **kept = PyMem_Realloc(core->kept, (core->kept_count + 1) * sizeof *kept);
    if (kept == NULL) {
        Py_DECREF(object);
        return PyErr_NoMemory();
    }
    core->kept = kept;
    kept[core->kept_count++] = object;
    return object;
}

void *keep_memory(Core *core, size_t size) {
    Block *block = PyMem_Calloc(1, sizeof(Block) + CACHE_LINE + size);
    if (block == NULL) { return PyErr_NoMemory(); }
    block->next = core->blocks;
    core->blocks = block;
    return (void *)(((uintptr_t)block->octets + CACHE_LINE) & ~(uintptr_t)(CACHE_LINE - 1));
}

Result keep_type(Core *core, PyTypeObject *type, int kind, const void *layout) {
    if (keep(core, (PyObject *)type) == NULL) { return FAILED; }
    return plain_if(add_to_lookup(&core->types, (uint64_t)(uintptr_t)type, kind, layout));
}

static int core_traverse(Core *core, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE((PyObject *)core));
    for (size_t index = 0; index < core->kept_count; index++) { Py_VISIT(core->kept[index]); }
    return 0;
}

static void core_dealloc(Core *core) {
    PyTypeObject *type = Py_TYPE((PyObject *)core);
    PyObject_GC_UnTrack(core);
    if (core->texts != NULL) { clear_texts(core->texts); }
    if (core->symbols != NULL) { clear_texts(core->symbols); }
    Py_XDECREF(core->metadata);
    for (size_t index = 0; index < core->kept_count; index++) { Py_DECREF(core->kept[index]); }
    PyMem_Free(core->kept);
    while (core->blocks != NULL) {
        Block *block = core->blocks;
        core->blocks = block->next;
        PyMem_Free(block);
    }
    PyObject_GC_Del(core);
    Py_DECREF(type);
}

int add_core_type(PyObject *module, const char *name, const char *doc, size_t size, newfunc make,
                  PyMethodDef *methods) {
    PyType_Slot slots[] = {
        {Py_tp_new, (void *)make},
        {Py_tp_traverse, (void *)core_traverse},
        {Py_tp_dealloc, (void *)core_dealloc},
        {Py_tp_methods, methods},
        {Py_tp_doc, (void *)doc},
        {0, NULL},
    };
    PyType_Spec spec = {name, (int)size, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE, slots};
    PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
    int result = type == NULL ? -1 : PyModule_AddType(module, (PyTypeObject *)type);
    Py_XDECREF(type);
    return result;
}

PyObject *none_unless_done(Result result, PyObject *value) {
    if (result == DONE) { return value; }
    return forget_error() ? Py_NewRef(Py_None) : NULL;
}

PyObject *with_position(PyObject *value, Py_ssize_t position) {
    PyObject *number = PyLong_FromSsize_t(position);
    PyObject *pair = number == NULL ? NULL : PyTuple_Pack(2, value, number);
    Py_XDECREF(number);
    Py_DECREF(value);
    return pair;
}

PyObject *pair_or_none(Result result, PyObject *value, Py_ssize_t position) {
    if (result != DONE) { return none_unless_done(result, NULL); }
    return with_position(value, position);
}

PyObject *octets_or_none(Output *out, Result result) {
    PyObject *octets = result == DONE ? new_bytes(&(Input){out->octets, out->octets + out->size}) : NULL;
    release_output(out);
    return result == DONE ? octets : none_unless_done(result, NULL);
}

PyObject *true_if_done(Result result) {
    if (result != DONE && !forget_error()) { return NULL; }
    return PyBool_FromLong(result == DONE);
}

bool argument_count(const char *name, Py_ssize_t given, Py_ssize_t wanted) {
    if (given == wanted) { return true; }
    PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd", name, wanted, given);
    return false;
}

const uint8_t *input_from(PyObject *buffer, PyObject *position, Input *in) {
    char *octets;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(buffer, &octets, &size) < 0) { return NULL; }
    Py_ssize_t start = PyLong_AsSsize_t(position);
    if (start == -1 && PyErr_Occurred()) { return NULL; }
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

Result input_between(PyObject *buffer, PyObject *position, PyObject *end, Input *in, const uint8_t **start) {
    if (!PyBytes_CheckExact(buffer)) { return NOT_PLAIN; }
    *start = input_from(buffer, position, in);
    if (*start == NULL) { return FAILED; }
    if (end == NULL) { return DONE; }
    Py_ssize_t stop = PyLong_AsSsize_t(end);
    if (stop == -1 && PyErr_Occurred()) { return FAILED; }
    if (stop < in->at - *start || stop > in->end - *start) { return NOT_PLAIN; }
    in->end = *start + stop;
    return DONE;
}

PyObject *row_or_ask(Result result, PyObject *row, PyObject *reader, PyObject *const *arguments) {
    if (result == DONE) { return row; }
    if (!forget_error()) { return NULL; }
    PyObject *fallback = PyTuple_GetItem(reader, 2);
    return PyObject_CallFunctionObjArgs(fallback, arguments[0], arguments[1], arguments[2], arguments[3], NULL);
}

/* The same octets as the last time are the same object: messages of one kind have the same names. */
static PyObject *shared_metadata(Core *core, const Input *octets) {
    Input last;
    bool is_last = core->metadata != NULL && bytes_run(core->metadata, &last) && input_size(&last) == input_size(octets)
                   && memcmp(last.at, octets->at, input_size(octets)) == 0;
    if (is_last) { return Py_NewRef(core->metadata); }
    PyObject *before = core->metadata;
    core->metadata = new_bytes(octets);
    Py_XDECREF(before);
    return Py_XNewRef(core->metadata);
}

static PyObject *new_pair(Core *core, const Variant *variant, const Output *names) {
    PyObject *value = new_bytes(&(Input){variant->out.octets, variant->out.octets + variant->out.size});
    PyObject *metadata =
        value == NULL ? NULL : shared_metadata(core, &(Input){names->octets, names->octets + names->size});
    PyObject *pair = metadata == NULL ? NULL : PyTuple_Pack(2, value, metadata);
    Py_XDECREF(value);
    Py_XDECREF(metadata);
    return pair;
}

Result finish_variant(Core *core, Variant *variant, bool is_plain, PyObject **pair) {
    Output names;
    start_output(&names);
    is_plain = is_plain && write_metadata(variant, &names);
    Result result = is_plain ? made(pair, new_pair(core, variant, &names)) : NOT_PLAIN;
    release_output(&names);
    release_output(&variant->out);
    return result;
}
