#include "variant_pair.h"

#include "values.h"

/* The same octets as the last time are the same object: messages of one kind have the same names. */
static PyObject *shared_metadata(Core *core, const Input *octets) {
    Input last;
    bool is_last = core->metadata != NULL && bytes_run(core->metadata, &last) && input_size(&last) == input_size(octets)
                   && memcmp(last.at, octets->at, input_size(octets)) == 0;
    if (!is_last) {
        PyObject *before = core->metadata;
        core->metadata = new_bytes(octets);
        Py_XDECREF(before);
    }
    Py_XINCREF(core->metadata);
    return core->metadata;
}

static PyObject *new_pair(Core *core, const Variant *variant) {
    Output names;
    Input value = {variant->out.octets, variant->out.octets + variant->out.size};
    start_output(&names);
    PyObject *pair = write_metadata(variant, &names) ? PyTuple_New(2) : NULL;
    Input metadata = {names.octets, names.octets + names.size};
    if (pair != NULL) {
        PyTuple_SetItem(pair, 0, new_bytes(&value));
        PyTuple_SetItem(pair, 1, shared_metadata(core, &metadata));
        if (PyErr_Occurred()) Py_CLEAR(pair);
    }
    release_output(&names);
    return pair;
}

PyObject *finish_variant(Core *core, Variant *variant, bool done) {
    PyObject *pair = done ? new_pair(core, variant) : NULL;
    release_output(&variant->out);
    return pair;
}
